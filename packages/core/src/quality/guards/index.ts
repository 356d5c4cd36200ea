import { PixpressError } from '../../base/errors.ts'
import { fastestBuild, type Build } from '../metric/instance.ts'
import { ALPHA_BITS, isTransparent, pixelWordsOf } from '../metric/pixels.ts'
import type { Pixels } from '../metric/ssimulacra2.ts'
import { worstAlphaEnd } from './alpha-ends.ts'
import { findFlatColours, largestFlatShift } from './flat.ts'
import { restEngine } from './engine.ts'
import { OPAQUE, PARTS, WINDOW_NAMES, worstWindows } from './instance.ts'
import type { Part, WindowName, WorstWindow } from './instance.ts'
import { UNMEASURED, isOfBlocks } from './limits.ts'
import type { GuardMeasures, Place, ResultKind } from './limits.ts'
import { ThinLines, findAreas } from './thin-lines.ts'
import { enlargeTwice, isJudgedTwice } from './twice.ts'

export * from './limits.ts'

/** The upper left corner of a picture. */
const START: Place = { x: 0, y: 0 }

/** Options of `createGuards`. */
export interface GuardOptions {
  /** The build of the WebAssembly module. Default: the build with SIMD if it can run. */
  build?: Build
  /**
   * The longest side of the whole picture in pixels, if these pixels are a part of it. Default: the longest side of
   * these.
   */
  side?: number
}

/** Measures of local damage to one picture. The score of a whole picture hardly shows damage in a small place. */
export interface Guards {
  /** Measures a result. If `kind` is given, its parts in `UNMEASURED` are not measured and stay 0. */
  measure(distorted: Pixels, kind?: ResultKind): GuardMeasures
  /** Releases the picture. */
  dispose(): void
}

const BACKGROUNDS = [255, 0] as const
/** On white and black, wrong colours of half-clear pixels are not seen that stand out on a ground as bright as they. */
const BACKGROUNDS_OF_SOFT = [255, 0, 128] as const

const NOTHING_IN_WINDOWS = {
  means: 0,
  colours: 0,
  band: 0,
  edges: 0,
  jag: 0,
  gone: 0,
  places: { means: START, colours: START, band: START, edges: START, jag: START, gone: START },
} as const satisfies Record<WindowName, number> & { places: Record<WindowName, Place> }

/**
 * Measures that a small picture needs at its own size too. Doubled pixels have no antialiasing, and the `band` of a
 * clean icon was three times as large at twice its size.
 */
const AT_OWN_SIZE: ReadonlySet<WindowName> = new Set(['band', 'jag', 'gone', 'colours'])
/**
 * Measures that a small picture needs at twice its size. `colours` is measured at both sizes, because it searches for
 * areas at the picture's own size.
 */
const AT_TWICE: ReadonlySet<WindowName> = new Set(['means', 'colours', 'edges'])
/**
 * A picture whose longest side has at most this many pixels is taken for an icon or a logo, which is looked at closely.
 * Staircases and bands count for more there, by these factors, than in screenshots, whose edges are mostly those of
 * text. The factors cost 0.3% more bytes over 122 PNGs.
 */
const ICON_SIDE = 512
const SEEN_CLOSELY = { jag: 14 / 9, band: 1.15 }
/**
 * A change of hue of thin lines that is as bad as 1 of `colours`. Among 133 palettes that were looked at, a grey star
 * that became blue had 0.0199, and the largest change that was not seen was 0.0185; the limit is 0.019.
 */
const HUE_OF_LINES = 0.019 / 0.0185
const ALL_PARTS: ReadonlySet<Part> = new Set(PARTS)

/**
 * Prepares the guards of one original, whose data must not change until `dispose()`. If either picture is transparent,
 * both are judged on white and on black, with half-clear pixels on grey too, and the largest value counts. Pictures
 * whose longest side is at most 128 pixels are judged at twice their size, except for measures that need the original
 * pixels.
 *
 * The guards are synchronous and take about the time of one score each. They hold the flat areas and some rows in
 * memory.
 *
 * @throws PixpressError `INTERNAL` if the data does not fit the dimensions, if the dimensions differ, or after
 * `dispose()`
 */
