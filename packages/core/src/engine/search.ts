/** Median score at each quality setting of one encoder: where the search starts and how it bends. */
export type Curve = readonly (readonly [quality: number, score: number])[]

export interface SearchOptions {
  /** The score that must be reached. */
  target: number
  /** How far above the target a result may lie and still end the search. */
  window: number
  /** Lowest and highest quality setting to try, whole numbers. */
  min: number
  max: number
  curve: Curve
  /** First setting to try; by default where the curve meets the target. */
  start?: number | undefined
  /** Encodes after which a result up to 1.5 points above the target ends the search; by default none. */
  patience?: number | undefined
  encode(quality: number): Promise<Uint8Array>
  /** The score of what `encode` gave at this setting. */
  score(encoded: Uint8Array, quality: number): Promise<number>
}

export interface Found {
  data: Uint8Array
  quality: number
  score: number
}

const MAX_PROBES = 9

/** How far above the target a result may lie once a search has lost its patience. */
const LOOSE_WINDOW = 1.5

/**
 * The lowest quality setting whose result reaches the target: model curve first, then the curve bent through the
 * measured points (a secant that knows the encoder's shape), until a result lies inside the window or no setting is left
 * between a failing and a passing one. About three probes. When even `max` does not reach the target, the result at `max`
 * is returned with its score.
 */
export async function searchQuality(options: SearchOptions): Promise<Found> {
  const { target, window, min, max, curve, patience = MAX_PROBES } = options
  const aim = target + window * 0.4
  let failing: Found | undefined
  let passing: Found | undefined
  let last: Point | undefined
  let steepness = 1
  let quality = clamp(options.start ?? invert(curve, aim, min, max), min, max)
  for (let probe = 0; probe < MAX_PROBES; probe++) {
    const data = await options.encode(quality)
    const score = await options.score(data, quality)
    if (score >= target) {
      if (passing === undefined || data.length <= passing.data.length) passing = { data, quality, score }
      if (score < target + window) break
    } else if (failing === undefined || quality > failing.quality) failing = { data, quality, score }
    if (passing !== undefined && passing.score < target + LOOSE_WINDOW && probe + 1 >= patience) break
    if (last !== undefined) steepness = steepnessOf(curve, last, { quality, score })
    last = { quality, score }
    const low = failing?.quality ?? min - 1
    const high = passing?.quality ?? max + 1
    if (high - low <= 1) break
    quality = clamp(next(options, aim, last, steepness, failing, passing), low + 1, high - 1)
  }
  return (passing ?? failing)!
}

interface Point {
  quality: number
  score: number
}

/** How much faster than the curve this picture's score rises between two settings. */
function steepnessOf(curve: Curve, one: Point, other: Point): number {
  const expected = typicalScore(curve, other.quality) - typicalScore(curve, one.quality)
  return clamp((other.score - one.score) / expected, 1 / 3, 3)
}

function next(
  { curve, min, max }: SearchOptions,
  aim: number,
  { quality, score }: Point,
  steepness: number,
  failing: Found | undefined,
  passing: Found | undefined,
): number {
  if (failing === undefined || passing === undefined) {
    return invert(curve, typicalScore(curve, quality) + (aim - score) / steepness, min, max)
  }
  const below = failing.score - typicalScore(curve, failing.quality)
  const above = passing.score - typicalScore(curve, passing.quality)
  for (let guess = failing.quality + 1; guess < passing.quality; guess++) {
    const share = (guess - failing.quality) / (passing.quality - failing.quality)
    if (typicalScore(curve, guess) + below * (1 - share) + above * share >= aim) return guess
  }
  return passing.quality - 1
}

function invert(curve: Curve, score: number, min: number, max: number): number {
  for (let quality = min; quality < max; quality++) if (typicalScore(curve, quality) >= score) return quality
  return max
}

/** The curve's score at a setting: linear between its points, and on beyond its ends with a flat slope. */
export function typicalScore(curve: Curve, quality: number): number {
  const first = curve[0]!
  if (quality <= first[0]) return first[1] + (quality - first[0]) * 0.6
  for (let index = 1; index < curve.length; index++) {
    const [q1, s1] = curve[index]!
    if (quality > q1) continue
    const [q0, s0] = curve[index - 1]!
    return s0 + ((quality - q0) / (q1 - q0)) * (s1 - s0)
  }
  const last = curve.at(-1)!
  return last[1] + (quality - last[0]) * 0.3
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))
