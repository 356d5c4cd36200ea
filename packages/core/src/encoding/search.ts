import type { Effort } from '../base/types.ts'
import { countProbe } from '../base/counters.ts'
import { bytesAt, bytesBetween, leastBytes, leastBytesByTwo } from './bytes-at-score.ts'

/**
 * Median score at each quality setting of one encoder. It gives the start of a search and the shape of its next
 * guesses.
 */
export type Curve = readonly (readonly [quality: number, score: number])[]

/** Options of `searchQuality`. */
export interface SearchOptions {
  /** The score to reach. */
  target: number
  /** Points above the target within which a result ends the search. */
  window: number
  /** Lowest and highest quality setting to try, as integers. */
  min: number
  max: number
  curve: Curve
  /** First setting to try. Default: the setting where the curve meets the target. */
  start?: number | undefined
  /** Slope of this picture from another search, see `Searched.slope`. Default: 1 at the start. */
  slope?: number | undefined
  /** How the first result decides this picture's slope, see `slopeOf`. */
  slopeRule?: SlopeRule | undefined
  /** Encodes after which a result up to 1.5 points above the target ends the search if it is of use. Default: none. */
  patience?: number | undefined
  /**
   * If a result lies just above the target, the setting below it is tried only if its expected score is this many
   * points above the target. Default: 0.
   */
  certainty?: number | undefined
  /** Set if the search only finds a start for another one. */
  forecast?: Forecast | undefined
  /**
   * Returns `true` if no result between a passing and a failing one is worth another encode. Default: always `false`.
   */
  isSettled?: ((passing: Uint8Array, failing: Uint8Array) => boolean) | undefined
  /**
   * A result above this many bytes is of no use: the search ends as soon as it cannot reach the target with fewer.
   * Default: no limit.
   */
  mostBytes?: number | undefined
  encode(quality: number): Promise<Uint8Array>
  /** Scores a result of `encode` at this setting. */
  score(encoded: Uint8Array, quality: number): Promise<number>
}

/** Conditions that end a search whose only purpose is its `expected` setting. */
export interface Forecast {
  /** Number of encodes after which it ends if the last one is near the target. */
  most: number
  /** A next setting within this distance from the last one is not tried. */
  near: number
  /** Points above the target that the expected setting aims at. */
  aim: number
}

/** A result at one quality setting. */
export interface Found {
  data: Uint8Array
  quality: number
  score: number
}

/** The result of a search, with facts for the next search. */
export interface Searched extends Found {
  /** Setting at which the target is expected, from all results. */
  expected: number
  /** Slope of this picture's score over the setting, as a multiple of the curve's slope. */
  slope: number
  /** `true` if the search was given up because results that reach the target are larger than `mostBytes`. */
  tooLarge: boolean
  /** Bytes at the target, estimated from the results next to it. */
  estimate: number
}

/**
 * Number of encodes after which a search accepts a result that keeps the promise, by effort: for quick probes, and with
 * final settings.
 */
export const PATIENCE: Readonly<Record<'probe' | 'final', Readonly<Record<Effort, number>>>> = {
  probe: { fast: 2, default: 3, max: 4 },
  final: { fast: 1, default: 2, max: 9 },
}

/**
 * Points above the target at which a search ends. The default is about one quality step of most encoders. With less
 * effort the search ends earlier; with more it continues to the lowest setting that passes.
 */
export const WINDOWS: Readonly<Record<Effort, number>> = { fast: 2, default: 0.7, max: 0.25 }

const MAX_PROBES = 9

/** How much of what a picture lacks to a score of 100 decides how steeply its score rises. */
export interface SlopeRule {
  /** A power that square roots can compute, whose bits are the same on every machine. Default: 0.75. */
  readonly power?: 0.5 | 0.75
  /** A factor for all pictures. Default: 1. */
  readonly factor?: number
}

/** Limits for a slope from another search, because the slope between two neighbouring settings may be far off. */
const SLOPE_BOUNDS = [0.8, 1.5] as const

/** A result at more points from the target says too little about the setting that reaches it. */
const FAR = 6

/** Points above the target within which a result ends the search after `patience` encodes. */
const LOOSE_WINDOW = 1.5

