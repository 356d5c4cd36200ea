import sharp from 'sharp'
import type { JpegOptions } from 'sharp'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/base/limits.ts'
import { resolveOperations } from '../../../src/operations/index.ts'
import type { JobResult } from '../../../src/work/steps/job.ts'
import { runJob } from '../../../src/work/run.ts'
import { open, photo } from '../../images.ts'
import type { Operations } from '../../../src/operations/index.ts'

const NOTE = 'EXIF still rotates it, as it would take more bytes upright.'

function run(source: Uint8Array, operations: Operations = {}): Promise<JobResult> {
  const given = { operations: resolveOperations(operations), limits: DEFAULT_LIMITS, file: undefined }
  return runJob({ source, type: 'image/jpeg', ...given })
}

function rotated(options: JpegOptions, width: number, height: number, orientation = 6): Promise<Buffer> {
  return open(photo(width, height)).withMetadata({ orientation }).jpeg(options).toBuffer()
}

async function tagOf({ data }: JobResult): Promise<number> {
  return (await sharp(data).metadata()).orientation ?? 1
}

/** Checks that the result's header, its information and its visible pixels agree, whichever result was selected. */
async function expectSeen(result: JobResult, source: Buffer): Promise<void> {
  const seen = await sharp(source).autoOrient().raw().toBuffer({ resolveWithObject: true })
  const shown = await sharp(result.data).autoOrient().raw().toBuffer({ resolveWithObject: true })
  const { width, height } = seen.info
  expect(shown.info).toMatchObject({ width, height })
  expect(result.info).toMatchObject({ width, height, size: result.data.length })
  const sum = seen.data.reduce((total, value, at) => total + Math.abs(value - shown.data[at]!), 0)
  expect(sum / seen.data.length).toBeLessThan(result.score === 100 ? 0.2 : 10)
}

describe('a JPEG that EXIF rotates', () => {
  it('is rotated without loss where a new encoding would save little', async () => {
    for (const orientation of [2, 3, 4, 5, 6, 7, 8]) {
      const source = await rotated({ quality: 75, quantisationTable: 5 }, 160, 128, orientation)
      const result = await run(source)
      expect(result).toMatchObject({ kept: 'output', score: 100, notes: [] })
      expect(await tagOf(result)).toBe(1)
      expect(result.data.length).toBeLessThanOrEqual(source.length)
      await expectSeen(result, source)
    }
  })

  it('is rotated without loss where its scans cannot be made smaller', async () => {
    const source = await rotated({ quality: 95, chromaSubsampling: '4:4:4' }, 24, 24)
    const result = await run(source, { quality: 99 })
    expect(result.data.length).toBeLessThanOrEqual(source.length)
    expect(result).toMatchObject({ score: 100, notes: [] })
    expect(await tagOf(result)).toBe(1)
  })

  it('is not encoded a second time where it can be rotated without loss', async () => {
    const once = await run(
      await sharp(await rotated({ quality: 97 }, 160, 128))
        .keepExif()
        .jpeg({ quality: 75, quantisationTable: 5 })
        .toBuffer(),
    )
    expect(once.score).toBe(100)
    const again = await run(Buffer.from(once.data))
    expect(Buffer.compare(again.data, once.data)).toBe(0)
  })

  it('is rotated without loss where that was asked for', async () => {
    const source = await rotated({ quality: 90 }, 160, 128)
    const result = await run(source, { lossless: true })
    expect(result).toMatchObject({ kept: 'output', score: 100, notes: [] })
    expect(await tagOf(result)).toBe(1)
    await expectSeen(result, source)
  })

  it('drops a profile that changes nothing, and keeps what was asked for', async () => {
    const source = await open(photo(160, 128))
      .withIccProfile('srgb')
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD0: { Copyright: 'somebody' } })
      .jpeg({ quality: 75, quantisationTable: 5 })
      .toBuffer()
    const result = await run(source, { preserve: ['copyright'] })
    expect(result.score).toBe(100)
    expect(await tagOf(result)).toBe(1)
    expect((await sharp(result.data).metadata()).icc).toBeUndefined()
    expect(Buffer.from(result.data).includes('somebody')).toBe(true)
  })

  it('stays in wide colours', async () => {
    const source = await sharp(photo(160, 128).data, { raw: { width: 160, height: 128, channels: 3 } })
      .modulate({ saturation: 3 })
      .withIccProfile('p3')
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 75, quantisationTable: 5 })
      .toBuffer()
    const result = await run(source)
    expect(await tagOf(result)).toBe(1)
    await expectSeen(result, source)
  })

  it('is encoded again where its edges are no whole blocks and that takes no more bytes', async () => {
    const source = await rotated({ quality: 92 }, 150, 110)
    const result = await run(source)
    expect(result.kept).toBe('output')
    expect(result.score).toBeLessThan(100)
    expect(await tagOf(result)).toBe(1)
    await expectSeen(result, source)
  })

  it('keeps its tag, and says so, where neither is possible', async () => {
    const source = await rotated({ quality: 40 }, 150, 110)
    for (const operations of [{ quality: 98 }, { lossless: true }]) {
      const result = await run(source, operations)
      expect(result.notes).toEqual([NOTE])
      expect(await tagOf(result)).toBe(6)
      expect(result.data.length).toBeLessThanOrEqual(source.length)
      await expectSeen(result, source)
    }
  })

  it('takes the bytes of the metadata that goes, where it is encoded again', async () => {
    const bare = await rotated({ quality: 40 }, 150, 110)
    const comment = Buffer.alloc(20_000)
    const marker = Buffer.from([0xff, 0xfe, (comment.length + 2) >> 8, (comment.length + 2) & 255])
    const source = Buffer.concat([bare.subarray(0, 2), marker, comment, bare.subarray(2)])
    const result = await run(source, { quality: 98 })
    expect(result.notes).toEqual([])
    expect(await tagOf(result)).toBe(1)
    expect(result.data.length).toBeGreaterThan(bare.length)
    expect(result.data.length).toBeLessThanOrEqual(source.length)
    await expectSeen(result, source)
  })

  it('becomes another type as it is seen', async () => {
    const source = await rotated({ quality: 90 }, 160, 128)
    const result = await run(source, { convert: { type: ['image/webp', 'image/jpeg'] } })
    expect(result.notes).toEqual([])
    await expectSeen(result, source)
  })
})
