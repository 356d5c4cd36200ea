import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { decodeFrames, openRawFrames } from '../../../src/encoding/frames.ts'
import type { Frames } from '../../../src/encoding/frames.ts'
import { copyFrames, heldFrames } from '../../../src/encoding/frame-source.ts'
import { searchFramePalette } from '../../../src/encoding/frame-palette.ts'
import { worstFrame } from '../../../src/encoding/worst-frame.ts'
import { createOptimizer } from '../../../src/optimizer/index.ts'

const folder = new URL('../../fixtures/', import.meta.url)
const load = (name: string): Promise<Buffer> => readFile(new URL(name, folder))
const framesOf = (data: Uint8Array) => decodeFrames(sharp(data, { animated: true }))

async function timesOf(data: Uint8Array): Promise<unknown> {
  const { delay, loop, pages } = await sharp(data, { animated: true }).metadata()
  return { delay, loop, pages }
}

const coloursOf = ({ data }: { data: Buffer }): number =>
  new Set(Array.from({ length: data.length / 4 }, (_, at) => data.readUInt32BE(at * 4))).size

const searchPalette = (frames: Frames, target: number) =>
  searchFramePalette({ open: () => openRawFrames(frames), original: heldFrames(frames), target, effort: 'default' })

/** A dot on its way through one strip of frames. */
const movedDot = (at: number): string =>
  `<rect y="${at * 40}" width="40" height="40" fill="#fff"/><circle cx="${8 + at * 7}" cy="${at * 40 + 20}" r="6" fill="#c22"/>`

const optimizer = createOptimizer({ cache: false, concurrency: 1 })
afterAll(() => optimizer.close())

describe('few colours', () => {
  it('hold every frame to the promise, and are fewer for a lower one', async () => {
    const frames = await framesOf(await load('spinner.gif'))
    const high = (await searchPalette(frames, 85))!
    const low = (await searchPalette(frames, 60))!
    for (const [found, target] of [
      [high, 85],
      [low, 60],
    ] as const) {
      expect(await worstFrame(heldFrames(frames), found.frames)).toBe(found.score)
      expect(found.score).toBeGreaterThanOrEqual(target)
    }
    expect(coloursOf(await copyFrames(low.frames))).toBeLessThan(coloursOf(await copyFrames(high.frames)))
  })

  it('are not enough for noise', async () => {
    const data = Buffer.alloc(64 * 64 * 4 * 2)
    let seed = 1
    for (let at = 0; at < data.length; at++) {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      data[at] = at % 4 === 3 ? 255 : seed >> 16
    }
    expect(await searchPalette({ data, width: 64, height: 64, count: 2 }, 95)).toBeUndefined()
  })
})

describe('animated WebP', () => {
  it('of a drawing is smaller in few colours than without loss, frame for frame as promised', async () => {
    const source = await load('spinner.gif')
    const { data, info, score } = await optimizer.optimize(source, { convert: { type: 'image/webp' } })
    const lossless = await sharp(source, { animated: true }).webp({ lossless: true, minSize: true }).toBuffer()
    expect(info.type).toBe('image/webp')
    expect(data.length).toBeLessThan(lossless.length)
    const [before, after] = [await framesOf(source), await framesOf(data)]
    expect(await worstFrame(heldFrames(before), heldFrames(after))).toBeCloseTo(score!, 1)
    expect(score).toBeGreaterThanOrEqual(80)
    expect(await timesOf(data)).toEqual(await timesOf(source))
  })

  it('of a recorded scene is lossy', async () => {
    const photo = await readFile(new URL('../../quality/metric/fixtures/coffee.png', import.meta.url))
    const { width = 0, height = 0 } = await sharp(photo).metadata()
    const [wide, high] = [width - 12, height - 12]
    const views = await Promise.all(
      Array.from({ length: 36 }, (_, at) =>
        sharp(photo)
          .extract({ left: at % 12, top: (at * 5) % 12, width: wide, height: high })
          .removeAlpha()
          .raw()
          .toBuffer(),
      ),
    )
    const source = await sharp(Buffer.concat(views), {
      raw: { width: wide, height: high * views.length, channels: 3, pageHeight: high },
    })
      .webp({ quality: 100, effort: 0, delay: views.map(() => 40), loop: 2 })
      .toBuffer()
    const { data, score, info } = await optimizer.optimize(source)
    expect(info.frames).toBe(views.length)
    expect(score).toBeGreaterThanOrEqual(80)
    expect(score).toBeLessThan(100)
    expect(data.length).toBeLessThan(source.length / 2)
    expect(await timesOf(data)).toEqual(await timesOf(source))
  })
})

