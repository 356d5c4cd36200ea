import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { resolveOperations } from '../../../src/operations/index.ts'
import { DEFAULT_LIMITS } from '../../../src/base/limits.ts'
import type { Job } from '../../../src/work/steps/job.ts'
import { probeImage } from '../../../src/work/steps/probe.ts'
import { openPixels } from '../../../src/work/steps/source-pixels.ts'
import type { SourcePixels } from '../../../src/work/steps/source-pixels.ts'
import { photo } from '../../images.ts'
import type { ResizeOptions } from '../../../src/operations/resize.ts'

async function jpeg(seed: number): Promise<Buffer> {
  const { data, width, height, channels } = photo(120, 90, seed)
  return sharp(data, { raw: { width, height, channels } }).jpeg().toBuffer()
}

async function open(source: Uint8Array, resize: ResizeOptions | null): Promise<SourcePixels> {
  const operations = resolveOperations(resize === null ? {} : { resize })
  const job: Job = { source, type: 'image/jpeg', operations, limits: DEFAULT_LIMITS, file: undefined }
  return openPixels(job, await probeImage(source, job.type, job.limits, undefined))
}

const half = { method: 'scale', width: 60 } as const
const third = { method: 'scale', width: 40 } as const

describe('a source', () => {
  it('is resized once for several types', async () => {
    const source = await jpeg(1)
    const [first, again] = [await open(source, half), await open(Uint8Array.from(source), half)]
    expect(again.raster.data).toBe(first.raster.data)
    expect(first.raster.width).toBe(60)
  })

  it('has the same pixels in each size, whatever was asked for before', async () => {
    const [one, other] = [await jpeg(1), await jpeg(2)]
    const alone = await open(one, third)
    await open(other, half)
    await open(one, half)
    const after = await open(one, third)
    expect(after.raster.data).not.toBe(alone.raster.data)
    expect(Buffer.compare(after.raster.data as Buffer, alone.raster.data as Buffer)).toBe(0)
  })

  it('is not confused with another', async () => {
    const [one, other] = [await jpeg(1), await jpeg(2)]
    const first = await open(one, half)
    const second = await open(other, half)
    expect(Buffer.compare(first.raster.data as Buffer, second.raster.data as Buffer)).not.toBe(0)
  })

  it('serves jobs that run at once in different sizes', async () => {
    const source = await jpeg(3)
    const made = await Promise.all([half, third, half, third].map((resize) => open(source, resize)))
    expect(made.map(({ raster }) => raster.width)).toEqual([60, 40, 60, 40])
  })

  it('is decoded anew where it is not resized', async () => {
    const source = await jpeg(4)
    const [first, again] = [await open(source, null), await open(source, null)]
    expect(again.raster.data).not.toBe(first.raster.data)
    expect(again.resized).toBe(false)
  })

  it('is tried again after it could not be decoded', async () => {
    const source = await jpeg(5)
    const damaged = source.subarray(0, source.length / 2)
    await expect(open(damaged, half)).rejects.toMatchObject({ code: 'DECODE_FAILED' })
    expect((await open(source, half)).raster.width).toBe(60)
  })
})
