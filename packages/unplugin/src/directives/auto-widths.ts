import { ASPECT, bytesAtWidth, invalidOption, widthAtBytes } from '@pixpress/core/internal'
import type { ByteCurve } from '@pixpress/core/internal'
import type { Alternatives, WrittenAlternatives } from './combination.ts'
import type { DirectiveSet } from './parse.ts'
import type { ResolvedPresets } from './presets.ts'
import type { ImageQuery } from './query.ts'
import type { DirectiveSource } from './rows.ts'
import { AUTO_WIDTH } from './vocabulary.ts'

/** Share of the bytes of a width that the next narrower one takes. */
const STEP = 3 / 4

/**
 * Widths of one image, however large it is: beyond them, steps grow. A photograph of 4,000 pixels would have 15 of a
 * quarter each.
 */
const MOST_WIDTHS = 12

/** Pixels of the narrowest width: what a phone of the lowest density shows across its screen. */
const NARROWEST = 320

/**
 * Bytes of which a quarter is less than the headers of a request and its answer, so that a narrower image saves
 * nothing.
 */
const FEWEST_BYTES = 4096

/**
 * Widths between which about a quarter of the bytes lies each time, the narrowest first and `largest` last.
 * @param curve how bytes grow with the width
 * @param smallest default: the narrowest that is of use
 */
export function widthsByBytes(curve: ByteCurve, largest: number, smallest?: number): readonly number[] {
  const lowest = smallest ?? Math.max(NARROWEST, Math.ceil(widthAtBytes(curve, FEWEST_BYTES)))
  if (lowest >= largest) return [largest]
  const [fewest, most] = [bytesAtWidth(curve, lowest), bytesAtWidth(curve, largest)]
  const steps = Math.min(MOST_WIDTHS - 1, Math.max(1, Math.round(Math.log(fewest / most) / Math.log(STEP))))
  const between = Array.from({ length: steps - 1 }, (_, index) =>
    Math.round(widthAtBytes(curve, fewest * (most / fewest) ** ((index + 1) / steps))),
  )
  return [...new Set([lowest, ...between, largest])]
}

/**
 * The widths that `w=auto` stands for, in its place. One number beside it is the largest of them, two are the smallest
 * and the largest. Without a curve, of what cannot be decoded and of vector images, it is one width: the largest.
 * @param drawn widths that pages were seen to draw it with, in place of the curve
 * @throws PixpressError `INVALID_OPTION`
 */
export function withAutoWidths(
  written: WrittenAlternatives,
  source: DirectiveSource,
  curve: ByteCurve | undefined,
  drawn?: readonly number[],
): Alternatives {
  const { w } = written
  if (w === undefined || !w.includes(AUTO_WIDTH)) return written as Alternatives
  const bounds = w.filter((width) => width !== AUTO_WIDTH).toSorted((a, b) => a - b)
  if (bounds.length > 2) throw invalidOption('w', "at most two numbers beside 'auto'", w.join(';'))
  if (written.h !== undefined) {
    throw invalidOption('w', "a number beside 'h'", AUTO_WIDTH, "'aspect' crops to proportions at every width.")
  }
  const crops = (written.aspect ?? [undefined]).map((aspect) => cropOf(aspect, source))
  const crop = crops.reduce((widest, each) => (each.width > widest.width ? each : widest))
  const largest = Math.min(crop.width || Infinity, bounds.at(-1) ?? Infinity)
  const smallest = bounds.length === 2 ? bounds[0] : undefined
  if (drawn !== undefined && crop.width > 0) return withWidths(written, withinBounds(drawn, largest, smallest))
  if (curve !== undefined && crop.width > 0) {
    return withWidths(written, widthsByBytes(croppedCurve(curve, crop), largest, smallest))
  }
  return withWidths(written, largest === Infinity ? undefined : [largest])
}

/** The narrowest first, each once. */
function withinBounds(widths: readonly number[], largest: number, smallest: number = 1): readonly number[] {
  const within = widths.map((width) => Math.max(Math.min(smallest, largest), Math.min(width, largest)))
  return [...new Set(within)].toSorted((a, b) => a - b)
}

/** In the place of `w`: the order of the words is the order of the product. */
function withWidths(written: WrittenAlternatives, widths: readonly number[] | undefined): Alternatives {
  const entries = Object.entries(written).map(([name, values]) => [name, name === 'w' ? widths : values] as const)
  return Object.fromEntries(entries.filter(([, values]) => values !== undefined))
}

interface Crop {
  /** Pixels of the largest result. */
  readonly width: number
  /** The number of the source's pixels. */
  readonly share: number
}

function cropOf(aspect: NonNullable<Alternatives['aspect']>[number] | undefined, source: DirectiveSource): Crop {
  const { width, height } = source
  if (aspect === undefined || width === 0 || height === 0) return { width, share: 1 }
  const ratio = ASPECT.parse(aspect, 'aspect')
  const share = Math.min(ratio, width / height) / Math.max(ratio, width / height)
  return { width: Math.min(width, Math.max(1, Math.round(height * ratio))), share }
}

/** The curve of the source, as that of a crop of it in the same scales. */
function croppedCurve(curve: ByteCurve, { width, share }: Crop): ByteCurve {
  const scale = width / curve.at(-1)!.width
  return curve.map((point) => ({ width: point.width * scale, bytes: point.bytes * share }))
}

/** Tells whether anything that a query may come to has `w=auto`, for which its image has to be measured first. */
export function asksForAutoWidths(
  { directives }: ImageQuery,
  presets: ResolvedPresets,
  fallback: ImageQuery['directives'],
): boolean {
  if ([directives, fallback].some((each) => each.get('w')?.includes(AUTO_WIDTH) === true)) return true
  return (directives.get('preset') ?? []).some((name) => {
    const preset = presets.get(name)
    return preset !== undefined && (preset.parts ?? [preset]).some(hasAutoWidths)
  })
}

const hasAutoWidths = ({ alternatives }: DirectiveSet): boolean => alternatives.w?.includes(AUTO_WIDTH) === true
