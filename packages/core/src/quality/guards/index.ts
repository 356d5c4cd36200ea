import { PixpressError } from '../../errors.ts'
import { fastestBuild, type Build } from '../metric/instance.ts'
import type { Pixels } from '../metric/ssimulacra2.ts'
import { findFlatColours, largestFlatShift } from './flat.ts'
import { OPAQUE, type WorstWindow, worstWindows } from './instance.ts'
import { enlargeTwice, isSmall } from './twice.ts'

/** What a result does to a picture where it does most; the formulas are in docs/quality.md. Zeros where nothing changed. */
export interface GuardMeasures {
  /** Pixels of alpha 0 or 255 whose alpha is another. */
  alpha: number
  /** The largest shift, in OKLab, of a colour that has area. */
  flat: number
  /** The largest mean difference, in OKLab, of 8 × 8 pixels, less where they are busy: bands, tints, lost small colours. */
  means: number
  /** The largest mean difference of hue and saturation, in OKLab, of 8 × 8 pixels: the colour of text and thin lines. */
  colours: number
  /** The largest strength, in OKLab per pixel, of edges where there was none: steps and dither dots in smooth areas. */
  steps: number
  /** The largest root of the mean squared difference, in OKLab, of 8 × 8 pixels: antialiased edges that became jagged. */
  edges: number
  /** The left and the top, in pixels, of the window that a measure comes from, or the first pixel of what is wrong. */
  places: Record<GuardName, Place>
}

export interface Place {
  x: number
  y: number
}

/** The upper left corner of a picture. */
const START: Place = { x: 0, y: 0 }

/** Guards of windows. */
const WINDOW_NAMES = ['means', 'colours', 'steps', 'edges'] as const

const GUARD_NAMES = ['alpha', 'flat', 'means', 'colours', 'steps', 'edges'] as const

export type GuardName = (typeof GUARD_NAMES)[number]

/**
 * What made a result: palettes and near-lossless encoders change single pixels, the block codecs (JPEG, WebP, AVIF, JPEG XL)
 * whole blocks, which looks less bad at the same value; `photograph` is a block codec's result of one.
 */
export type ResultKind = 'palette' | 'block' | 'photograph'

/**
 * Values at the promise of 80 that a palette's result may have. Measured by looking at 170 pairs at 200 to 300 %: without
 * the repair of palettes, these find 37 of 43 results that look bad and none of 67 that look clean. Steps were at 0.0055
 * there; among the palettes seen since, those from 0.0042 on had bands to be seen in faces and logos. Edges: of 41 palettes
 * that pass the others, the 11 beyond 0.045 had jagged circles and letters, and those up to 0.040 had not.
 */
const THRESHOLDS = { flat: 0.008, means: 0.009, colours: 0.022, steps: 0.0042, edges: 0.045 } as const

/**
 * The same for block codecs: 1.25 times as much, but for steps 0.0055, as between that and 1.25 times as much drawings in
 * JPEG had outlines in blocks, and photographs are below 0.0052. Their edges are up to 0.054. Of 317 results of photographs in WebP,
 * AVIF and JPEG at promises of 60 to 90, one was beyond, and looked bad; of drawings and screenshots, those beyond had
 * fringes, smears or lost colours to be seen at 200 %, and those just below hardly any.
 */
const BLOCK_THRESHOLDS = { flat: 0.01, means: 0.01125, colours: 0.0275, steps: 0.0055, edges: 0.06 } as const

const OF_KINDS = {
  palette: THRESHOLDS,
  block: BLOCK_THRESHOLDS,
  // Of 12 results of photographs with steps of 0.0055 to 0.0069, eight are skies and walls that an earlier JPEG had made flat, and show no
  // more than their source at 400 %; one, a soft picture without any grain, has an edge that is slightly rough at 200 %.
  photograph: { ...BLOCK_THRESHOLDS, steps: 0.0069 },
} as const satisfies Record<ResultKind, Record<Exclude<GuardName, 'alpha'>, number>>

