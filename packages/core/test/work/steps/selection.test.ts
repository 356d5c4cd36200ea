import { describe, expect, it } from 'vitest'
import { chooseCandidate, isFinished, marked, mostBytesInOwnType } from '../../../src/work/steps/selection.ts'
import type { Candidate } from '../../../src/encoding/request.ts'
import type { Job } from '../../../src/work/steps/job.ts'
import { resolveOperations } from '../../../src/operations/index.ts'
import { open, photo } from '../../images.ts'
import { DEFAULT_LIMITS } from '../../../src/base/limits.ts'
import type { ImageType } from '../../../src/base/types.ts'
import type { Operations } from '../../../src/operations/index.ts'

const candidate = (bytes: number, score: number, type: ImageType = 'image/webp'): Candidate => ({
  data: new Uint8Array(bytes),
  type,
  score,
})

/** Returns a job whose source has so many bytes and no metadata. */
const job = (bytes: number, type: ImageType, operations: Operations = {}): Job => ({
  source: new Uint8Array(bytes),
  type,
  operations: resolveOperations(operations),
  limits: DEFAULT_LIMITS,
  file: undefined,
})

describe('chooseCandidate', () => {
  it('takes the smallest that keeps the promise', () => {
    const [small, right, large] = [candidate(50, 70), candidate(80, 81), candidate(90, 90)]
    expect(chooseCandidate([large, right, small], job(100, 'image/png'), true)).toBe(right)
  })

  it('keeps an input that is as small', () => {
    expect(chooseCandidate([candidate(100, 90)], job(100, 'image/png'), true)).toBeUndefined()
    expect(chooseCandidate([], job(100, 'image/png'), true)).toBeUndefined()
  })

  it('takes the nearest to the promise where the input cannot stay', () => {
    const [near, far] = [candidate(500, 79), candidate(20, 40)]
    expect(chooseCandidate([far, near], job(100, 'image/png'), false)).toBe(near)
    expect(() => chooseCandidate([], job(100, 'image/png'), false)).toThrow(/No encoder/)
  })

  it.each([
    ['image/jpeg', 960, 962],
    ['image/avif', 960, 962],
  ] as const)('encodes %s again in its own type only where that saves enough', (type, worth, idle) => {
    const lossless = candidate(990, 100, type)
    const again = candidate(worth, 81, type)
    expect(chooseCandidate([again, lossless], job(1000, type), true)).toBe(again)
    expect(chooseCandidate([candidate(idle, 81, type), lossless], job(1000, type), true)).toBe(lossless)
    const other = candidate(idle, 81, 'image/webp')
    const operations: Operations = { convert: { type: ['image/webp'] } }
    expect(chooseCandidate([other, lossless], job(1000, type, operations), true)).toBe(other)
  })

  it('first counts what lossless recompression saves', () => {
    const lossless = candidate(800, 100, 'image/jpeg')
    expect(chooseCandidate([candidate(780, 81, 'image/jpeg'), lossless], job(1000, 'image/jpeg'), true)).toBe(lossless)
  })

  it('takes the best that is within maxBytes, then the smallest of all', () => {
    const [good, fair, poor] = [candidate(80, 81), candidate(60, 70), candidate(40, 50)]
    const all = [good, fair, poor]
    expect(chooseCandidate(all, job(100, 'image/png', { maxBytes: 90 }), true)).toBe(good)
    expect(chooseCandidate(all, job(100, 'image/png', { maxBytes: 79 }), true)).toBe(fair)
    expect(chooseCandidate(all, job(100, 'image/png', { maxBytes: 10 }), true)).toBe(poor)
    expect(chooseCandidate(all, job(30, 'image/png', { maxBytes: 10 }), true)).toBeUndefined()
    expect(chooseCandidate(all, job(30, 'image/png', { maxBytes: 90 }), true)).toBeUndefined()
  })

  it('takes what was written with settings of the caller, whatever it scores', () => {
    const plain: Candidate = { ...candidate(80, 30), plain: true }
    expect(chooseCandidate([plain], job(100, 'image/png'), true)).toBe(plain)
    expect(chooseCandidate([plain], job(70, 'image/png'), true)).toBeUndefined()
  })
})

describe('mostBytesInOwnType', () => {
  it.each([
    ['image/jpeg', 970],
    ['image/avif', 970],
    ['image/jxl', 1000],
  ] as const)('is what a lossy result in %s may take to be chosen', (type, most) => {
    expect(mostBytesInOwnType(job(1000, type))).toBe(most)
    expect(chooseCandidate([candidate(most - 1, 81, type)], job(1000, type), true)).toBeDefined()
    expect(chooseCandidate([candidate(most + 1, 81, type)], job(1000, type), true)).toBeUndefined()
  })

  it('is unknown where bytes are bound', () => {
    expect(mostBytesInOwnType(job(1000, 'image/jpeg', { maxBytes: 500 }))).toBeUndefined()
  })
})

const asked = (quality: number): Pick<Job, 'operations'> => ({ operations: resolveOperations({ quality }) })

const made = async (score: number, promise: number): Promise<Uint8Array> => {
  const data = await open(photo()).webp({ quality: 60 }).toBuffer()
  return marked({ data, type: 'image/webp', score }, { ...job(9, 'image/png'), ...asked(promise) }, false)
}
const again = async (source: Promise<Uint8Array>, quality: number): Promise<Job> => ({
  ...job(0, 'image/webp'),
  ...asked(quality),
  source: await source,
})

describe('a result of this engine that comes back', () => {
  it('is finished for its promise, higher ones, and those that are hardly lower', async () => {
    for (const promise of [71, 80, 95]) expect(isFinished(await again(made(81, 80), promise))).toBe(true)
    for (const promise of [70, 30]) expect(isFinished(await again(made(81, 80), promise))).toBe(false)
  })

  it('is finished for what it scores where that is below its promise', async () => {
    expect(isFinished(await again(made(67.4, 80), 60))).toBe(true)
  })

  it('is encoded again for no bytes at all, and for a lower promise where it takes half of them', async () => {
    const result = made(81, 80)
    const { length } = await result
    expect(mostBytesInOwnType(await again(result, 80))).toBe(0)
    expect(mostBytesInOwnType(await again(result, 60))).toBe(length / 2)
    expect(chooseCandidate([candidate(1, 95)], await again(result, 80), true)).toBeUndefined()
  })

  it("has no mark where its settings were the caller's own, or nothing was lost", async () => {
    const data = await open(photo()).webp({ quality: 60 }).toBuffer()
    const plain: Candidate = { data, type: 'image/webp', score: 70, plain: true }
    expect(marked(plain, job(9, 'image/png'), false)).toBe(data)
    expect(marked({ data, type: 'image/webp', score: 100 }, job(9, 'image/webp'), true)).toBe(data)
  })
})
