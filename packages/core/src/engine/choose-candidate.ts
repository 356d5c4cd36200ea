import { PixpressError } from '../errors.ts'
import { stripMetadata } from '../metadata/index.ts'
import type { Candidate, Job } from './job.ts'
import { isFromMozjpeg } from './jpeg-quantisation.ts'
import { isLossy } from './lossy-source.ts'

/**
 * Share of its bytes, packed without loss, below which a lossy file is encoded anew in its own type. A file that has been
 * through an encoder scores high against itself with fewer bytes: encoded for a score of 60, 80 or 90 and then again for
 * the same score, twelve pictures lost 5 to 27 % (JPEG), 5 to 24 % (AVIF) and 7 to 21 % (WebP) and looked worse each time.
 * Below this share the file held more than the promise needs, and a result of this rule is not encoded again.
 */
const WORTH_A_GENERATION = 0.7

/** The same where somebody has chosen few bytes already: JPEG files of mozjpeg, palettes in PNG, JPEG XL, small WebP and AVIF. */
const WORTH_ANOTHER = 0.5

/**
 * Bytes from which a WebP or AVIF file follows the rule of others. The score of fewer blocks jumps from setting to setting:
 * of 42 pictures of up to 200 pixels, encoded twice for 80 or 60, some came to 31 % of what they had been.
 */
const MANY_BYTES = 20_000

/**
 * The smallest candidate that keeps the promise, or where none of those is within `maxBytes` the best that is.
 * @returns `undefined` when the input is to stay
 * @throws PixpressError `ENCODE_FAILED`
 */
export function chooseCandidate(
  candidates: readonly Candidate[],
  job: Job,
  inputMayStay: boolean,
): Candidate | undefined {
  const { score, maxBytes } = job.operations
  const fits = ({ data }: { data: Uint8Array }): boolean => maxBytes === null || data.length <= maxBytes
  const keeping = candidates.filter((each) => each.plain === true || each.score >= score)
  const input = inputMayStay ? { data: stripMetadata(job.source, job.type) } : undefined
  if (input !== undefined && fits(input)) {
    return smallest(
      keeping.filter((each) => isWorthIt(each, input, keeping, job)),
      input.data.length,
    )
  }
  const kept = smallest(keeping.filter(fits)) ?? best(candidates.filter(fits))
  if (kept !== undefined) return kept
  if (maxBytes !== null && candidates.length > 0) return smallest(candidates, input?.data.length)
  const nearest = best(candidates)
  if (nearest !== undefined || input !== undefined) return nearest
  throw new PixpressError('ENCODE_FAILED', 'No encoder gave a result.', { file: job.file })
}

/**
 * Bytes above which a lossy result in the source's own type cannot be chosen, as the input is kept instead. `undefined`
 * where bytes are bound: then the input may be too large itself, and lossy results below the promise count.
 */
export function mostBytesInOwnType(job: Job): number | undefined {
  if (job.operations.maxBytes !== null) return undefined
  const { length } = stripMetadata(job.source, job.type)
  return isLossy(job.source, job.type) ? length * worthwhileShare(job) : length
}

function worthwhileShare({ source, type }: Job): number {
  if (type === 'image/webp' || type === 'image/avif') {
    return source.length < MANY_BYTES ? WORTH_ANOTHER : WORTH_A_GENERATION
  }
  const isOptimised = type !== 'image/jpeg' || isFromMozjpeg(source)
  return isOptimised ? WORTH_ANOTHER : WORTH_A_GENERATION
}

function isWorthIt(candidate: Candidate, input: { data: Uint8Array }, all: readonly Candidate[], job: Job): boolean {
  if (candidate.type !== job.type || candidate.score === 100 || candidate.plain === true) return true
  if (!isLossy(job.source, job.type)) return true
  const packed = all.filter((each) => each.type === job.type && each.score === 100).map(({ data }) => data.length)
  return candidate.data.length <= worthwhileShare(job) * Math.min(input.data.length, ...packed)
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
