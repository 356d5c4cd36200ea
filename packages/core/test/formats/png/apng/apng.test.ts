import { readFile, readdir } from 'node:fs/promises'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { composeFrames } from '../../../../src/formats/png/apng/compose.ts'
import { colourFormatOf } from '../../../../src/formats/png/apng/colour-format.ts'
import { planFrames } from '../../../../src/formats/png/apng/differences.ts'
import { ApngError, countApngFrames, readApng } from '../../../../src/formats/png/apng/read.ts'
import { recompressApng, writeApng } from '../../../../src/formats/png/apng/write.ts'
import { heldFrames } from '../../../../src/encoding/frame-source.ts'
import { shownAt } from '../../../../src/encoding/frames.ts'
import type { Frames } from '../../../../src/encoding/frames.ts'
import { createOptimizer } from '../../../../src/optimizer/index.ts'

const folder = new URL('../../../fixtures/apng/', import.meta.url)
const load = (name: string): Promise<Buffer> => readFile(new URL(`${name}.png`, folder))

const SOUND = [
  'anim',
  'blend_op_over',
  'default-image-not-in-anim',
  'delay_zero_denom',
  'dispose_op_background_region',
  'dispose_op_previous',
  'mode_16bit',
  'mode_palette_alpha',
  'num_plays_1',
  'spinner',
  'split_fdat',
]

const DAMAGED: Record<string, string> = {
  chunk_multi_actl: 'it has two animation controls',
  chunk_no_fdat: 'a frame has no pixels',
  sequence_gap: 'its frames are out of order',
  syntax_num_frames_high: 'it has 2 frames of 3',
  syntax_num_frames_zero_default: 'it has no frames',
}

/** Returns the pixels that a viewer shows: transparent pixels have no colour. */
function seen({ data }: Frames): Buffer {
  const copy = Buffer.from(data)
  for (let at = 0; at < copy.length; at += 4) if (copy[at + 3] === 0) copy.fill(0, at, at + 4)
  return copy
}

it('has a test for every file', async () => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.png')).map((name) => name.slice(0, -4))
  expect(names.toSorted()).toEqual([...SOUND, ...Object.keys(DAMAGED)].toSorted())
})

describe('reading', () => {
  it.each(Object.entries(DAMAGED))('refuses %s: %s', async (name, reason) => {
    const data = await load(name)
    expect(() => readApng(data)).toThrow(new ApngError(reason))
  })

  it('knows delays, plays and a default image that is no frame', async () => {
    const anim = readApng(await load('anim'))
    expect(anim.frames).toHaveLength(6)
    expect(countApngFrames(await load('anim'))).toBe(6)
    expect(readApng(await load('num_plays_1')).plays).toBe(1)
    expect(readApng(await load('default-image-not-in-anim')).frames).toHaveLength(5)
    const delays = [
      [1, 0],
      [1, 4],
    ] as const
    expect(shownAt({ delays, plays: 2 })).toEqual({ delay: [10, 250], loop: 2 })
  })

  it('never fails in another way, whatever byte is wrong', async () => {
    const data = await load('dispose_op_previous')
    for (let at = 8; at < data.length; at += 3) {
      const wrong = Buffer.from(data)
      wrong[at]! ^= 0xff
      try {
        readApng(wrong)
      } catch (error) {
        expect(error).toBeInstanceOf(ApngError)
      }
      expect(() => countApngFrames(wrong)).not.toThrow()
    }
  })

  it('composes as the specification has it', async () => {
    const frames: Frames = {
      data: Buffer.from([
        255,
        0,
        0,
        255,
        255,
        0,
        0,
        255, // two red pixels
        0,
        0,
        255,
        255,
        255,
        0,
        0,
        255, // the left one turns blue
        0,
        0,
        255,
        255,
        0,
        0,
        0,
        0, // the right one vanishes
      ]),
      width: 2,
      height: 1,
      count: 3,
    }
    const delays =
      frames.count === 3
        ? ([
            [1, 10],
            [2, 10],
            [3, 10],
          ] as const)
        : []
    const written = readApng(await writeApng(heldFrames(frames), { delays, plays: 4 }))
    expect(written.plays).toBe(4)
    expect(written.frames.map(({ delay }) => delay)).toEqual(delays)
    expect(seen(await composeFrames(written))).toEqual(seen(frames))
  })
})

