import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { naming } from '@pixpress/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildProfile } from '../../../src/colour/build-profile.ts'
import { DISPLAY_P3 } from '../../../src/colour/colour-space.ts'
import { decodePicture } from '../../../src/work/steps/decode.ts'
import type { Job } from '../../../src/work/steps/job.ts'
import { runJob } from '../../../src/work/run.ts'
import { detectType } from '../../../src/base/detect.ts'
import { resolveOperations } from '../../../src/operations/index.ts'
import { probeImage } from '../../../src/work/steps/probe.ts'
import { iccp, withChunks } from '../../colour/png-chunks.ts'
import type { Operations } from '../../../src/operations/index.ts'
import type { ResizeOptions } from '../../../src/operations/resize.ts'

const LIMITS = { maxBytes: 1e8, maxPixels: 1e6, maxFrames: 50, timeout: 60_000 }

const jobOf = (source: Uint8Array, operations: Operations = {}): Job => ({
  source,
  type: detectType(source)!,
  operations: resolveOperations(operations),
  limits: LIMITS,
  file: 'a picture',
})

async function decode(source: Uint8Array, operations?: Operations) {
  const job = jobOf(source, operations)
  return decodePicture(job, await probeImage(source, job.type, LIMITS))
}

/** 90 × 60: a red quarter top left, green top right, blue bottom left, white bottom right. */
let quarters: Buffer

beforeAll(async () => {
  const data = Buffer.alloc(90 * 60 * 3)
  for (let y = 0; y < 60; y++)
    for (let x = 0; x < 90; x++) {
      const colour = y < 30 ? (x < 45 ? [255, 0, 0] : [0, 255, 0]) : x < 45 ? [0, 0, 255] : [255, 255, 255]
      data.set(colour, (y * 90 + x) * 3)
    }
  quarters = data
})

const upright = (): Sharp => sharp(quarters, { raw: { width: 90, height: 60, channels: 3 } })

/**
 * Position at which a camera stores the pixel that is shown at a place, by EXIF orientation (Exif 2.32, section 4.6.4).
 */
const STORED: Readonly<Record<number, (x: number, y: number) => readonly [number, number]>> = {
  1: (x, y) => [x, y],
  2: (x, y) => [89 - x, y],
  3: (x, y) => [89 - x, 59 - y],
  4: (x, y) => [x, 59 - y],
  5: (x, y) => [y, x],
  6: (x, y) => [y, 89 - x],
  7: (x, y) => [59 - y, 89 - x],
  8: (x, y) => [59 - y, x],
}

function stored(orientation: number): Sharp {
  const width = orientation >= 5 ? 60 : 90
  const data = Buffer.alloc(quarters.length)
  for (let y = 0; y < 60; y++)
    for (let x = 0; x < 90; x++) {
      const [toX, toY] = STORED[orientation]!(x, y)
      data.set(quarters.subarray((y * 90 + x) * 3, (y * 90 + x) * 3 + 3), (toY * width + toX) * 3)
    }
  return sharp(data, { raw: { width, height: 5400 / width, channels: 3 } })
}

const METHODS: readonly (ResizeOptions | undefined)[] = [
  undefined,
  { method: 'scale', width: 60 },
  { method: 'scale', height: 20 },
  { method: 'fit', width: 40, height: 40 },
  { method: 'cover', width: 60, height: 20 },
  { method: 'thumb', width: 20, height: 20 },
]