describe('GIF', () => {
  it('stays one if its own form is the smallest', async () => {
    const source = await load('properties/anim.gif')
    const own = await optimizer.optimize(source)
    for (const type of [['image/webp'], ['image/avif', 'image/webp']] as const) {
      const { data, info } = await optimizer.optimize(source, { convert: { type } })
      expect([info.type, data.length]).toEqual(['image/gif', own.data.length])
    }
  })

  it.each([
    [[0, 10, 20, 100], 0],
    [[50, 50, 50, 50], 1],
    [[500, 40, 40, 40], 7],
  ])('keeps delays %j and a loop count of %d, also as WebP', async (delay, loop) => {
    const sheet = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="160">${[0, 1, 2, 3].map(movedDot).join('')}</svg>`,
    )
    const pixels = await sharp(sheet).ensureAlpha().raw().toBuffer()
    const source = await sharp(pixels, { raw: { width: 40, height: 160, channels: 4, pageHeight: 40 } })
      .gif({ delay, loop, effort: 1 })
      .toBuffer()
    expect(await timesOf(source)).toEqual({ delay, loop, pages: 4 })
    for (const operations of [{}, { resize: { method: 'scale', width: 20 } }] as const) {
      expect(await timesOf((await optimizer.optimize(source, operations)).data)).toEqual({ delay, loop, pages: 4 })
    }
    // Browsers show frames of up to 10 ms for 100 ms, and libvips writes that into WebP.
    const shown = delay.map((each) => (each <= 10 ? 100 : each))
    const webp = await optimizer.optimize(source, { convert: { type: 'image/webp' } })
    expect(await timesOf(webp.data)).toEqual({ delay: shown, loop, pages: 4 })
  })

  it.each(['image/webp', 'image/png', undefined] as const)(
    'shows equal frames for as long as the source does, resized, as %s',
    async (type) => {
      const source = await load('meaning/dups.gif')
      const convert = type === undefined ? {} : { convert: { type } }
      const result = await optimizer.optimize(source, { resize: { method: 'scale', width: 20 }, ...convert })
      expect(result.notes.join(' ')).not.toContain('scores')
      expect(result.score).toBeGreaterThanOrEqual(80)
      // sharp sees the first frame of an APNG alone.
      if (type !== 'image/png') {
        const { delay, pages } = await sharp(result.data, { animated: true }).metadata()
        expect(result.info.frames).toBe(pages)
        expect(delay?.reduce((sum, each) => sum + each)).toBe(400)
      }
    },
  )

  it.each(['disp2', 'disp3'])(
    'leaves places clear from which a frame without a transparent colour was removed: %s',
    async (name) => {
      const source = await load(`meaning/${name}.gif`)
      for (const operations of [
        { convert: { type: 'image/webp' } },
        { resize: { method: 'scale', width: 45 } },
        { resize: { method: 'scale', width: 45 }, convert: { type: 'image/webp' } },
      ] as const) {
        const { data, info, input } = await optimizer.optimize(source, operations)
        expect([info.hasAlpha, input.hasAlpha, info.frames]).toEqual([true, true, 4])
        const frames = await framesOf(data)
        const corners = Array.from({ length: 4 }, (_, at) => frames.data[at * frames.width * frames.height * 4 + 3])
        // The first frame fills the canvas, and is gone when the next one is shown.
        expect(corners).toEqual([255, 0, 0, 0])
      }
    },
  )

  it('keeps what a frame covers where it stays', async () => {
    const { data, info } = await optimizer.optimize(await load('meaning/disp1.gif'), {
      convert: { type: 'image/webp' },
    })
    expect(info.hasAlpha).toBe(false)
    const frames = await framesOf(data)
    for (let at = 3; at < frames.data.length; at += 4) expect(frames.data[at]).toBe(255)
  })
})

it.each([
  ['spinner.gif', undefined],
  ['spinner.gif', 'image/webp'],
  ['spinner.gif', 'image/png'],
  ['properties/anim.gif', 'image/webp'],
  ['properties/anim-mixed.webp', undefined],
  ['properties/anim-lossless.webp', 'image/png'],
  ['apng/spinner.png', 'image/webp'],
  ['apng/spinner.png', undefined],
] as const)('a result of %s as %s is left alone by an optimizer that does not know it', async (name, type) => {
  const { data } = await optimizer.optimize(await load(name), type === undefined ? {} : { convert: { type } })
  const again = await optimizer.optimize(data)
  expect(again.kept).toBe('input')
  expect(Buffer.compare(again.data, data)).toBe(0)
})
