import type { Part, WindowName } from './instance.ts'

/** Measures of the worst local damage in a result, 0 if nothing changed. The formulas are in docs/quality.md. */
export interface GuardMeasures {
  /**
   * Number of pixels whose alpha was 0 or 255 and is not any more. For a block codec's result it is 0 up to the limits
   * of `alpha-ends.ts`: of block codecs AVIF alone has lossy alpha.
   */
  alpha: number
  /** The largest shift of a colour that fills an area, in OKLab. */
  flat: number
  /**
   * The largest mean difference over 8 × 8 pixels, in OKLab, reduced where they are busy. It finds bands, tints and
   * lost small colours.
   */
  means: number
  /**
   * The largest mean difference of hue and saturation over 8 × 8 pixels, in OKLab. It finds changed colours of text and
   * thin lines.
   */
  colours: number
  /** The largest strength of new edges on an even area or slope, in OKLab per pixel. It finds bands and dither dots. */
  band: number
  /**
   * The largest root mean square difference over 8 × 8 pixels, in OKLab. It finds antialiased edges that became jagged.
   */
  edges: number
  /**
   * The largest loss of antialiasing over 16 × 16 pixels, relative to the local contrast. It finds staircases, also in
   * pale letters.
   */
  jag: number
  /** The largest share of faint structure that is lost over 24 × 24 pixels. */
  gone: number
  /** The left and top of the window that a measure comes from, in pixels, or the first pixel with a wrong alpha. */
  places: Record<GuardName, Place>
}

/** A position in a picture, in pixels from the left and from the top. */
export interface Place {
  x: number
  y: number
}

/** Names of the guards. */
export type GuardName = 'alpha' | 'flat' | WindowName

const GUARD_NAMES = ['alpha', 'flat', 'means', 'colours', 'band', 'edges', 'jag', 'gone'] as const satisfies GuardName[]

/**
 * Kind of a result, by which its guards have other limits. `palette` includes near-lossless encoders: both change
 * single pixels. `block` stands for block codecs (JPEG, WebP, AVIF, JPEG XL), which change whole blocks and look better
 * at the same value. `photograph` is a block codec's result and `grain` a palette for a photograph, in whose grain
 * steps and lost hues are less visible.
 */
export type ResultKind = 'palette' | 'grain' | 'block' | 'photograph'

/** Tells whether a result of this kind is one of a block codec. */
export const isOfBlocks = (kind: ResultKind): boolean => kind === 'block' || kind === 'photograph'

type Limits = Record<Exclude<GuardName, 'alpha'>, number>

/**
 * Largest values that a result may have at the promise of 80; `Infinity` if a guard does not apply to a kind. They were
 * measured by looking at pairs of source and result at 200 to 400%; docs/quality.md tells how many pairs, and how many
 * of them the limits find and miss. WebP and AVIF smoothed the grain of three clean photographs, which made `gone` up
 * to 0.70; lost outlines of drawings begin at 0.42.
 */
const LIMITS = {
  palette: { flat: 0.008, means: 0.009, colours: 0.0185, band: 0.0038, edges: 0.056, jag: 0.056, gone: 0.5 },
  grain: { flat: 0.008, means: 0.009, colours: 0.022, band: 0.0043, edges: 0.056, jag: 0.068, gone: Infinity },
  block: { flat: 0.01, means: 0.01125, colours: 0.0275, band: 0.0044, edges: 0.075, jag: 0.071, gone: 0.44 },
  photograph: { flat: 0.01, means: 0.01125, colours: 0.0275, band: 0.0044, edges: 0.075, jag: Infinity, gone: 0.72 },
} as const satisfies Record<ResultKind, Limits>

/**
 * Parts of measures that a kind of result does not need, because they have no limit or find nothing. Block codecs do
 * not make bands that keep a direction, and `colours` finds their damage to small areas of one colour.
 */
export const UNMEASURED: Record<ResultKind, ReadonlySet<Part>> = {
  palette: new Set(['gone']),
  grain: new Set(['gone', 'lines']),
  block: new Set(['streaks', 'spots']),
  photograph: new Set(['jag', 'lines', 'streaks', 'spots']),
}

/** The limits double, or halve, over this many points of the promise. */
const HALVING = 20
/** The promise that the limits were measured at. */
export const PROMISE_OF_LIMITS = 80

/**
 * Returns each measure as a share of its limit at a promise, which is a score. A result with a share above 1 must not
 * be used. The share is `Infinity` for a wrong alpha, which no promise allows.
 */
export function shares(measures: GuardMeasures, promise: number, kind: ResultKind): Record<GuardName, number> {
  // Above a promise of 80, the score finds the remaining damage of block codecs, while clean photographs at 90 had up
  // to 0.0086 in `means`.
  const strictness = isOfBlocks(kind) ? Math.min(promise, PROMISE_OF_LIMITS) : promise
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

/** Returns the guards that refuse a result at a promise, an empty list if the result may be used. */
export function violations(measures: GuardMeasures, promise: number, kind: ResultKind): readonly GuardName[] {
  const ofGuards = shares(measures, promise, kind)
  return GUARD_NAMES.filter((name) => ofGuards[name] > 1)
}

/** The guard that refuses a result, with the place and the excess. */
export interface Refusal {
  /** The guard whose limit is exceeded most; `twice` stands for the score of a small picture at twice its size. */
  guard: GuardName | 'twice'
  /** The left and top of the damaged window in pixels of the picture; 0 for `twice`, which judges the whole picture. */
  x: number
  y: number
  /** The measure as a share of its limit: above 1, and `Infinity` for a wrong alpha. */
  share: number
}

/** Returns the guard whose limit is exceeded most at a promise; `undefined` if no limit is exceeded. */
export function findRefusal(measures: GuardMeasures, promise: number, kind: ResultKind): Refusal | undefined {
  const ofGuards = shares(measures, promise, kind)
  const guard = GUARD_NAMES.reduce((most, name) => (ofGuards[name] > ofGuards[most] ? name : most))
  const share = ofGuards[guard]
  return share > 1 ? { guard, ...measures.places[guard], share } : undefined
}

/**
 * Returns the refusal of a small picture whose score at twice its size is below a promise. Its share follows the scale
 * of the guards' limits.
 */
export function refusalAtTwice(score: number, promise: number): Refusal | undefined {
  return score < promise ? { guard: 'twice', x: 0, y: 0, share: 2 ** ((promise - score) / HALVING) } : undefined
}

/** Returns the refusal with the larger share of its limit. */
export function worseRefusal(a: Refusal | undefined, b: Refusal | undefined): Refusal | undefined {
  return a === undefined || (b !== undefined && b.share > a.share) ? b : a
}

/** Returns the largest share of a limit. If it is above 1, a search has to raise the quality. */
export function worst(measures: GuardMeasures, promise: number, kind: ResultKind): number {
  return Math.max(...Object.values(shares(measures, promise, kind)))
}

/**
 * Returns the highest promise that a result keeps by the guards. If the largest share at 80 is 2, it is 20 points lower
 * than 80. It is `-Infinity` if an alpha is wrong, and `Infinity` if nothing changed or if a result of another kind
 * than `palette` passes at 80.
 */
export function keptPromise(measures: GuardMeasures, kind: ResultKind): number {
  const share = worst(measures, PROMISE_OF_LIMITS, kind)
  if (kind !== 'palette' && share <= 1) return Infinity
  return PROMISE_OF_LIMITS - HALVING * Math.log2(share)
}
