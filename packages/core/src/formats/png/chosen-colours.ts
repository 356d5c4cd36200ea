/** When a palette that somebody else has chosen, in a PNG, may lose colours all the same. */
import { hasChosenColours } from '../../metadata/png-chunks.ts'
import { WORTHWHILE } from '../../encoding/codec.ts'
import { PNG_MARK } from './mark.ts'

/**
 * The least score, and points above the promise, of fewer colours than somebody has chosen where they save little, and
 * the highest tried.
 */
const LEAST_SCORE = 88
const ABOVE_PROMISE = 8
const MOST_SCORE = 96

/** The most of its bytes, losslessly recompressed, that fewer colours of such a score may take. */
export const SHARE_OF_FEWER = 0.98

/** Tells whether another program has chosen the palette of a PNG: ours are marked. */
export const isTheirChoice = (source: Uint8Array): boolean =>
  hasChosenColours(source) && PNG_MARK.read(source) === undefined

/** Returns the score that fewer colours have to have where they save little; `undefined` where none are looked for. */
export function scoreOfFewer(promise: number): number | undefined {
  const score = Math.max(LEAST_SCORE, promise + ABOVE_PROMISE)
  return score > MOST_SCORE ? undefined : score
}

/** Returns the share of its bytes below which a source may lose colours, or other detail, for a result. */
export function shareOfColours(source: Uint8Array, result?: { score: number; promise: number }): number {
  if (PNG_MARK.read(source) !== undefined) return WORTHWHILE.again
  if (!hasChosenColours(source)) return 1
  const isFarAbove = result !== undefined && result.score >= (scoreOfFewer(result.promise) ?? Infinity)
  return isFarAbove ? SHARE_OF_FEWER : WORTHWHILE.palette
}
