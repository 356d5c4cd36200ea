import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { createPicture } from '../../src/encoding/picture.ts'
import { DEFAULT_LIMITS } from '../../src/base/limits.ts'
import { resolveOperations } from '../../src/operations/index.ts'
import type { Job, JobResult } from '../../src/work/steps/job.ts'
import { runJob } from '../../src/work/run.ts'
import { createScorer } from '../../src/work/steps/scorer.ts'
import { graphic, open, photo } from '../images.ts'
import type { Operations } from '../../src/operations/index.ts'

const sources: Record<string, Buffer> = {}

beforeAll(async () => {
  sources['photo.jpg'] = await open(photo(700, 500)).blur(1.2).jpeg({ quality: 97 }).toBuffer()
  sources['photo.webp'] = await open(photo(700, 500)).blur(1.2).webp({ quality: 96 }).toBuffer()
  sources['grey.png'] = await open(photo(1300, 1000)).blur(1.5).toColourspace('b-w').png().toBuffer()
  // Blurred, it has more colours than a palette.
  sources['drawing.png'] = await open(graphic(1300, 1000)).blur(2).png().toBuffer()
}, 300_000)

function jobOf(name: string, operations: Operations = {}): Job {
  const type = name.endsWith('.jpg') ? 'image/jpeg' : name.endsWith('.webp') ? 'image/webp' : 'image/png'
  const limits = DEFAULT_LIMITS
  return { source: sources[name]!, type, operations: resolveOperations(operations), limits, file: undefined }
}

const JOBS = [
  ['photo.jpg', { quality: 70 }],
  ['photo.webp', { convert: { type: 'image/webp' }, quality: 90 }],
  ['grey.png', { effort: 'fast' }],
  ['drawing.png', {}],
  ['drawing.png', { effort: 'fast' }],
] as const satisfies readonly (readonly [string, Operations])[]

async function wholeScore(name: string, { data }: JobResult): Promise<number> {
  const { data: pixels, info } = await sharp(sources[name])
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const scorer = createScorer(createPicture({ data: pixels, width: info.width, height: info.height, channels: 3 }))
  const score = await scorer.score(data)
  scorer.dispose()
  return score
}

const bytes = (results: readonly JobResult[]): string[] =>
  results.map(({ data }) => Buffer.from(data).toString('base64'))

describe('a search by samples', () => {
  it.each(JOBS)('ends with %s %o scored as a whole', { timeout: 300_000 }, async (name, operations) => {
    const result = await runJob(jobOf(name, operations))
    expect(result.kept).toBe('output')
    expect(result.work!.samples).toBeGreaterThan(0)
    expect(result.work!.scores).toBeGreaterThan(0)
    const score = await wholeScore(name, result)
    expect(result.score).toBeCloseTo(score, 9)
    expect(score).toBeGreaterThanOrEqual(resolveOperations(operations).score)
  })

  it(
    'gives the same bytes one after the other, the other way round and all at once',
    { timeout: 300_000 },
    async () => {
      const jobs = JOBS.slice(0, 4).map(([name, operations]) => jobOf(name, operations))
      const alone: JobResult[] = []
      for (const job of jobs) alone.push(await runJob(job))
      const reversed: JobResult[] = []
      for (const job of jobs.toReversed()) reversed.unshift(await runJob(job))
      const together = await Promise.all(jobs.map((job) => runJob(job)))
      expect(bytes(reversed)).toEqual(bytes(alone))
      expect(bytes(together)).toEqual(bytes(alone))
    },
  )
})
