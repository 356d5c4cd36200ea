import type { Effort } from '../base/types.ts'
import { countProbe } from '../base/counters.ts'

/** Median score at each quality setting of one encoder: where a search starts, and the shape of its next guesses. */
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
  /** This picture's slope by another search, see `Searched.slope`; by default 1 at the start. */
  slope?: number | undefined
  /** How much a first result tells of this picture's slope, see `slopeOf`; by default 0.75. */
  slopePower?: SlopePower | undefined
  /** Encodes after which a result up to 1.5 points above the target ends the search; by default none. */
  patience?: number | undefined
  /**
   * When a result lies just above the target, the setting below it is only tried where its score is expected to be this many
   * points above the target; by default 0.
   */
  certainty?: number | undefined
  /** Given where the search is only made to tell another one where to start. */
  forecast?: Forecast | undefined
  /** Whether nothing between a result that passed and one that failed is worth another encode; by default never. */
  isSettled?: ((passing: Uint8Array, failing: Uint8Array) => boolean) | undefined
  /** Bytes above which a result is of no use: the search ends as soon as the target cannot be reached with fewer. */
  mostBytes?: number | undefined
  encode(quality: number): Promise<Uint8Array>
  /** The score of what `encode` gave at this setting. */
  score(encoded: Uint8Array, quality: number): Promise<number>
}

/** When a search ends that is only made for its `expected` setting. */
export interface Forecast {
  /** Encodes after which it ends, if the last came near the target. */
  most: number
  /** A next setting that is at most this far from the last one is not tried. */
  near: number
  /** Points above the target that the expected setting is to have. */
  aim: number
}

export interface Found {
  data: Uint8Array
  quality: number
  score: number
}

/** The result of a search, and what it learnt for the next. */
export interface Searched extends Found {
  /** The setting at which the target should be met, by all that was measured. */
  expected: number
  /** How fast this picture's score rises with the setting, as a multiple of the curve's slope. */
  slope: number
  /** The search was given up, as results that reach the target are larger than `mostBytes`. */
  tooLarge: boolean
  /** Bytes that the target takes, estimated from the last result. */
  estimate: number
}

/** Encodes after which a search takes what keeps the promise, by effort: quick ones, and those of the final settings. */
export const PATIENCE: Readonly<Record<'probe' | 'final', Readonly<Record<Effort, number>>>> = {
  probe: { fast: 2, default: 3, max: 4 },
  final: { fast: 1, default: 2, max: 9 },
}

/**
 * Points above the target at which a search ends: by default about one quality step of most encoders; with less effort it
 * ends earlier, with more it looks for the lowest setting that passes.
 */
export const WINDOWS: Readonly<Record<Effort, number>> = { fast: 2, default: 0.7, max: 0.25 }

const MAX_PROBES = 9

/** Those of which roots alone are taken, whose bits are the same on every machine. */
export type SlopePower = 0.5 | 0.75

/** Bounds of a slope from another search: that of two neighbouring settings may be far off. */
const SLOPE_BOUNDS = [0.8, 1.5] as const

/** Points from the target beyond which a result says too little about the setting that reaches it. */
const FAR = 6

/** How far above the target a result may lie and end the search once `patience` encodes were made. */
const LOOSE_WINDOW = 1.5

/**
 * The lowest quality setting whose result reaches the target. The first guess is where the curve meets the target; the
 * next ones are where the curve meets it once it is shifted and scaled to pass through the measured points. The search
 * ends when a result lies inside the window, when the setting below one just above the window is expected to fail, or
 * when no setting is left between a failing and a passing one: after about three encodes. When even `max` does not reach
 * the target, the result at `max` is returned with its score.
 */
