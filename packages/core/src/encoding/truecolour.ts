import type { Refusal } from '../quality/guards/index.ts'
import { isJudgedTwice } from '../quality/guards/twice.ts'
import type { Effort } from '../base/types.ts'
import { draftBytes } from './deflate.ts'
import type { Packing } from './deflate.ts'
import { createNearLossless } from './near-lossless.ts'
import type { NearLossless, Samples } from './near-lossless.ts'
import type { Picture } from './picture.ts'
import type { EncodeRequest } from './request.ts'
import { kindOfNearLossless } from './result-kind.ts'
import { WINDOWS } from './search.ts'
import { sampleRows } from './sample-rows.ts'
import { TrialScores } from './trial-scores.ts'
import { averageRows, canBeTold, encodeRows } from './truecolour-png.ts'
import { countProbe, timePhase } from '../base/counters.ts'

/** A picture with nearly its own colours, with PNG's row filter Average. */
export interface TruecolourVersion {
  /** Returns a quick PNG, which is made on the first call. */
  draft(): Uint8Array
  /** Estimates its bytes for comparisons, in a quarter of the time. */
  draftBytes(): number
  /** Encodes the same picture with a level of compression. */
  encode(packing: Packing): Uint8Array
  readonly score: number
}

/** The parts of an encoder's request that the search for a step reads. */
export interface TruecolourRequest extends Pick<EncodeRequest, 'picture' | 'scorer' | 'target' | 'effort' | 'refuse'> {
  /** A result above this many well-compressed bytes is of no use. Nothing is searched for if a draft takes far more. */
  readonly mostBytes: number
}

/** A search that ends where no result could be of use. */
interface StepRequest extends TruecolourRequest {
  /** Tells whether the result with a step surely takes more than `mostBytes`. */
  readonly takesMore: (step: number) => boolean
}

/** Maximum number of scores for one picture. */
export const MOST_TRIALS: Readonly<Record<Effort, number>> = { fast: 3, default: 4, max: 7 }

/**
 * Maximum number of scores for a picture that is also judged at twice its size, unless the effort is `fast`. They take
 * little time.
 */
export const MOST_TRIALS_OF_SMALL = 7

/**
 * 100 minus the score is about 20 at the usual step, the median of 18 photographs, and grows with this power of the
 * step. Below the smallest step, differences have too many values to be smaller than the lossless ones.
 */
const USUAL_STEP = 14.2
const POWER = 1.3
const STEPS = { least: 4, most: 64 } as const

/** Points above the promise that the search aims at, and the points that each failed trial adds. */
const MARGIN = 0.25
const MORE_MARGIN = 0.15

/** A guard's measure doubles over so many points, and it grows about in proportion to the step. */
const GUARD_HALVING = 20

/**
 * Share of a draft's bytes that thorough compression leaves: the mean of seven photographs, which had 0.76 to 0.93.
 * `LEAST_SHARE` allows for a start step that is only close to the final one.
 */
export const COMPRESSED_SHARE = 0.82
const LEAST_SHARE = 0.7

/**
 * A step that is at most so much larger than one that passes is not worth another score of a small picture. Its scores
 * jump from step to step, and for 40 cuts of photographs 3% of the step were 1.6% of the bytes.
 */
const NEARLY_AS_LARGE = 1.02

/** The bytes are estimated again where the step has become so much smaller, and the estimate with it. */
const CLEARLY_SMALLER_STEP = 0.85

/** No result takes as many bytes per pixel, so a limit above it makes a first estimate pointless. */
const MOST_PER_PIXEL = 1.5

/**
 * Estimates the bytes of a well-compressed result for this promise, without a score, from an eighth of the rows if
 * there are enough. Returns `Infinity` for more than 50 megapixels.
 */
