/** Estimates of the bytes that a result of another score takes, from results that were made. */

/** A result and its score. */
interface Scored {
  readonly data: Uint8Array
  readonly score: number
}

/** Smallest and largest share of the bytes that a point of the score costs near the target. */
const LEAST_PER_POINT = 0.02
const MOST_PER_POINT = 0.09

/** A result at most this many points above the target gives a lower bound for the bytes at the target. */
const MOST_ABOVE = 3

/** Share of the bytes that a point of the score costs near 80, in the median of 80 pictures. */
const BYTES_PER_POINT = 0.05

/**
 * Bytes are extrapolated over at most this many points: a result that scores far more at the lowest setting cannot get
 * smaller.
 */
const MOST_ESTIMATED = 4

/** Estimates the bytes at the target from a result with a score nearby. */
export function bytesAt(target: number, { data, score }: Scored): number {
  const missing = Math.min(MOST_ESTIMATED, Math.max(-MOST_ESTIMATED, target - score))
  return data.length * Math.exp(missing * BYTES_PER_POINT)
}

/**
 * Estimates the same from the results on either side of the target, which say more than one of them: a photograph's
 * halved chroma was taken for 17 % larger than it was, by a result of 7 points above.
 */
export function bytesBetween(target: number, failing: Scored, passing: Scored): number {
  const share = (target - failing.score) / (passing.score - failing.score)
  return failing.data.length * Math.exp(share * Math.log(passing.data.length / failing.data.length))
}

/** Returns the least bytes that a result at the target takes, by one with another score. */
export function leastBytes({ data, score }: Scored, target: number): number {
  const missing = target - score
  if (missing < -MOST_ABOVE) return 0
  return data.length * Math.exp(missing * (missing > 0 ? LEAST_PER_POINT : MOST_PER_POINT))
}

/** Points by which two results must differ to tell what a point costs, and how much more it may cost further down. */
const LEAST_APART = 1
const STEEPER = 1.5

/** Returns the same by two results above the target. Bytes of flat drawings hardly fall with the score. */
export function leastBytesByTwo(one: Scored | undefined, other: Scored, target: number): number {
  if (one === undefined || Math.min(one.score, other.score) < target) return 0
  const apart = one.score - other.score
  if (Math.abs(apart) < LEAST_APART) return 0
  const perPoint = Math.max(LEAST_PER_POINT, Math.log(one.data.length / other.data.length) / apart)
  return other.data.length * Math.exp((target - other.score) * perPoint * STEEPER)
}
