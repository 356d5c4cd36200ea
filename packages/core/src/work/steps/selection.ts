import { PixpressError } from '../../base/errors.ts'
import type { Candidate } from '../../encoding/request.ts'
import { WORTHWHILE } from '../../encoding/codec.ts'
import { codecOf } from '../../formats/index.ts'
import { readOrientation, stripMetadata } from './metadata.ts'
import type { Job } from './job.ts'

/**
 * Selects the smallest candidate that keeps the promise. If none of those is within `maxBytes`, it selects the best
 * candidate that is.
 * @returns `undefined` if the input is to stay
 * @throws PixpressError `ENCODE_FAILED`
 */
export function chooseCandidate(given: readonly Candidate[], job: Job, inputMayStay: boolean): Candidate | undefined {
  // A candidate that could not be compared does not show the picture.
  const candidates = given.filter((each) => Number.isFinite(each.score))
  const { score, maxBytes } = job.operations
  const fits = ({ data }: { data: Uint8Array }): boolean => maxBytes === null || data.length <= maxBytes
  const keeping = candidates.filter((each) => each.plain === true || (each.score >= score && each.damaged !== true))
  const input = inputMayStay ? { data: stripMetadata(job.source, job.type) } : undefined
  if (input !== undefined && fits(input)) {
    const worthIt = keeping.filter((each) => isWorthIt(each, input, keeping, job))
    // A result that EXIF rotates is selected only if no upright one is as small as the source.
    const upright = isRotated(job) ? worthIt.filter((each) => isUsable(each, score, job) && fits(each)) : []
    return smallest(upright) ?? smallest(worthIt, input.data.length)
  }
  const kept = smallest(keeping.filter(fits)) ?? best(candidates.filter(fits))
  if (kept !== undefined) return kept
  if (maxBytes !== null && candidates.length > 0) return smallest(candidates, input?.data.length)
  const nearest = best(candidates)
  if (nearest !== undefined || input !== undefined) return nearest
  throw new PixpressError('ENCODE_FAILED', 'No encoder gave a result.', { file: job.file })
}

/**
 * Returns `true` if a candidate may replace a source that EXIF rotates: it keeps the promise, is upright, and is no
 * larger.
 */
export function isUsable({ data, type, score, plain, damaged }: Candidate, promise: number, job: Job): boolean {
  const isKept = plain === true || (score >= promise && damaged !== true)
  return isKept && data.length <= job.source.length && readOrientation(data, type) === 1
}

/**
 * Returns the bytes above which a lossy result in the source's own type cannot be selected, because the input stays
 * instead. Returns `undefined` if `maxBytes` is set: then the input may be too large itself, and lossy results below
 * the promise are possible.
 */
export function mostBytesInOwnType(job: Job): number | undefined {
  if (job.operations.maxBytes !== null) return undefined
  const { length } = stripMetadata(job.source, job.type)
  return length * worthwhileShare(job)
}

function isWorthIt(candidate: Candidate, input: { data: Uint8Array }, all: readonly Candidate[], job: Job): boolean {
  if (candidate.type !== job.type || candidate.score === 100 || candidate.plain === true) return true
  const exact = all.filter((each) => each.type === job.type && each.score === 100)
  // A source that EXIF rotates is encoded again, even if that saves only one byte, unless its pixels can be rotated
  // without loss.
  if (isRotated(job) && !exact.some((each) => isUsable(each, job.operations.score, job))) return true
  const lossless = exact.map(({ data }) => data.length)
  return candidate.data.length <= worthwhileShare(job, candidate) * Math.min(input.data.length, ...lossless)
}

const isRotated = ({ source, type }: Job): boolean => readOrientation(source, type) !== 1

function worthwhileShare(job: Job, candidate?: Candidate): number {
  const { mark, worthwhileShare: share } = codecOf(job.type)
  if (isFinished(job)) return 0
  if (mark?.read(job.source) !== undefined) return WORTHWHILE.again
  const result = candidate && { score: candidate.score, promise: job.operations.score }
  return share?.(job.source, result) ?? 1
}

/**
 * Points by which a promise must be lower than that of an earlier result of ours before the result is encoded again.
 */
const CLEARLY_LOWER = 10

/**
 * Returns `true` if the source is a lossy result of this engine for about this promise. Another lossy encoding would
 * break the promise.
 */
export function isFinished({ source, type, operations }: Job): boolean {
  const promise = codecOf(type).mark?.read(source)
  return promise !== undefined && operations.score > promise - CLEARLY_LOWER
}

/** Returns `true` if the source is certainly such a result, because no other program writes files like it. */
export function isKnownAsOurs(job: Job): boolean {
  const { mark } = codecOf(job.type)
  return isFinished(job) && mark?.isDoubtful?.(job.source) !== true
}

/**
 * Adds the mark by which a result is recognized if it comes back as a source.
 * @param given `true` if the result has the pixels of the source
 */
export function marked({ data, type, score, plain }: Candidate, job: Job, given: boolean): Uint8Array {
  const { mark } = codecOf(type)
  if (mark === undefined || plain === true) return data
  const kept = score < 100 ? Math.min(score, job.operations.score) : given ? mark.read(job.source) : undefined
  return kept === undefined ? data : mark.write(data, Math.max(1, Math.floor(kept)))
}

function smallest(candidates: readonly Candidate[], below: number = Infinity): Candidate | undefined {
  let found: Candidate | undefined
  for (const each of candidates) if (each.data.length < (found?.data.length ?? below)) found = each
  return found
}

function best(candidates: readonly Candidate[]): Candidate | undefined {
  let found: Candidate | undefined
  for (const each of candidates) if (found === undefined || each.score > found.score) found = each
  return found
}
