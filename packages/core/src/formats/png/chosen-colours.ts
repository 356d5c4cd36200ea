/** When a palette that somebody else has chosen, in a PNG, may lose colours all the same. */
import { isNearLossless } from '../../encoding/truecolour-png.ts'
import { hasChosenColours } from '../../metadata/png-chunks.ts'
import { WORTHWHILE } from '../codec.ts'

/** The least score, and points above the promise, of fewer colours than somebody has chosen, and the highest one that is tried. */
const LEAST_SCORE = 88
const ABOVE_PROMISE = 8
const MOST_SCORE = 96

/** The most of its bytes, losslessly recompressed, that fewer colours may take. */
export const SHARE_OF_FEWER = 0.95

/** The most that fewer colours take where so few may do for the promise itself that half of the bytes are saved. */
export const MAY_BE_HALVED = 0.7

/** Bytes below which a file has too few to be saved, and may be a palette of ours whose mark another program took away. */
const WORTH_A_SEARCH = 8192

/** Whether a PNG is a palette that may be somebody else's, with enough bytes to lose some. */
export const isTheirChoice = (source: Uint8Array): boolean =>
  source.length >= WORTH_A_SEARCH && hasChosenColours(source)

/** The score that fewer colours have to have for a promise; `undefined` where none are looked for. */
export function scoreOfFewer(promise: number): number | undefined {
  const score = Math.max(LEAST_SCORE, promise + ABOVE_PROMISE)
  return score > MOST_SCORE ? undefined : score
}

/** The share of its bytes below which a source may lose colours, or other detail, for a result. */
export function shareOfColours(source: Uint8Array, result?: { score: number; promise: number }): number {
  const isChosen = hasChosenColours(source)
  if (!isChosen && !isNearLossless(source)) return 1
  if (!isTheirChoice(source) || result === undefined) return WORTHWHILE.again
  return result.score >= (scoreOfFewer(result.promise) ?? Infinity) ? SHARE_OF_FEWER : WORTHWHILE.again
}
