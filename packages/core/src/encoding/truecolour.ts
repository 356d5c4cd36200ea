import type { Refusal } from '../quality/guards/index.ts'
import { isJudgedTwice } from '../quality/guards/twice.ts'
import type { Effort } from '../base/types.ts'
import { draftBytes } from './deflate.ts'
import type { Packing } from './deflate.ts'
import { createNearLossless } from './near-lossless.ts'
import type { NearLossless, Samples } from './near-lossless.ts'
import type { Picture } from './picture.ts'
import type { EncodeRequest } from './request.ts'
import { WINDOWS } from './search.ts'
import { sampleRows } from './sample-rows.ts'
import { TrialScores } from './trial-scores.ts'
import { averageRows, canBeTold, encodeRows } from './truecolour-png.ts'
import { countProbe, timePhase } from '../base/counters.ts'

/** A picture whose colours are nearly its own, in PNG's filter Average. */
export interface TruecolourVersion {
  /** A PNG of little effort. It is made when it is first asked for. */
  draft(): Uint8Array
  /** Its bytes, about, to compare with; found out in a quarter of the time. */
  draftBytes(): number
  /** The same compressed as is asked for. */
  encode(packing: Packing): Uint8Array
  readonly score: number
}

export interface TruecolourRequest extends Pick<EncodeRequest, 'picture' | 'scorer' | 'target' | 'effort' | 'refuse'> {
  /** Bytes above which a result is of no use, when it is compressed well: nothing is searched for where a draft takes far more. */
  readonly mostBytes: number
}

/** The most scores of one picture. */
export const MOST_TRIALS: Readonly<Record<Effort, number>> = { fast: 3, default: 4, max: 7 }

/** The same of a picture that is judged at twice its size as well, unless little effort is to be made: it takes little time. */
export const MOST_TRIALS_OF_SMALL = 7

/**
 * 100 less the score is about 20 at this step, the median of 18 photographs, and grows with the step to this power. Bounds of
 * steps: below the least, differences have too many values to be smaller than all of them.
 */
const USUAL_STEP = 14.2
const POWER = 1.3
const STEPS = { least: 4, most: 64 } as const

/** Points above the promise that a step is aimed at, and how many more for each that missed it. */
const MARGIN = 0.25
const MORE_MARGIN = 0.15

/** Points in which what a guard measures doubles; about as does the step. */
const GUARD_HALVING = 20

/**
 * Share of a draft's bytes that are left when it is compressed well: in seven photographs 0.76 to 0.93, here the mean; and the least that
 * may be, with a step that is only near the one that is found.
 */
export const COMPRESSED_SHARE = 0.82
const LEAST_SHARE = 0.7

/** Bytes per pixel that no result takes: where so many are of use, a first look at them is not. */
const MOST_PER_PIXEL = 1.5

/**
 * Bytes that a result of this promise takes, about, when it is compressed well; without a score, and of an eighth of the
 * rows where there are enough. Infinite where that is more than 50 megapixels.
 */
export function estimateTruecolour({ picture, target }: Pick<EncodeRequest, 'picture' | 'target'>): number {
  const sample = sampleRows(picture) ?? picture
  const samples = samplesOf(sample)
  const engine = timePhase('quantise', () => createNearLossless(samples))
  if (engine === undefined) return Infinity
  try {
    const rows = timePhase('quantise', () => averageRows({ ...samples, data: engine.write(stepFor(target)) }))
    // A whole draft: what is decided by it costs a palette's search, and of an eighth of the rows it takes little time.
    return (encodeRows(rows, samples, 'draft').length * COMPRESSED_SHARE * picture.height) / sample.height
  } finally {
    engine.dispose()
  }
}

/**
 * The largest step that keeps the promise. `undefined` where none does, where bytes are far too many, and of more than 50
 * megapixels.
 */
