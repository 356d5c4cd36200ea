import type { Effort } from '../types.ts'
import { createNearLossless } from './near-lossless.ts'
import type { NearLossless, Samples } from './near-lossless.ts'
import type { Picture } from './picture.ts'
import type { EncodeRequest } from './request.ts'
import { WINDOWS } from './search.ts'
import { averageRows, encodeRows, hasSteps } from './truecolour-png.ts'

/** A picture whose colours are nearly its own, as a PNG of filter Average and little effort for encoders to go on with. */
export interface TruecolourVersion {
  readonly png: Uint8Array
  readonly score: number
}

export interface TruecolourRequest extends Pick<EncodeRequest, 'picture' | 'scorer' | 'target' | 'effort'> {
  /** Bytes above which a result is of no use, when it is compressed well. */
  readonly mostBytes: number
}

/** The most scores of one picture. */
export const MOST_TRIALS: Readonly<Record<Effort, number>> = { fast: 2, default: 4, max: 7 }

/**
 * 100 less the score is about 20 at this step, the median of 18 photographs, and grows with the step to this power. Bounds of
 * steps: below the least, differences have too many values to be smaller than all of them.
 */
const USUAL_STEP = 14.2
const POWER = 1.3
const STEPS = { least: 3, most: 64 } as const

/** Points above the promise that a step is aimed at, and how many more for each that missed it. */
const MARGIN = 0.25
const MORE_MARGIN = 0.15

/** Points in which what a guard measures doubles; about as does the step. */
const GUARD_HALVING = 20

/** deflate's levels: what is handed on, for `fast` to leave it so, and what tells that bytes are far too many. */
const LEVELS: Readonly<Record<Effort, number>> = { fast: 7, default: 6, max: 6 }
const QUICK_LEVEL = 1

/**
 * Share of the bytes at these levels that are left when they are compressed well: at 6, 0.77 to 0.94 in 18 photographs, here the
 * mean; at 1 no less than 0.5.
 */
export const COMPRESSED_SHARE = 0.87
const LEAST_OF_QUICK = 0.5

/** The largest step that keeps the promise. `undefined` where none does, where bytes are too many, and of more than 50 megapixels. */
export async function searchTruecolour(request: TruecolourRequest): Promise<TruecolourVersion | undefined> {
  const { picture, mostBytes } = request
  const samples = samplesOf(picture)
  const engine = createNearLossless(samples)
  if (engine === undefined) return undefined
  try {
    const start = stepFor(request.target)
    if (mostBytes < Infinity) {
      const first = averageRows({ ...samples, data: engine.write(start) })
      if ((await encodeRows(first, samples, QUICK_LEVEL)).length * LEAST_OF_QUICK > mostBytes) return undefined
    }
    const found = findStep(request, samples, engine, start)
    if (found === undefined) return undefined
    const rows = averageRows({ ...samples, data: engine.write(found.step) })
    // What could not be told to be near-lossless would lose a little each time.
    if (!hasSteps(rows, samples.width, samples.channels)) return undefined
    const png = await encodeRows(rows, samples, LEVELS[request.effort])
    return png.length * COMPRESSED_SHARE > mostBytes ? undefined : { png, score: found.score }
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

/** One step, and how it did. */
interface Trial {
  readonly step: number
  readonly score: number
}

function findStep(
  { picture, scorer, target, effort }: TruecolourRequest,
  samples: Samples,
  engine: NearLossless,
  start: number,
): Trial | undefined {
  let passing: Trial | undefined
  let failing: Trial | undefined
  let step = start
  let aim = target + MARGIN
  for (let trials = 0; trials < MOST_TRIALS[effort]; trials++) {
    const pixels = pixelsOf(engine.write(step), picture)
    const score = scorer.scorePixels(pixels)
    // Its differences are a grain, which looks as a block codec's noise does, not the bands and dots of a palette.
    const kept = score < target ? score : scorer.promiseKept(pixels, 'block', score)
    if (kept >= target) {
      passing = { step, score }
      if (score < target + WINDOWS[effort]) break
    } else {
      failing = { step, score }
      aim += MORE_MARGIN
    }
    if (step === (kept >= target ? STEPS.most : STEPS.least)) break
    if (score >= target && kept < target) step *= 2 ** ((Math.max(kept, 0) - aim) / GUARD_HALVING)
    else step *= ((100 - aim) / Math.max(1, 100 - score)) ** (1 / POWER)
    step = bounded(step)
    if (passing !== undefined && failing !== undefined) step = between(passing, failing, aim, step)
  }
  return passing
}

/** Where two trials lead to expect the aim; or a guess, if it lies between them and they do not tell. */
function between(passing: Trial, failing: Trial, aim: number, guess: number): number {
  const [low, high] = [passing.step, failing.step]
  const share = (passing.score - aim) / (passing.score - failing.score)
  const expected = failing.score < aim ? low + (high - low) * share : guess
  return Math.min(high - (high - low) / 10, Math.max(low + (high - low) / 10, expected))
}