/** Points of the promise by which the thresholds become half, or twice, as large. */
const HALVING = 20
const PROMISE_OF_THRESHOLDS = 80

export interface GuardOptions {
  /** The build of the WebAssembly module; by default the one with SIMD where it can run. */
  build?: Build
}

/** Local damage to one picture, which one score of the whole picture forgives. */
export interface Guards {
  measure(distorted: Pixels): GuardMeasures
  /** Lets go of the picture. */
  dispose(): void
}

const BACKGROUNDS = [255, 0] as const

/**
 * Measures of results against one original, whose data must not change until `dispose()`. Where either picture is
 * transparent both are judged on white and on black, and the larger value counts. Pictures whose longest side is at most
 * 128 pixels are judged at twice their size.
 *
 * Synchronous, about the time of one score each. Memory: what flat areas take, and some rows.
 *
 * @throws PixpressError INTERNAL if data does not fit the dimensions or these differ, or after `dispose()`
 */
export function createGuards(original: Pixels, options: GuardOptions = {}): Guards {
  const { width, height } = original
  check(original, width, height)
  const build = options.build ?? fastestBuild()
  const transparent = isTransparent(original)
  const enlarges = isSmall(original)
  let kept: { seen: Pixels; flat: ReturnType<typeof findFlatColours> } | undefined = {
    seen: enlarges ? enlargeTwice(original) : original,
    flat: findFlatColours(original),
  }
  return {
    measure(distorted) {
      if (!kept) throw new PixpressError('INTERNAL', 'The guards of a picture were disposed')
      check(distorted, width, height)
      const isBlended = transparent || isTransparent(distorted)
      const seen = enlarges ? enlargeTwice(distorted) : distorted
      const alpha = isBlended ? wrongAlphas(original, distorted) : { count: 0, place: START }
      const flat = largestFlatShift(kept.flat, distorted, isBlended ? BACKGROUNDS : [255])
      const measures: GuardMeasures = {
        alpha: alpha.count,
        flat: flat.shift,
        means: 0,
        colours: 0,
        steps: 0,
        edges: 0,
        places: {
          alpha: alpha.place,
          flat: placeOf(flat.first, width),
          means: START,
          colours: START,
          steps: START,
          edges: START,
        },
      }
      for (const background of isBlended ? BACKGROUNDS : [OPAQUE]) {
        const windows = worstWindows(kept.seen, seen, background, build)
        for (const name of WINDOW_NAMES) {
          keepLarger(measures, name, windows[name], enlarges ? 2 : 1)
        }
      }
      return measures
    },
    dispose() {
      kept = undefined
    },
  }
}

/**
 * Per guard the measure as a share of what the promise, a score, allows: above 1 the result must not be used. Infinite
 * where a wrong alpha is, which no promise allows.
 */
export function shares(measures: GuardMeasures, promise: number, kind: ResultKind): Record<GuardName, number> {
  // Above the promise of 80 a block codec's score finds what is left: clean photographs at 90 were up to 0.0086 in means.
  const strictness = kind === 'palette' ? promise : Math.min(promise, PROMISE_OF_THRESHOLDS)
  const scale = 2 ** ((PROMISE_OF_THRESHOLDS - strictness) / HALVING)
  const thresholds = OF_KINDS[kind]
  return {
    alpha: measures.alpha > 0 ? Infinity : 0,
    flat: measures.flat / (thresholds.flat * scale),
    means: measures.means / (thresholds.means * scale),
    colours: measures.colours / (thresholds.colours * scale),
    steps: measures.steps / (thresholds.steps * scale),
    edges: measures.edges / (thresholds.edges * scale),
  }
}

/** The guards that a result does not pass at a promise, none where it may be used. */
export function violations(measures: GuardMeasures, promise: number, kind: ResultKind): readonly GuardName[] {
  const ofGuards = shares(measures, promise, kind)
  return GUARD_NAMES.filter((name) => ofGuards[name] > 1)
}