describe('cutting frames', () => {
  const size = 40
  /** A dot that moves over a background. */
  const moving = (background: readonly number[]): Frames => {
    const data = Buffer.alloc(size * size * 4 * 4)
    for (let frame = 0; frame < 4; frame++) {
      for (let pixel = 0; pixel < size * size; pixel++) data.set(background, (frame * size * size + pixel) * 4)
      for (let y = 10; y < 14; y++) {
        for (let x = 0; x < 4; x++) data.set([200, 10, 10, 255], ((frame * size + y) * size + frame * 8 + x) * 4)
      }
    }
    return { data, width: size, height: size, count: 4 }
  }

  it('keeps what changes only', async () => {
    const plans = await planFrames(heldFrames(moving([255, 255, 255, 255])))
    expect(plans).toHaveLength(2)
    expect(plans[1]!.map(({ left, top, width, height }) => [left, top, width, height])).toEqual([
      [0, 0, size, size],
      [0, 10, 12, 4],
      [8, 10, 12, 4],
      [16, 10, 12, 4],
    ])
  })

  it('draws alone what moves over nothing', async () => {
    const [, , plan] = await planFrames(heldFrames(moving([0, 0, 0, 0])))
    expect(plan![0]).toMatchObject({ width: size, height: size })
    expect(plan!.slice(1).map(({ left, width }) => [left, width])).toEqual([
      [8, 4],
      [16, 4],
      [24, 4],
    ])
  })

  it('gives a frame that changes nothing one pixel', async () => {
    const still = heldFrames({ data: Buffer.alloc(2 * 2 * 4 * 2, 255), width: 2, height: 2, count: 2 })
    expect((await planFrames(still))[0]![1]).toMatchObject({
      width: 1,
      height: 1,
    })
  })

  it.each([
    [2, 1],
    [4, 2],
    [16, 4],
    [256, 8],
  ])('stores %d colours in %d bits', (colours, depth) => {
    const pixels = Uint8Array.from({ length: colours * 4 }, (_, at) => (at % 4 === 3 ? 255 : at >> 2))
    const frame = { left: 0, top: 0, width: colours, height: 1, dispose: 0, blend: 0, pixels }
    expect([...colourFormatOf([frame]).header.subarray(0, 2)]).toEqual([depth, 3])
  })

  it('spares the alpha channel where a colour can stand for it', () => {
    const length = 400 * 4
    const opaque = Uint8Array.from({ length }, (_, at) => (at % 4 === 3 ? 255 : ((at * 7919) % 65_521) & 255))
    const frame = { left: 0, top: 0, width: 400, height: 1, dispose: 0, blend: 0, pixels: opaque }
    expect(colourFormatOf([frame]).header[1]).toBe(2)
    const holed = Uint8Array.from(opaque)
    holed.fill(0, 0, 4)
    const format = colourFormatOf([{ ...frame, pixels: holed }])
    expect([format.header[1], format.chunks.length]).toEqual([2, 18])
    holed[3] = 128
    expect(colourFormatOf([{ ...frame, pixels: holed }]).header[1]).toBe(6)
  })
})

