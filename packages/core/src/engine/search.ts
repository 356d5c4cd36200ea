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
  /** How much faster than the curve this picture's score rises, by another search; by default as fast. */
  steepness?: number | undefined
  /** Encodes after which a result up to 1.5 points above the target ends the search; by default none. */
  patience?: number | undefined
  /** Points that the setting below one that is hardly too good must be expected to have over the target, to be tried; by default 0. */
  certainty?: number | undefined
  /** Given where only the beginning of another search is asked for. */
  forecast?: Forecast | undefined
  /** Whether nothing between a result that passed and one that failed is worth another encode; by default never. */
  isSettled?: ((passing: Uint8Array, failing: Uint8Array) => boolean) | undefined
  /** Bytes above which a result is of no use: the search ends as soon as the target is not to be had with fewer. */
  mostBytes?: number | undefined
  encode(quality: number): Promise<Uint8Array>
  /** The score of what `encode` gave at this setting. */
  score(encoded: Uint8Array, quality: number): Promise<number>
}

/** How a search ends that is made for its `expected` setting. */
export interface Forecast {
  /** Encodes after which it ends, if the last came near the target. */
  most: number
  /** Settings that a step must be away to be made. */
  near: number
  /** Points above the target that the expected setting is to have. */
  aim: number
}

export interface Found {
  data: Uint8Array
  quality: number
  score: number
}

/** What a search came to, and what it learnt for the next. */
export interface Searched extends Found {
  /** The setting at which the target should be met, by all that was measured. */
  expected: number
  /** How much faster than the curve the score rises. */
  steepness: number
  /** The search was given up, as results that reach the target are larger than `mostBytes`. */
  tooLarge: boolean
}

const MAX_PROBES = 9

/** How far another search's steepness is believed: two settings side by side may tell much more or less. */
const CREDIBLE = [0.8, 1.5] as const

/** Points from the target beyond which a result tells too little of where it will be met. */
const FAR = 6

/** How far above the target a result may lie once a search has lost its patience. */
const LOOSE_WINDOW = 1.5

/**
 * The lowest quality setting whose result reaches the target: model curve first, then the curve bent through the
 * measured points (a secant that knows the encoder's shape), until a result lies inside the window, the setting below one
 * just above it is expected to fail, or none is left between a failing and a passing one. About three probes. When even
 * `max` does not reach the target, the result at `max` is returned with its score.
 */
export async function searchQuality(options: SearchOptions): Promise<Searched> {
  const { target, window, min, max, curve, patience = MAX_PROBES, mostBytes = Infinity } = options
  const aim = target + window * 0.4
  let best: Found | undefined
  let failing: Found | undefined
  let passing: Found | undefined
  let last: Found | undefined
  let steepness = clamp(options.steepness ?? 1, ...CREDIBLE)
  let sameSide = 0
  let tooLarge = false
  let isNear = false
  let quality = clamp(options.start ?? invert(curve, aim, min, max), min, max)
  for (let probe = 0; probe < MAX_PROBES; probe++) {
    const data = await options.encode(quality)
    const score = await options.score(data, quality)
    const point = { data, quality, score }
    if (isBetter(point, best, target)) best = point
    if (score >= target) passing = point
    else if (failing === undefined || quality > failing.quality) failing = point
    if (last !== undefined) steepness = steepnessOf(curve, last, point)
    else if (options.steepness === undefined) steepness = presumedSteepness(curve, point)
    const previous = last
    last = point
    tooLarge = leastBytes(data, score, target) > mostBytes
    if (tooLarge || (score >= target && score < target + window)) break
    isNear ||= score >= target && score < target + LOOSE_WINDOW
    if (isNear && probe + 1 >= patience) break
    if (patience < MAX_PROBES && isLast(options, passing, steepness)) break
    if (passing && failing && options.isSettled?.(passing.data, failing.data) === true) break
    const isFar = Math.abs(score - target) > FAR
    if (options.forecast !== undefined && probe + 1 >= options.forecast.most && !isFar) break
    const low = failing?.quality ?? min - 1
    const high = passing?.quality ?? max + 1
    if (high - low <= 1) break
    sameSide = previous !== undefined && score >= target === previous.score >= target ? sameSide + 1 : 0
    // Where the scores bend in another way than the curve, the secant creeps.
    const creeps = sameSide > 1 && failing !== undefined && passing !== undefined
    const guess = creeps ? Math.round((low + high) / 2) : next(options, aim, last, steepness, failing, passing)
    if (options.forecast !== undefined && Math.abs(guess - quality) <= options.forecast.near) break
    quality = clamp(guess, low + 1, high - 1)
  }
  const wanted = options.forecast === undefined ? aim : target + options.forecast.aim
  const expected = clamp(next(options, wanted, last!, steepness, failing, passing), min, max)
  return { ...best!, expected, steepness, tooLarge }
}

/** The smallest that reaches the target; until one does, the one at the highest setting. */
function isBetter({ data, quality, score }: Found, best: Found | undefined, target: number): boolean {
  if (best === undefined) return true
  if (score < target) return best.score < target && quality > best.quality
  return best.score < target || data.length <= best.data.length
}

/** Share of the bytes that a point of the score costs at the least and at the most, near the target. */
const LEAST_PER_POINT = 0.02
const MOST_PER_POINT = 0.09

/** Points above the target from which a result still tells how few bytes the target takes. */
const TELLING = 3

/** Bytes that a result at the target takes in any case, by one with another score. */
function leastBytes({ length }: Uint8Array, score: number, target: number): number {
  const missing = target - score
  if (missing < -TELLING) return 0
  return length * Math.exp(missing * (missing > 0 ? LEAST_PER_POINT : MOST_PER_POINT))
}

/**
 * The same by one result: what misses to 100 shrinks by a like share from setting to setting, so a picture that scores
 * lower than most rises faster.
 */
function presumedSteepness(curve: Curve, { quality, score }: Found): number {
  return clamp((100 - score) / (100 - typicalScore(curve, quality)), 1 / 2, 2)
}

/** Whether the next setting below one that is hardly too good is expected to miss the target. */
function isLast(
  { curve, target, certainty = 0 }: SearchOptions,
  passing: Found | undefined,
  steepness: number,
): boolean {
  if (passing === undefined || passing.score >= target + LOOSE_WINDOW) return false
  const { quality, score } = passing
  return score - steepness * (typicalScore(curve, quality) - typicalScore(curve, quality - 1)) < target + certainty
}

/** How much faster than the curve this picture's score rises between two settings. */
function steepnessOf(curve: Curve, one: Found, other: Found): number {
  const expected = typicalScore(curve, other.quality) - typicalScore(curve, one.quality)
  return clamp((other.score - one.score) / expected, 1 / 3, 3)
}

function next(
  { curve, min, max }: SearchOptions,
  aim: number,
  { quality, score }: Found,
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
  return passing.quality
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