/**
 * Searches for the lowest quality setting whose result reaches the target. The first guess is the setting where the
 * curve meets the target. For the next ones, the curve is shifted and scaled to pass through the results. The search
 * ends if a result lies inside the window, if the setting below one just above the window is expected to fail, or if no
 * setting is left between a failing and a passing one. It takes about three encodes. If even `max` misses the target,
 * the result at `max` is returned with its score.
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
    else if (options.slope === undefined) slope = slopeOf(curve, point, options.slopeRule)
    const previous = last
    last = point
    tooLarge = Math.max(leastBytes(point, target), leastBytesByTwo(previous, point, target)) > mostBytes
    if (tooLarge || (score >= target && score < target + window)) break
    isNear ||= score >= target && score < target + LOOSE_WINDOW
    if (isNear && probe + 1 >= patience && best!.data.length <= mostBytes) break
    if (patience < MAX_PROBES && isLast(options, { passing, failing, slope })) break
    if (passing && failing && options.isSettled?.(passing.data, failing.data) === true) break
    const isFar = Math.abs(score - target) > FAR
    if (options.forecast !== undefined && probe + 1 >= options.forecast.most && !isFar) break
    const low = failing?.quality ?? min - 1
    const high = passing?.quality ?? max + 1
    if (high - low <= 1) break
    sameSide = previous !== undefined && score >= target === previous.score >= target ? sameSide + 1 : 0
    // If the scores do not follow the curve, its guesses make no progress, but halving the interval does.
    const isStuck = sameSide > 1 && failing !== undefined && passing !== undefined
    const guess = isStuck ? Math.round((low + high) / 2) : next(options, aim, { last, slope, failing, passing })
    if (options.forecast !== undefined && Math.abs(guess - quality) <= options.forecast.near) break
    quality = clamp(guess, low + 1, high - 1)
  }
  // A forecast's results are not the last word on bytes.
  if (options.forecast === undefined) tooLarge ||= best!.score >= target && best!.data.length > mostBytes
  const wanted = options.forecast === undefined ? aim : target + options.forecast.aim
  const expected = clamp(next(options, wanted, { last: last!, slope, failing, passing }), min, max)
  const estimate = failing && passing ? bytesBetween(target, failing, passing) : bytesAt(target, last!)
  return { ...best!, expected, slope, tooLarge, estimate }
}

/**
 * Returns `true` if a result is better than the best so far: the smallest that reaches the target or, until one does,
 * the one at the highest setting.
 */
function isBetter({ data, quality, score }: Found, best: Found | undefined, target: number): boolean {
  if (best === undefined) return true
  if (score < target) return best.score < target && quality > best.quality
  return best.score < target || data.length <= best.data.length
}

/**
 * Estimates the slope from a single result. From setting to setting, all pictures lose about the same share of the
 * points that they lack to 100, so the score of a picture that lacks more rises faster, though not quite in proportion.
 * @param power of that ratio. It was measured on 61 pictures, photographs at up to three sizes. The second result of
 * WebP was within a point of the target for 82% with 1, 87% with 0.75 and 80% with 0.5; of JPEG for 79, 87 and 92%, and
 * of JPEG of more than a megapixel for 56, 67 and 78%.
 * @param factor of the whole. Steps of WebP towards a score of 80 were too short in 451 copies of pictures.
 */
export function slopeOf(
  curve: Curve,
  { quality, score }: Pick<Found, 'quality' | 'score'>,
  { power = 0.75, factor = 1 }: SlopeRule = {},
): number {
  const root = Math.sqrt(Math.max(0, 100 - score) / (100 - typicalScore(curve, quality)))
  const raised = power === 0.5 ? root : root * Math.sqrt(root)
  return clamp(factor * raised, 1 / 2, 2)
}

/**
 * Returns `true` if no lower setting is expected to reach the target: not the one below a result just above it, and not
 * the only one that is left between two results.
 */
function isLast({ curve, target, certainty = 0 }: SearchOptions, { passing, failing, slope }: Sides): boolean {
  if (passing === undefined) return false
  if (passing.quality - (failing?.quality ?? -Infinity) === 2) {
    return (passing.score + failing!.score) / 2 < target
  }
  if (passing.score >= target + LOOSE_WINDOW) return false
  const { quality, score } = passing
  return score - slope * (typicalScore(curve, quality) - typicalScore(curve, quality - 1)) < target + certainty
}

/** Returns the slope between two results. */
function slopeBetween(curve: Curve, one: Found, other: Found): number {
  const expected = typicalScore(curve, other.quality) - typicalScore(curve, one.quality)
  return clamp((other.score - one.score) / expected, 1 / 3, 3)
}

/** This picture's slope, and the nearest results on either side of the target. */
interface Sides {
  readonly slope: number
  readonly failing: Found | undefined
  readonly passing: Found | undefined
}

/** All that a search has measured, with its last result. */
interface Measured extends Sides {
  readonly last: Found
}

/** Returns the setting at which the curve meets `aim` after it is shifted and scaled to pass through the results. */
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

/** Returns the lowest setting from `min` on where the curve reaches a score; `max` if it does not. */
export function settingAt(curve: Curve, score: number, min: number, max: number): number {
  for (let quality = min; quality < max; quality++) if (typicalScore(curve, quality) >= score) return quality
  return max
}

/** Returns the curve's score at a setting: linear between its points, and with a flat slope beyond its ends. */
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