export function estimateTruecolour({ picture, target }: Pick<EncodeRequest, 'picture' | 'target'>): number {
  const sample = sampleRows(picture) ?? picture
  const samples = samplesOf(sample)
  const engine = timePhase('quantise', () => createNearLossless(samples))
  if (engine === undefined) return Infinity
  try {
    const rows = timePhase('quantise', () => averageRows({ ...samples, data: engine.write(stepFor(target)) }))
    // A whole draft is made: it decides about the search for a palette, and for an eighth of the rows it takes little
    // time.
    return (encodeRows(rows, samples, 'draft').length * COMPRESSED_SHARE * picture.height) / sample.height
  } finally {
    engine.dispose()
  }
}

/**
 * Searches for the largest step that keeps the promise. Returns `undefined` if there is none, if it would take far too
 * many bytes, or if the picture has more than 50 megapixels.
 */
export function searchTruecolour(request: TruecolourRequest): TruecolourVersion | undefined {
  const { picture, mostBytes } = request
  const samples = samplesOf(picture)
  const engine = timePhase('quantise', () => createNearLossless(samples))
  if (engine === undefined) return undefined
  try {
    const start = stepFor(request.target)
    const isBound = mostBytes < MOST_PER_PIXEL * picture.width * picture.height
    const takesMore = (step: number): boolean =>
      isBound && draftBytes(averageRows({ ...samples, data: engine.write(step) })) * LEAST_SHARE > mostBytes
    if (takesMore(start)) return undefined
    const { passing: found, refused } = findStep({ ...request, takesMore }, engine, start)
    if (found === undefined) {
      if (refused !== undefined) {
        const rows = averageRows({ ...samples, data: engine.write(refused.step) })
        const bytes = Math.round(draftBytes(rows) * COMPRESSED_SHARE)
        request.refuse?.({ type: 'image/png', bytes, refusal: refused.refusal })
      }
      return undefined
    }
    const rows = averageRows({ ...samples, data: engine.write(found.step) })
    // Rows that later runs cannot recognize as near-lossless would lose a little more in each of them.
    if (!canBeTold(rows, samples)) return undefined
    const encode = (packing: Packing): Uint8Array => encodeRows(rows, samples, packing)
    let draft: Uint8Array | undefined
    let bytes: number | undefined
    return {
      draft: () => (draft ??= encode('draft')),
      draftBytes: () => (bytes ??= draftBytes(rows)),
      encode,
      score: found.score,
    }
  } finally {
    engine.dispose()
  }
}

/** Returns the samples to encode: red alone for a grey picture. */
function samplesOf({ data, width, height, channels, grey }: Picture): Samples {
  if (!grey) return { data, width, height, channels }
  const fewer = channels === 4 ? 2 : 1
  const samples = new Uint8Array(width * height * fewer)
  for (let from = 0, to = 0; from < data.length; from += channels, to += fewer) {
    samples[to] = data[from]!
    if (fewer === 2) samples[to + 1] = data[from + 3]!
  }
  return { data: samples, width, height, channels: fewer }
}

/** Converts samples back to the picture's channels. */
function pixelsOf(samples: Uint8Array, { data, channels, grey }: Picture): Uint8Array {
  if (!grey) return samples
  const pixels = new Uint8Array(data.length)
  const fewer = channels === 4 ? 2 : 1
  for (let from = 0, to = 0; to < pixels.length; from += fewer, to += channels) {
    pixels[to] = pixels[to + 1] = pixels[to + 2] = samples[from]!
    if (fewer === 2) pixels[to + 3] = samples[from + 1]!
  }
  return pixels
}

const stepFor = (target: number): number => bounded(USUAL_STEP * ((100 - target - MARGIN) / 20) ** (1 / POWER))

const bounded = (step: number): number => Math.min(STEPS.most, Math.max(STEPS.least, step))

/** Result of the trials. */
interface Steps {
  /** The largest step that passes. */
  readonly passing: Trial | undefined
  /** The step that reaches the score and whose excess over a guard's limit is smallest. */
  readonly refused: { readonly step: number; readonly refusal: Refusal } | undefined
}

/** One step, with its scores. */
interface Trial {
  readonly step: number
  /** Score of its pixels, estimated from a sample of the rows unless `isWhole`. */
  readonly score: number
  readonly isWhole: boolean
  /** The highest promise that it keeps: its score, or less if a guard limits it. */
  readonly rated: number
}