describe('writing', () => {
  it.each(SOUND)('%s comes out as it was, smaller and to the same beat', async (name) => {
    const source = readApng(await load(name))
    const frames = await composeFrames(source)
    const timing = { delays: source.frames.map(({ delay }) => delay), plays: source.plays }
    const written = readApng(await writeApng(heldFrames(frames), timing))
    expect(seen(await composeFrames(written))).toEqual(seen(frames))
    expect(written.plays).toBe(source.plays)
    expect(written.frames.map(({ delay }) => delay)).toEqual(timing.delays)
  })

  it('goes through the frames three times, whatever ways it tries', async () => {
    const source = readApng(await load('spinner'))
    const frames = heldFrames(await composeFrames(source))
    let asked = 0
    const counting = { ...frames, frame: (index: number) => (asked++, frames.frame(index)) }
    await writeApng(counting, { delays: source.frames.map(({ delay }) => delay), plays: 0 })
    expect(asked).toBe(3 * frames.count)
  })

  it.for(SOUND)('%s keeps its frames where it is only packed better', async (name, { skip }) => {
    const source = readApng(await load(name))
    const [first] = source.frames
    skip(first!.width !== source.width || first!.height !== source.height, 'its first frame is smaller than its canvas')
    const recompressed = readApng(await recompressApng(source))
    expect(await composeFrames(recompressed)).toEqual(await composeFrames(source))
    const controls = source.frames.map((frame) => ({ ...frame, pixels: expect.anything() as unknown }))
    expect(recompressed.frames).toEqual(controls)
  })
})

describe('the engine', () => {
  const optimizer = createOptimizer()
  let spinner: Buffer
  beforeAll(async () => {
    spinner = await load('spinner')
  })

  it.each(SOUND)('makes %s smaller, and leaves its result alone', async (name) => {
    const source = await load(name)
    const { data, info, score } = await optimizer.optimize(source)
    expect(data.length).toBeLessThan(source.length)
    expect(score).toBeGreaterThanOrEqual(80)
    expect(info.frames).toBe(readApng(source).frames.length)
    const again = await optimizer.optimize(data)
    expect(again).toMatchObject({ kept: 'input' })
    expect(Buffer.from(again.data)).toEqual(Buffer.from(data))
  })

  it.each(Object.entries(DAMAGED))('leaves %s alone, and says why: %s', async (name, reason) => {
    const source = await load(name)
    const { data, notes } = await optimizer.optimize(source)
    expect(Buffer.compare(data, source)).toBe(0)
    expect(notes.join()).toContain(reason)
    await expect(optimizer.optimize(source, { convert: { type: 'image/webp' } })).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
    })
  })

  it('turns it into an animated WebP, with its delays', async () => {
    const { data, info } = await optimizer.optimize(spinner, { convert: { type: 'image/webp' } })
    const { frames, plays } = readApng(spinner)
    expect(info).toMatchObject({ type: 'image/webp', frames: frames.length })
    const { pages, delay, loop } = await sharp(data, { animated: true }).metadata()
    expect({ pages, delay, loop }).toEqual({
      pages: frames.length,
      ...shownAt({ delays: frames.map((frame) => frame.delay), plays }),
    })
  })

  it('makes one of a GIF and of an animated WebP', async () => {
    const gif = await readFile(new URL('../../../fixtures/spinner.gif', import.meta.url))
    const { pages, delay } = await sharp(gif, { animated: true }).metadata()
    const { data, info } = await optimizer.optimize(gif, { convert: { type: 'image/png' } })
    expect(info).toMatchObject({ type: 'image/png', frames: pages })
    const written = readApng(data)
    const { delay: shown } = shownAt({ delays: written.frames.map((frame) => frame.delay), plays: 0 })
    expect(shown).toEqual(delay)
    const webp = await sharp(gif, { animated: true }).webp({ lossless: true }).toBuffer()
    expect((await optimizer.optimize(webp, { convert: { type: 'image/png' } })).info.frames).toBe(pages)
  })

  it.each([
    [{ method: 'scale', width: 40 }, [40, 40]],
    [{ method: 'fit', width: 30, height: 50 }, [30, 30]],
    [{ method: 'cover', width: 40, height: 20 }, [40, 20]],
  ] as const)('resizes every frame: %j', async (resize, [width, height]) => {
    const { data, info } = await optimizer.optimize(spinner, { resize })
    const written = readApng(data)
    expect([info.width, info.height, written.width, written.height]).toEqual([width, height, width, height])
    expect(written.frames).toHaveLength(readApng(spinner).frames.length)
  })

  it('fills every frame', async () => {
    const { data } = await optimizer.optimize(spinner, { transform: { background: '#112233' } })
    const { data: pixels } = await composeFrames(readApng(data))
    for (let at = 3; at < pixels.length; at += 4) expect(pixels[at]).toBe(255)
  })
})