/** Which guard refuses a result, where, and by how much. */
export interface Refusal {
  /** The guard that is furthest beyond its limit; `twice` where it is the score of a small picture at twice its size. */
  guard: GuardName | 'twice'
  /** The left and the top of the damaged window, in pixels of the picture; zeros for `twice`, which looks at all of it. */
  x: number
  y: number
  /** What it measured, as a share of what the promise allows: above 1. Infinite for a wrong alpha. */
  share: number
}

/** The guard that is furthest beyond what a promise allows; `undefined` where none is. */
export function findRefusal(measures: GuardMeasures, promise: number, kind: ResultKind): Refusal | undefined {
  const ofGuards = shares(measures, promise, kind)
  const guard = GUARD_NAMES.reduce((most, name) => (ofGuards[name] > ofGuards[most] ? name : most))
  const share = ofGuards[guard]
  return share > 1 ? { guard, ...measures.places[guard], share } : undefined
}

/** The refusal of a small picture whose score at twice its size is below a promise, by the scale of the guards' limits. */
export function refusalAtTwice(score: number, promise: number): Refusal | undefined {
  return score < promise ? { guard: 'twice', ...START, share: 2 ** ((promise - score) / HALVING) } : undefined
}

/** The one of two refusals that is further beyond its limit. */
export function worseRefusal(a: Refusal | undefined, b: Refusal | undefined): Refusal | undefined {
  return a === undefined || (b !== undefined && b.share > a.share) ? b : a
}

/** The largest share of what the promise allows: above 1 a search has to go on with a higher quality. */
export function worst(measures: GuardMeasures, promise: number, kind: ResultKind): number {
  return Math.max(...Object.values(shares(measures, promise, kind)))
}

/**
 * The highest promise that a result keeps as far as the guards are concerned: where the largest share is twice what a
 * promise allows, the one that is 20 points lower. `-Infinity` where an alpha is wrong; `Infinity` of a block codec's result
 * that passes at 80, and where nothing changed.
 */
export function keptPromise(measures: GuardMeasures, kind: ResultKind): number {
  const share = worst(measures, PROMISE_OF_THRESHOLDS, kind)
  if (kind !== 'palette' && share <= 1) return Infinity
  return PROMISE_OF_THRESHOLDS - HALVING * Math.log2(share)
}

function keepLarger(
  measures: GuardMeasures,
  name: (typeof WINDOW_NAMES)[number],
  { value, x, y }: WorstWindow,
  scale: number,
): void {
  if (value <= measures[name]) return
  measures[name] = value
  measures.places[name] = { x: Math.floor(x / scale), y: Math.floor(y / scale) }
}

function check({ data, width, height, channels }: Pixels, wide: number, high: number): void {
  if (width !== wide || height !== high || !(width > 0 && height > 0) || data.length !== width * height * channels) {
    throw new PixpressError(
      'INTERNAL',
      `${data.length} bytes of an image of ${width} × ${height} pixels of ${channels} channels cannot be compared with one of ${wide} × ${high}`,
    )
  }
}

function isTransparent({ data, channels }: Pixels): boolean {
  if (channels === 3) return false
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 255) return true
  return false
}

function wrongAlphas(original: Pixels, distorted: Pixels): { count: number; place: Place } {
  const pixels = original.width * original.height
  const [before, after] = [original, distorted].map(({ data, channels }) => (channels === 4 ? data : undefined))
  let count = 0
  let first = 0
  for (let i = 0, at = 3; i < pixels && (before ?? after) !== undefined; i++, at += 4) {
    const had = before ? before[at]! : 255
    const has = after ? after[at]! : 255
    if (had !== has && (had === 0 || had === 255) && count++ === 0) first = i
  }
  return { count, place: placeOf(first, original.width) }
}

const placeOf = (pixel: number, width: number): Place => ({ x: pixel % width, y: Math.floor(pixel / width) })