export async function searchQuality(options: SearchOptions): Promise<Searched> {
  const { target, window, min, max, curve, patience = MAX_PROBES, mostBytes = Infinity } = options
  const aim = target + window * 0.4
  let best: Found | undefined
  let failing: Found | undefined
  let passing: Found | undefined
  let last: Found | undefined
  let slope = clamp(options.slope ?? 1, ...SLOPE_BOUNDS)
  let sameSide = 0
  let tooLarge = false
  let isNear = false
  let quality = clamp(options.start ?? settingAt(curve, aim, min, max), min, max)
  for (let probe = 0; probe < MAX_PROBES; probe++) {
    countProbe()
    const data = await options.encode(quality)
    const score = await options.score(data, quality)
    const point = { data, quality, score }
    if (isBetter(point, best, target)) best = point
    if (score >= target) passing = point
    else if (failing === undefined || quality > failing.quality) failing = point
    if (last !== undefined) slope = slopeBetween(curve, last, point)
    else if (options.slope === undefined) slope = slopeOf(curve, point, options.slopePower)
    const previous = last
    last = point
    tooLarge = leastBytes(data, score, target) > mostBytes
    if (tooLarge || (score >= target && score < target + window)) break
    isNear ||= score >= target && score < target + LOOSE_WINDOW
    if (isNear && probe + 1 >= patience) break
    if (patience < MAX_PROBES && isLast(options, passing, slope)) break
    if (passing && failing && options.isSettled?.(passing.data, failing.data) === true) break
    const isFar = Math.abs(score - target) > FAR
    if (options.forecast !== undefined && probe + 1 >= options.forecast.most && !isFar) break
    const low = failing?.quality ?? min - 1
    const high = passing?.quality ?? max + 1
    if (high - low <= 1) break
    sameSide = previous !== undefined && score >= target === previous.score >= target ? sameSide + 1 : 0
    // Where the scores have another shape than the curve, such guesses come no nearer: halving the interval does.
    const isStuck = sameSide > 1 && failing !== undefined && passing !== undefined
    const guess = isStuck ? Math.round((low + high) / 2) : next(options, aim, { last, slope, failing, passing })
    if (options.forecast !== undefined && Math.abs(guess - quality) <= options.forecast.near) break
    quality = clamp(guess, low + 1, high - 1)
  }
  const wanted = options.forecast === undefined ? aim : target + options.forecast.aim
  const expected = clamp(next(options, wanted, { last: last!, slope, failing, passing }), min, max)
  return { ...best!, expected, slope, tooLarge, estimate: bytesAt(target, last!) }
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

/** Points above the target up to which a result still tells how few bytes the target takes. */
const MOST_ABOVE = 3

/** Share of the bytes that a point of the score takes near 80, in the median of 80 pictures. */
const BYTES_PER_POINT = 0.05

/** The most points by which bytes are estimated: a result that scores far more at the lowest setting cannot get smaller. */
const MOST_ESTIMATED = 4

/** The bytes at the target, estimated from those at a score nearby. */
export function bytesAt(target: number, { data, score }: { data: Uint8Array; score: number }): number {
  const missing = clamp(target - score, -MOST_ESTIMATED, MOST_ESTIMATED)
  return data.length * Math.exp(missing * BYTES_PER_POINT)
}

/** The least bytes that a result at the target takes, by one with another score. */
function leastBytes({ length }: Uint8Array, score: number, target: number): number {
  const missing = target - score
  if (missing < -MOST_ABOVE) return 0
  return length * Math.exp(missing * (missing > 0 ? LEAST_PER_POINT : MOST_PER_POINT))
}

/**
 * The slope by a single result. From setting to setting, all pictures lose about the same share of what they lack of 100,
 * so the score of a picture that lacks more rises faster, though not quite by as much.
 * @param power of that ratio. Of photographs at up to three sizes, 61 pictures, the second result of WebP was within a point of the target in 82 % with 1,
 * 87 % with 0.75 and 80 % with 0.5; of JPEG in 79, 87 and 92 %, and of JPEG of more than a megapixel in 56, 67 and 78 %.
 */
export function slopeOf(
  curve: Curve,
  { quality, score }: Pick<Found, 'quality' | 'score'>,
  power: SlopePower = 0.75,
): number {
  const root = Math.sqrt(Math.max(0, 100 - score) / (100 - typicalScore(curve, quality)))
  return clamp(power === 0.5 ? root : root * Math.sqrt(root), 1 / 2, 2)
}

/** Whether the setting below one that is just above the target is expected to miss it. */
function isLast({ curve, target, certainty = 0 }: SearchOptions, passing: Found | undefined, slope: number): boolean {
  if (passing === undefined || passing.score >= target + LOOSE_WINDOW) return false
  const { quality, score } = passing
  return score - slope * (typicalScore(curve, quality) - typicalScore(curve, quality - 1)) < target + certainty
}

/** The slope between two results. */
function slopeBetween(curve: Curve, one: Found, other: Found): number {
  const expected = typicalScore(curve, other.quality) - typicalScore(curve, one.quality)
  return clamp((other.score - one.score) / expected, 1 / 3, 3)
}

/** All that a search has measured: its last result, this picture's slope, and the nearest results on either side. */
interface Measured {
  readonly last: Found
  readonly slope: number
  readonly failing: Found | undefined
  readonly passing: Found | undefined
}

/** The setting at which the curve meets `aim` once it passes through the measured points. */
function next({ curve, min, max }: SearchOptions, aim: number, measured: Measured): number {
  const { last, slope, failing, passing } = measured
  const { quality, score } = last
  if (failing === undefined || passing === undefined) {
    return settingAt(curve, typicalScore(curve, quality) + (aim - score) / slope, min, max)
  }
  const below = failing.score - typicalScore(curve, failing.quality)
  const above = passing.score - typicalScore(curve, passing.quality)
  for (let guess = failing.quality + 1; guess < passing.quality; guess++) {
    const share = (guess - failing.quality) / (passing.quality - failing.quality)
    if (typicalScore(curve, guess) + below * (1 - share) + above * share >= aim) return guess
  }
  return passing.quality
}

/** The lowest setting from `min` on where the curve reaches a score; `max` where none does. */
export function settingAt(curve: Curve, score: number, min: number, max: number): number {
  for (let quality = min; quality < max; quality++) if (typicalScore(curve, quality) >= score) return quality
  return max
}

/** The curve's score at a setting: linear between its points, and with a flat slope beyond its ends. */
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