describe('decodePicture', () => {
  it.each(Object.keys(STORED).map(Number))('is upright from orientation %i, however resized', async (orientation) => {
    const file = await stored(orientation).withMetadata({ orientation }).png().toBuffer()
    const plain = await upright().png().toBuffer()
    for (const resize of METHODS) {
      const operations = resize === undefined ? {} : { resize }
      const { picture } = await decode(file, operations)
      const { picture: expected } = await decode(plain, operations)
      expect([picture.width, picture.height]).toEqual([expected.width, expected.height])
      expect(picture.data.equals(expected.data)).toBe(true)
    }
  })

  it.each([2, 3, 5, 6, 8])(
    'shows a WebP as it is stored, whatever orientation its EXIF has: %i',
    async (orientation) => {
      const file = await upright().withMetadata({ orientation }).webp({ lossless: true }).toBuffer()
      expect((await sharp(file).metadata()).orientation).toBe(orientation)
      for (const resize of METHODS) {
        const operations = resize === undefined ? {} : { resize }
        const { picture } = await decode(file, operations)
        const { picture: expected } = await decode(await upright().png().toBuffer(), operations)
        expect([picture.width, picture.height]).toEqual([expected.width, expected.height])
        expect(picture.data.equals(expected.data)).toBe(true)
      }
    },
  )

  it.each<[ResizeOptions, number, number]>([
    [{ method: 'scale', width: 45 }, 45, 30],
    [{ method: 'scale', width: 900 }, 90, 60],
    [{ method: 'fit', width: 30, height: 30 }, 30, 20],
    [{ method: 'cover', width: 30, height: 60 }, 30, 60],
    [{ method: 'cover', width: 400, height: 400 }, 60, 60],
    [{ method: 'thumb', width: 400, height: 400 }, 60, 60],
  ])('gives %j the right size', async (resize, width, height) => {
    const { picture, resized } = await decode(await upright().png().toBuffer(), { resize })
    expect([picture.width, picture.height]).toEqual([width, height])
    expect(resized).toBe(width !== 90 || height !== 60)
  })

  it('gives a thumbnail of a cut-out exactly the asked size, on its own background', async () => {
    const object = { create: { width: 40, height: 30, channels: 3, background: '#902020' } } as const
    const file = await sharp({ create: { width: 100, height: 80, channels: 3, background: '#e0f0ff' } })
      .composite([{ input: object, left: 10, top: 20 }])
      .png()
      .toBuffer()
    const { picture, resized } = await decode(file, { resize: { method: 'thumb', width: 300, height: 90 } })
    expect([picture.width, picture.height, resized]).toEqual([300, 90, true])
    const red = (x: number, y: number): number => picture.data[(y * 300 + x) * 3]!
    expect([red(0, 0), red(299, 89), red(0, 45)]).toEqual([0xe0, 0xe0, 0xe0])
    let reds = 0
    for (let at = 0; at < picture.data.length; at += 3) if (picture.data[at] === 0x90) reds++
    expect(reds).toBe(40 * 30)
  })

  it('gives a cut-out of transparency more of it, and flattens it when asked', async () => {
    const file = await sharp({ create: { width: 40, height: 40, channels: 4, background: '#20a020' } })
      .extend({ top: 4, bottom: 4, left: 4, right: 4, background: '#0000' })
      .png()
      .toBuffer()
    const resize = { method: 'thumb', width: 100, height: 50 } as const
    const { picture } = await decode(file, { resize })
    expect([picture.width, picture.height, picture.channels, picture.data[3]]).toEqual([100, 50, 4, 0])
    const flattened = await decode(file, { resize, transform: { background: '#ff0000' } })
    expect([flattened.picture.channels, ...flattened.picture.data.subarray(0, 3)]).toEqual([3, 255, 0, 0])
  })

  it('leaves the background of an opaque object transparent', async () => {
    const file = await sharp({ create: { width: 60, height: 60, channels: 4, background: '#2040c0' } })
      .extend({ top: 40, bottom: 40, left: 40, right: 40, background: '#0000' })
      .png()
      .toBuffer()
    const { picture } = await decode(file, { resize: { method: 'thumb', width: 200, height: 20 } })
    expect([picture.width, picture.height, picture.channels]).toEqual([200, 20, 4])
    const alpha = (x: number): number => picture.data[(10 * 200 + x) * 4 + 3]!
    expect([alpha(0), alpha(100), alpha(199)]).toEqual([0, 255, 0])
  })

  it('knows a change that leaves the size', async () => {
    const file = await sharp({ create: { width: 98, height: 98, channels: 3, background: '#a00' } })
      .extend({ top: 1, bottom: 1, left: 1, right: 1, background: '#fff' })
      .png()
      .toBuffer()
    expect((await decode(file, { resize: { method: 'thumb', width: 100, height: 100 } })).resized).toBe(true)
  })

  it('refuses a thumbnail beyond the limit, instead of making it', async () => {
    const file = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#a00' } })
      .extend({ top: 9, bottom: 9, left: 9, right: 9, background: '#fff' })
      .png()
      .toBuffer()
    await expect(decode(file, { resize: { method: 'thumb', width: 60_000, height: 60_000 } })).rejects.toMatchObject({
      code: 'INPUT_TOO_LARGE',
      file: 'a picture',
      message: naming('60000×60000', '3600000000 pixels', '1000000'),
    })
  })

  it('keeps Display P3 where sRGB would look different, down to the finished file', async () => {
    const p3 = iccp(buildProfile(DISPLAY_P3, 'x'))
    const calm = withChunks(
      await sharp({ create: { width: 60, height: 50, channels: 3, background: '#888' } })
        .png()
        .toBuffer(),
      p3,
    )
    expect((await decode(calm)).picture.space).toBe('srgb')
    const vivid = withChunks(await upright().png().toBuffer(), p3)
    const { picture } = await decode(vivid)
    expect(picture.space).toBe('display-p3')
    expect([...picture.data.subarray(0, 3)]).toEqual([255, 0, 0])
    expect((await decode(vivid, { convert: { type: 'image/jxl' } })).picture.space).toBe('srgb')
    for (const type of ['image/jpeg', 'image/webp', 'image/png', 'image/avif'] as const) {
      const { data } = await runJob(jobOf(vivid, { convert: { type }, resize: { method: 'scale', width: 60 } }))
      const again = await decode(data)
      expect(again.picture.space).toBe('display-p3')
      expect(again.picture.data[0]).toBeGreaterThan(245)
      expect(again.picture.data[1]).toBeLessThan(20)
    }
  })
})
