import type { Candidate } from '../../encoding/request.ts'

/** Change of the logarithm of the bytes per point, until two results show it: 20 points less halve the bytes. */
const TYPICAL_SLOPE = Math.LN2 / 20

/** The search ends if a result uses this share of the limit, because the rest would hardly be visible. */
const FULL_ENOUGH = 0.95

const MOST_ROUNDS = 6
const LOWEST_SCORE = 1

interface Result {
  score: number
  bytes: number
}

/**
 * Searches for the highest score whose smallest candidate is within the limit, if the one for `target` is not. It works
 * with whole results, so that it applies to every type and to the selection among types.
 * @param encode makes candidates that aim at a score
 * @param maxBytes limit in bytes; `null` for none
 * @returns all candidates that were made
 */
export async function fitBytes(
  encode: (score: number) => Promise<Candidate[]>,
  target: number,
  maxBytes: number | null,
): Promise<Candidate[]> {
  const all = await encode(target)
  if (maxBytes === null) return all
  let large: Result = { score: target, bytes: smallestOf(all) }
  let small: Result | undefined
  let slope = TYPICAL_SLOPE
  for (let round = 0; round < MOST_ROUNDS && large.bytes > maxBytes; round++) {
    const score = next(large, small, slope, maxBytes)
    if (score >= large.score - 0.5 || (small !== undefined && score <= small.score + 0.5)) break
    const candidates = await encode(score)
    const bytes = smallestOf(candidates)
    all.push(...candidates)
    if (bytes <= maxBytes) {
      small = { score, bytes }
      if (bytes >= maxBytes * FULL_ENOUGH) break
    } else if (bytes >= large.bytes && score === LOWEST_SCORE) break
    else {
      slope = Math.min(slope, Math.max(0, Math.log(large.bytes / bytes)) / (large.score - score))
      large = { score, bytes }
    }
  }
  return all
}

function next(large: Result, small: Result | undefined, slope: number, maxBytes: number): number {
  const aim = Math.log(maxBytes * 0.98)
  const top = Math.log(large.bytes)
  if (small === undefined) return Math.max(LOWEST_SCORE, large.score - (top - aim) / slope)
  const bottom = Math.log(small.bytes)
  const share = (aim - bottom) / (top - bottom)
  return small.score + (large.score - small.score) * Math.min(0.9, Math.max(0.1, share))
}

const smallestOf = (candidates: readonly Candidate[]): number => Math.min(...candidates.map(({ data }) => data.length))