export function createGuards(original: Pixels, options: GuardOptions = {}): Guards {
  const { width, height } = original
  check(original, width, height)
  const build = options.build ?? fastestBuild()
  const transparent = isTransparent(original)
  const backgrounds = original.channels === 4 && hasHalfClear(original.data) ? BACKGROUNDS_OF_SOFT : BACKGROUNDS
  const enlarges = isJudgedTwice(original)
  const isIcon = (options.side ?? Math.max(width, height)) <= ICON_SIDE
  const keeper = {}
  let lines: readonly ThinLines[] | undefined
  let kept: { seen: Pixels; flat: ReturnType<typeof findFlatColours> } | undefined = {
    seen: enlarges ? enlargeTwice(original) : original,
    flat: findFlatColours(original),
  }
  return {
    measure(distorted, kind) {
      if (!kept) throw new PixpressError('INTERNAL', 'The guards of a picture were disposed')
      check(distorted, width, height)
      const isBlended = transparent || isTransparent(distorted)
      const alpha = isBlended ? wrongAlphas(original, distorted, kind) : { count: 0, place: START }
      const measures: GuardMeasures = {
        ...NOTHING_IN_WINDOWS,
        alpha: alpha.count,
        flat: 0,
        places: { ...NOTHING_IN_WINDOWS.places, alpha: alpha.place, flat: START },
      }
      // A wrong alpha refuses the result, whatever else it shows.
      if (alpha.count > 0 && kind !== undefined) return measures
      const flat = largestFlatShift(kept.flat, distorted, isBlended ? backgrounds : [255])
      measures.flat = flat.shift
      measures.places.flat = placeOf(flat.first, width)
      const seen = enlarges ? enlargeTwice(distorted) : distorted
      const comparison = { build, keeper, ...(kind && { without: UNMEASURED[kind] }) }
      for (const background of isBlended ? backgrounds : [OPAQUE]) {
        const windows = worstWindows(original, distorted, background, comparison)
        for (const name of WINDOW_NAMES) {
          if (!enlarges || AT_OWN_SIZE.has(name)) keepLarger(measures, name, windows[name])
        }
        if (!enlarges) continue
        const twice = worstWindows(kept.seen, seen, background, { build, without: ALL_PARTS })
        for (const name of WINDOW_NAMES) {
          if (AT_TWICE.has(name)) keepLarger(measures, name, halved(twice[name]))
        }
      }
      // Block codecs change hues over whole blocks, which windows of 8 × 8 find.
      if (kind === undefined || kind === 'palette') {
        lines ??= linesOf(original, isBlended ? BACKGROUNDS : [255])
        for (const each of lines) {
          const { value, x, y } = each.worst(distorted)
          keepLarger(measures, 'colours', { value: value / HUE_OF_LINES, x, y })
        }
      }
      if (isIcon) for (const name of ['jag', 'band'] as const) measures[name] *= SEEN_CLOSELY[name]
      return measures
    },
    dispose() {
      kept = undefined
      lines = undefined
      restEngine(build)
    },
  }
}

function linesOf(original: Pixels, backgrounds: readonly number[]): readonly ThinLines[] {
  const areas = findAreas(original)
  return backgrounds.map((background) => new ThinLines(original, background, areas))
}

function hasHalfClear(data: Uint8Array): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at]! > 0 && data[at]! < 255) return true
  return false
}

function keepLarger(measures: GuardMeasures, name: WindowName, { value, x, y }: WorstWindow): void {
  if (value <= measures[name]) return
  measures[name] = value
  measures.places[name] = { x, y }
}

const halved = ({ value, x, y }: WorstWindow): WorstWindow => ({ value, x: x >> 1, y: y >> 1 })

function check({ data, width, height, channels }: Pixels, wide: number, high: number): void {
  if (width !== wide || height !== high || !(width > 0 && height > 0) || data.length !== width * height * channels) {
    throw new PixpressError(
      'INTERNAL',
      `${data.length} bytes of an image of ${width} × ${height} pixels of ${channels} channels cannot be compared with one of ${wide} × ${high}`,
    )
  }
}

/** Pixels that were clear or opaque and have another alpha: how many, and the first or the worst of them. */
function wrongAlphas(
  original: Pixels,
  distorted: Pixels,
  kind: ResultKind | undefined,
): { count: number; place: Place } {
  const wrong = { count: 0, first: 0 }
  const look = (pixel: number, had: number, has: number): void => {
    if (had !== has && (had === 0 || had === 255) && wrong.count++ === 0) wrong.first = pixel
  }
  const [before, after] = [original, distorted].map(({ data, channels }) => (channels === 4 ? data : undefined))
  const [words, others] = [before && pixelWordsOf(before), after && pixelWordsOf(after)]
  if (before && after && words && others) {
    for (let i = 0; i < words.length; i++) {
      if (((words[i]! ^ others[i]!) & ALPHA_BITS) !== 0) look(i, before[4 * i + 3]!, after[4 * i + 3]!)
    }
  } else {
    const pixels = before || after ? original.width * original.height : 0
    for (let i = 0, at = 3; i < pixels; i++, at += 4) look(i, before ? before[at]! : 255, after ? after[at]! : 255)
  }
  if (wrong.count > 0 && kind !== undefined && isOfBlocks(kind)) {
    const { share, place } = worstAlphaEnd(alphasOf(original), alphasOf(distorted), original)
    return { count: share > 1 ? wrong.count : 0, place }
  }
  return { count: wrong.count, place: placeOf(wrong.first, original.width) }
}

const alphasOf = ({ data, width, height, channels }: Pixels): Uint8Array =>
  Uint8Array.from({ length: width * height }, (_, at) => (channels === 4 ? data[4 * at + 3]! : 255))

const placeOf = (pixel: number, width: number): Place => ({ x: pixel % width, y: Math.floor(pixel / width) })
