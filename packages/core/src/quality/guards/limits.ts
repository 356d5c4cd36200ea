import type { Part, WindowName } from './instance.ts'

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
  /** The largest strength, in OKLab per pixel, of edges on an even ground or slope that had none: bands and dither dots. */
  band: number
  /** The largest root of the mean squared difference, in OKLab, of 8 × 8 pixels: antialiased edges that became jagged. */
  edges: number
  /** Antialiasing that is lost, relative to the contrast around it, of 16 × 16 pixels: staircases, of pale letters as well. */
  jag: number
  /** The largest share of faint structure, of 24 × 24 pixels, that is wiped out. */
  gone: number
  /** The left and the top, in pixels, of the window that a measure comes from, or the first pixel of what is wrong. */
  places: Record<GuardName, Place>
}

export interface Place {
  x: number
  y: number
}

export type GuardName = 'alpha' | 'flat' | WindowName

const GUARD_NAMES = ['alpha', 'flat', 'means', 'colours', 'band', 'edges', 'jag', 'gone'] as const satisfies GuardName[]

/**
 * What made a result: palettes and near-lossless encoders change single pixels, the block codecs (JPEG, WebP, AVIF, JPEG XL)
 * whole blocks, which looks less bad at the same value; `photograph` is a block codec's result of one, and `grain` a palette of one, in whose
 * grain steps and lost hues are seen less.
 */
export type ResultKind = 'palette' | 'grain' | 'block' | 'photograph'

type Limits = Record<Exclude<GuardName, 'alpha'>, number>

/**
 * Values at the promise of 80 that a result may have, `Infinity` where a guard says nothing about what made it. Measured by
 * looking at pairs of source and result at 200 to 400 %; docs/quality.md tells how many, and what is found and missed. The grain of
 * three clean photographs in WebP and AVIF, which were smoothed, made `gone` up to 0.70; wiped outlines of drawings begin at 0.42.
 */
const LIMITS = {
  palette: { flat: 0.008, means: 0.009, colours: 0.0185, band: 0.0038, edges: 0.056, jag: 0.056, gone: 0.5 },
  grain: { flat: 0.008, means: 0.009, colours: 0.022, band: 0.0043, edges: 0.056, jag: 0.068, gone: Infinity },
  block: { flat: 0.01, means: 0.01125, colours: 0.0275, band: 0.0044, edges: 0.075, jag: 0.071, gone: 0.44 },
  photograph: { flat: 0.01, means: 0.01125, colours: 0.0275, band: 0.0044, edges: 0.075, jag: Infinity, gone: 0.72 },
} as const satisfies Record<ResultKind, Limits>

/**
 * Parts of measures that are not taken of what made a result: what has no limit, and what finds nothing there. Block codecs do not make bands that
 * keep a direction, and what they do to small areas of a colour `colours` finds.
 */
export const UNMEASURED: Record<ResultKind, ReadonlySet<Part>> = {
  palette: new Set(['gone']),
  grain: new Set(['gone', 'lines']),
  block: new Set(['streaks', 'spots']),
  photograph: new Set(['jag', 'lines', 'streaks', 'spots']),
}

/** Points of the promise by which the limits become half, or twice, as large. */
const HALVING = 20
const PROMISE_OF_LIMITS = 80

/**
 * Per guard the measure as a share of what the promise, a score, allows: above 1 the result must not be used. Infinite
 * where a wrong alpha is, which no promise allows.
 */
export function shares(measures: GuardMeasures, promise: number, kind: ResultKind): Record<GuardName, number> {
  // Above the promise of 80 a block codec's score finds what is left: clean photographs at 90 were up to 0.0086 in means.
  const isOfBlocks = kind === 'block' || kind === 'photograph'
  const strictness = isOfBlocks ? Math.min(promise, PROMISE_OF_LIMITS) : promise
  const scale = 2 ** ((PROMISE_OF_LIMITS - strictness) / HALVING)
  const limits = LIMITS[kind]
  return {
    alpha: measures.alpha > 0 ? Infinity : 0,
    flat: measures.flat / (limits.flat * scale),
    means: measures.means / (limits.means * scale),
    colours: measures.colours / (limits.colours * scale),
    band: measures.band / (limits.band * scale),
    edges: measures.edges / (limits.edges * scale),
    jag: measures.jag / (limits.jag * scale),
    gone: measures.gone / (limits.gone * scale),
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
  return score < promise ? { guard: 'twice', x: 0, y: 0, share: 2 ** ((promise - score) / HALVING) } : undefined
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
  const share = worst(measures, PROMISE_OF_LIMITS, kind)
  if (kind !== 'palette' && share <= 1) return Infinity
  return PROMISE_OF_LIMITS - HALVING * Math.log2(share)
}
