import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, it, vi } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/base/limits.ts'
import type { Effort } from '../../src/base/types.ts'
import { resolveOperations } from '../../src/operations/index.ts'
import { createReference } from '../../src/quality/metric/ssimulacra2.ts'
import type { Pixels } from '../../src/quality/metric/ssimulacra2.ts'
import type { JobResult } from '../../src/work/steps/job.ts'
import { runJob } from '../../src/work/run.ts'

// A picture of 44 megapixels would take the tests minutes.
vi.mock('../../src/base/limits.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  MOST_WHOLE_BYTES: 4_000_000,
}))

const [WIDTH, HEIGHT] = [1600, 1700]

const MOUNTAINS = new URL('../../../../examples/images/mountains.jpg', import.meta.url)

const upscaled = async (quality: number): Promise<Buffer> =>
  sharp(await readFile(MOUNTAINS))
    .resize({ width: WIDTH, height: HEIGHT, fit: 'fill' })
    .sharpen({ sigma: 1 })
    .jpeg({ quality, chromaSubsampling: '4:4:4' })
    .toBuffer()

const compressed = (source: Uint8Array, effort: Effort): Promise<JobResult> =>
  runJob({
    source,
    type: 'image/jpeg',
    operations: resolveOperations({ effort }),
    limits: DEFAULT_LIMITS,
    file: undefined,
  })

async function pixelsOf(jpeg: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: 3 }
}

describe('a large JPEG', () => {
  it.each(['fast', 'default', 'max'] as const)(
    'is decoded at most four times with effort %s, and keeps the promise by all rows',
    { timeout: 240_000 },
    async (effort) => {
      const source = await upscaled(95)
      const { kept, data, score, work } = await compressed(source, effort)
      expect(kept).toBe('output')
      const reference = createReference(await pixelsOf(source))
      expect(reference.score(await pixelsOf(data))).toBe(score)
      reference.dispose()
      expect(score).toBeGreaterThanOrEqual(80)
      // The source, the result, and what else a search needs.
      expect(work!.decoded! / WIDTH / HEIGHT).toBeGreaterThanOrEqual(2)
      expect(work!.decoded! / WIDTH / HEIGHT).toBeLessThanOrEqual(4)
      expect((await compressed(source, effort)).data).toEqual(data)
    },
  )

  it(
    'that another lossy encoding hardly makes smaller is decoded at most four times',
    { timeout: 240_000 },
    async () => {
      const { data } = await compressed(await upscaled(95), 'fast')
      const { kept, work } = await compressed(data, 'default')
      expect(kept).toBe('input')
      expect(work!.decoded! / WIDTH / HEIGHT).toBeLessThanOrEqual(4)
    },
  )
})
