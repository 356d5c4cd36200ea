import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { detectType } from '../../../src/base/detect.ts'
import type { Job } from '../../../src/work/steps/job.ts'
import { chooseAnimationCrop, openAnimation } from '../../../src/work/animation/open-animation.ts'
import { runJob } from '../../../src/work/run.ts'
import { resolveOperations } from '../../../src/operations/index.ts'
import { PIECE_BYTES } from '../../../src/encoding/frame-source.ts'
import { animationOf } from '../../encoding/animations.ts'
import { probeImage } from '../../../src/work/steps/probe.ts'
import type { Operations } from '../../../src/operations/index.ts'
import type { ResizeOptions } from '../../../src/operations/resize.ts'

const LIMITS = { maxBytes: 1e8, maxPixels: 1e6, maxFrames: 50, timeout: 60_000 }

const jobOf = (source: Uint8Array, operations: Operations = {}): Job => ({
  source,
  type: detectType(source)!,
  operations: resolveOperations(operations),
  limits: LIMITS,
  file: 'an animation',
})

/** Makes an animation of a red block that moves over a plain or striped background. */
async function wandering(isPlain: boolean): Promise<Buffer> {
  const [width, height, count] = [120, 60, 3]
  const data = Buffer.alloc(width * height * count * 3)
  for (let frame = 0; frame < count; frame++)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const isBlock = x >= 70 + frame * 10 && x < 85 + frame * 10 && y >= 20 && y < 40
        const around = isPlain || x % 8 < 4 ? [250, 250, 250] : [200, 200, 210]
        data.set(isBlock ? [220, 30, 30] : around, ((frame * height + y) * width + x) * 3)
      }
  return sharp(data, { raw: { width, height: height * count, channels: 3, pageHeight: height } })
    .gif({ delay: [50, 50, 50] })
    .toBuffer()
}

async function frames(source: Buffer, resize: ResizeOptions) {
  const job = jobOf(source, { resize })
  const probe = await probeImage(source, job.type, LIMITS)
  const crop = await chooseAnimationCrop(job, probe)
  const { open } = await openAnimation({ ...job, crop }, probe)
  const { data, info } = await open().removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const pageHeight = info.pageHeight ?? info.height
  const reds = Array.from({ length: info.height / pageHeight }, (_, index) => {
    const bytes = info.width * pageHeight * 3
    const frame = data.subarray(index * bytes, (index + 1) * bytes)
    let count = 0
    for (let at = 0; at < bytes; at += 3) if (frame[at]! > 180 && frame[at + 1]! < 90) count++
    return count
  })
  return { width: info.width, height: pageHeight, reds, crop }
}

describe('openAnimation', () => {
  it('has one window for all frames, with what moves in it', async () => {
    const { width, height, reds } = await frames(await wandering(false), { method: 'cover', width: 60, height: 60 })
    expect([width, height]).toEqual([60, 60])
    expect(reds).toEqual([300, 300, 300])
  })

  it('gives a thumbnail of what moves on a plain background exactly the asked size', async () => {
    const resize = { method: 'thumb', width: 200, height: 40 } as const
    const { width, height, reds, crop } = await frames(await wandering(true), resize)
    expect([width, height, crop?.background]).toEqual([200, 40, [250, 250, 250]])
    expect(reds.every((count) => count > 200)).toBe(true)
    const { info } = await runJob(jobOf(await wandering(true), { resize }))
    expect(info).toMatchObject({ width: 200, height: 40, frames: 3 })
  })

  it('stays as it is where nothing is cropped', async () => {
    const source = await wandering(false)
    const whole = { method: 'cover', width: 120, height: 60 } as const
    expect((await frames(source, whole)).crop).toBeUndefined()
    expect((await frames(source, { method: 'scale', width: 60 })).crop).toBeUndefined()
  })

  it('scales in light: what is grey from afar stays as bright', async () => {
    const [width, height, count] = [120, 80, 2]
    const data = Buffer.alloc(width * height * count * 3)
    for (let at = 0; at < data.length; at += 3)
      data.fill((at / 3) % 2 === Math.floor(at / 3 / width) % 2 ? 255 : 0, at, at + 3)
    const source = await sharp(data, { raw: { width, height: height * count, channels: 3, pageHeight: height } })
      .gif({ delay: [50, 50], keepDuplicateFrames: true })
      .toBuffer()
    const job = jobOf(source, { resize: { method: 'scale', width: 30 } })
    const { open } = await openAnimation(job, await probeImage(source, job.type, LIMITS))
    const { channels } = await sharp(await open().raw().toBuffer(), {
      raw: { width: 30, height: 40, channels: 4 },
    }).stats()
    // Half of the light is more than 180 after the transfer function; half of the samples would be 128.
    expect(channels[0]!.mean).toBeGreaterThan(180)
    expect(channels[0]!.mean).toBeLessThan(195)
  })

  it('has every frame in its place, however many fit into memory at once', async () => {
    const [width, height, count] = [1500, 1500, 17]
    const limits = { ...LIMITS, maxPixels: 1e8 }
    const pictures = Array.from({ length: count }, (_, index) => Buffer.alloc(width * height * 3, index * 15))
    const delay = pictures.map((_, index) => 20 + index * 10)
    const source = await sharp(Buffer.concat(pictures), {
      raw: { width, height: height * count, channels: 3, pageHeight: height },
      limitInputPixels: false,
    })
      .gif({ delay, effort: 1 })
      .toBuffer()
    const job = { ...jobOf(source, { resize: { method: 'scale', width: 10 } }), limits }
    const { open, timed } = await openAnimation(job, await probeImage(source, job.type, limits))
    expect(timed).toBe(false)
    const pixels = await open().raw().toBuffer()
    // A palette for all frames may be a step or two off.
    expect(pictures.map((_, index) => Math.round(pixels[index * 10 * 10 * 4]! / 15))).toEqual([...pictures.keys()])
    const { data } = await runJob(job)
    expect(await sharp(data, { animated: true }).metadata()).toMatchObject({ pages: count, delay })
  })

  it.each(['gif', 'webp'] as const)('holds a piece of the frames of a long %s, never all', async (type) => {
    const { data, frames: expected } = await animationOf(type, { width: 900, height: 700, count: 30 })
    const limits = { ...LIMITS, maxPixels: 1e8 }
    const job = { ...jobOf(data), limits }
    const { original, open } = await openAnimation(job, await probeImage(data, job.type, limits))
    const bytes = 900 * 700 * 4
    for (let index = 0; index < 30; index++) {
      const frame = await original.frame(index)
      expect(frame.buffer.byteLength).toBeLessThanOrEqual(PIECE_BYTES)
      expect(Buffer.compare(frame, expected.data.subarray(index * bytes, (index + 1) * bytes))).toBe(0)
    }
    expect(expected.data.length).toBeGreaterThan(2 * PIECE_BYTES)
    expect(Buffer.compare(await open().ensureAlpha().raw().toBuffer(), expected.data)).toBe(0)
  })
})