export function searchTruecolour(request: TruecolourRequest): TruecolourVersion | undefined {
  const { picture, mostBytes } = request
  const samples = samplesOf(picture)
  const engine = timePhase('quantise', () => createNearLossless(samples))
  if (engine === undefined) return undefined
  try {
    const start = stepFor(request.target)
    if (mostBytes < MOST_PER_PIXEL * picture.width * picture.height) {
      const first = averageRows({ ...samples, data: engine.write(start) })
      if (draftBytes(first) * LEAST_SHARE > mostBytes) return undefined
    }
    const { passing: found, refused } = findStep(request, engine, start)
    if (found === undefined) {
      if (refused !== undefined) {
        const rows = averageRows({ ...samples, data: engine.write(refused.step) })
        const bytes = Math.round(draftBytes(rows) * COMPRESSED_SHARE)
        request.refuse?.({ type: 'image/png', bytes, refusal: refused.refusal })
      }
      return undefined
    }
    const rows = averageRows({ ...samples, data: engine.write(found.step) })
    // Rows that could not be told to be near-lossless would lose a little each time.
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

/** Red alone of a grey picture. */
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

/** Samples as the picture's pixels. */
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

/** What trials have found. */
interface Steps {
  /** The largest step that passes. */
  readonly passing: Trial | undefined
  /** The step that has the score, that a guard refuses, and that lacks least. */
  readonly refused: { readonly step: number; readonly refusal: Refusal } | undefined
}

/** One step, and how it did. */
interface Trial {
  readonly step: number
  /** The score of its pixels, by a sample of their rows unless it is `isWhole`. */
  readonly score: number
  readonly isWhole: boolean
  /** The highest promise that it keeps: its score, or less by the guards. */
  readonly rated: number
}

/** What the search finds, scored as a whole; once more with whole scores alone where samples have misled it. */
function findStep(request: TruecolourRequest, engine: NearLossless, start: number): Steps {
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

function searchStep(request: TruecolourRequest, engine: NearLossless, start: number, scores: TrialScores): Steps {
  const { picture, scorer, target, effort } = request
  const small = isJudgedTwice(picture)
  // Differences are a grain, which looks as a block codec's noise does in a photograph, but as dots along a drawing's thin lines.
  const kind = picture.graphic ? 'palette' : 'photograph'
  let left = small && effort !== 'fast' ? MOST_TRIALS_OF_SMALL : MOST_TRIALS[effort]
  let mayMiss = true
  let passing: Trial | undefined
  let failing: Trial | undefined
  let refused: Steps['refused']
  let step = start
  let aim = target + MARGIN
  while (left-- > 0) {
    const pixels = pixelsAt(step, engine, request)
    countProbe()
    let { score, isWhole } = scores.about(pixels)
    const mayEnd = left === 0 || step === STEPS.most || score < target + WINDOWS[effort]
    if (!isWhole && score >= target && mayEnd) {
      score = scores.whole(pixels)
      isWhole = true
      // A sample that was wrong takes no trial from the search.
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
  }
  return { passing, refused }
}

/** Where the score should be the aim; or nearer, where a guard that does not allow as much is what counts. */
function nextStep({ step, score, rated }: Trial, aim: number, small: boolean): number {
  // Of a small picture what it keeps is mostly a score, too: that at twice its size.
  const byScore = ((100 - aim) / Math.max(1, 100 - (small ? rated : score))) ** (1 / POWER)
  return step * (rated < aim ? Math.min(byScore, 2 ** ((Math.max(rated, 0) - aim) / GUARD_HALVING)) : byScore)
}

/** Between two trials, where the aim is expected. */
function between(passing: Trial, failing: Trial, aim: number, guess: number): number {
  const [low, high] = [passing.step, failing.step]
  const share = (passing.rated - aim) / (passing.rated - failing.rated)
  const expected = failing.rated < failing.score ? guess : low + (high - low) * share
  return Math.min(high - (high - low) / 10, Math.max(low + (high - low) / 10, expected))
}