/**
 * Searches for a step and scores the result by all rows. If the sample has misled the search, it runs again without
 * samples.
 */
function findStep(request: StepRequest, engine: NearLossless, start: number): Steps {
  const scores = new TrialScores(request.scorer)
  const found = searchStep(request, engine, start, scores)
  const { passing } = found
  if (passing === undefined || passing.isWhole) return found
  const score = scores.whole(pixelsAt(passing.step, engine, request))
  if (score >= request.target) return { ...found, passing: { ...passing, score, isWhole: true } }
  scores.sampleNoMore()
  return searchStep(request, engine, passing.step, scores)
}

const pixelsAt = (step: number, engine: NearLossless, { picture }: TruecolourRequest): Uint8Array =>
  timePhase('quantise', () => pixelsOf(engine.write(step), picture))

function searchStep(request: StepRequest, engine: NearLossless, start: number, scores: TrialScores): Steps {
  const { picture, scorer, target, effort, takesMore } = request
  const small = isJudgedTwice(picture)
  // Rounded differences look like grain. In a photograph it resembles the noise of a block codec, but along the thin
  // lines of a drawing it shows as dots.
  const kind = kindOfNearLossless(picture)
  let left = small && effort !== 'fast' ? MOST_TRIALS_OF_SMALL : MOST_TRIALS[effort]
  let mayMiss = true
  let passing: Trial | undefined
  let failing: Trial | undefined
  let refused: Steps['refused']
  let step = start
  let estimated = start
  let aim = target + MARGIN
  while (left-- > 0) {
    const pixels = pixelsAt(step, engine, request)
    countProbe()
    let { score, isWhole } = scores.about(pixels)
    const mayEnd = left === 0 || step === STEPS.most || score < target + WINDOWS[effort]
    if (!isWhole && score >= target && mayEnd) {
      score = scores.whole(pixels)
      isWhole = true
      // A wrong estimate does not use up a trial.
      if (score < target && mayMiss) left++
      mayMiss = false
    }
    const isJudged = score >= target || small
    const { kept: rated, refusal } = isJudged ? scorer.judgePixels(pixels, kind, score, target) : { kept: score }
    const trial = { step, score, rated, isWhole }
    if (score >= target && refusal !== undefined && refusal.share < (refused?.refusal.share ?? Infinity)) {
      refused = { step, refusal }
    }
    if (rated < target) {
      failing = trial
      aim += MORE_MARGIN
    } else {
      passing = trial
      if ((small ? rated : score) < target + WINDOWS[effort] || step === STEPS.most) break
    }
    if (rated < target && step === STEPS.least) break
    step = bounded(nextStep(trial, aim, small))
    if (passing !== undefined && failing !== undefined) step = between(passing, failing, aim, step)
    if (small && passing !== undefined && step > passing.step && step < passing.step * NEARLY_AS_LARGE) break
    if (passing !== undefined || step > estimated * CLEARLY_SMALLER_STEP) continue
    estimated = step
    if (takesMore(step)) break
  }
  return { passing, refused }
}

/** Returns the step at which the score should meet the aim, or a smaller one if a guard is stricter than the score. */
function nextStep({ step, score, rated }: Trial, aim: number, small: boolean): number {
  // For a small picture, the promise it keeps is mostly a score too: the score at twice its size.
  const byScore = ((100 - aim) / Math.max(1, 100 - (small ? rated : score))) ** (1 / POWER)
  return step * (rated < aim ? Math.min(byScore, 2 ** ((Math.max(rated, 0) - aim) / GUARD_HALVING)) : byScore)
}

/** Returns a step between two trials, where the aim is expected. */
function between(passing: Trial, failing: Trial, aim: number, guess: number): number {
  const [low, high] = [passing.step, failing.step]
  const share = (passing.rated - aim) / (passing.rated - failing.rated)
  const expected = failing.rated < failing.score ? guess : low + (high - low) * share
  return Math.min(high - (high - low) / 10, Math.max(low + (high - low) / 10, expected))
}
