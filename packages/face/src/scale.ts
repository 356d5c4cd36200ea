import { clamped } from './geometry.ts'

/** The part of the scale of scores that is drawn: it ends at 100. */
export interface Scale {
  /** The score at its left end, at which all lower ones stand as well. */
  readonly from: number
  /** Points between two of its lines. */
  readonly step: number
}

/** The default promise, which scales show at least. */
const USUAL = 80

/** Returns a scale that shows what was promised, and ten points or more of what lies below. */
export function scaleOf(promises: readonly number[]): Scale {
  const lowest = Math.min(USUAL, ...promises)
  const from = Math.max(0, Math.floor(lowest / 10) * 10 - 10)
  return { from, step: from < 50 ? 10 : 5 }
}

/** Returns where a score stands on a scale, as a share of its length. */
export const shareOnScale = (score: number, { from }: Scale): number => clamped((score - from) / (100 - from))

/** A part of the scale with the scores that lie in it. */
export interface Bin {
  /** The least score, which is in it; for the first one, everything below is in it as well. */
  readonly from: number
  /** The score at its end, which is in the next one. */
  readonly to: number
  /** How it is called: `80–85`, `under 55`, `exact`. */
  readonly name: string
}

/** Divides a scale into its parts. Exact results, of 100, stand in a part of their own. */
export function binsOf({ from, step }: Scale): readonly Bin[] {
  const bins = Array.from({ length: (100 - from) / step }, (_, at): Bin => {
    const [least, to] = [from + at * step, from + (at + 1) * step]
    return at === 0
      ? { from: Number.NEGATIVE_INFINITY, to, name: `under ${to}` }
      : { from: least, to, name: `${least}–${to}` }
  })
  return [...bins, { from: 100, to: Number.POSITIVE_INFINITY, name: 'exact' }]
}
