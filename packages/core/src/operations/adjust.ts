import type { Sharp } from 'sharp'
import { invalidOption } from '../base/errors.ts'
import type { Flags } from '../options/flags.ts'
import { code, record } from '../options/parsers.ts'
import type { Parser } from '../options/parsers.ts'
import type { AdjustablePixels, Adjustment } from './adjustment.ts'
import * as LIST from './adjustments.ts'
import { COLOUR, colourFromText } from './colour.ts'
import type { Colour } from './colour.ts'
import type { FlagTexts, Operation } from './row.ts'

type List = typeof LIST
type Key = keyof List
type GivenOf<Each> = Each extends Adjustment<infer Given, infer _> ? Given : never
type ResolvedOf<Each> = Each extends Adjustment<infer _, infer Resolved> ? Resolved : never

/**
 * Changes of the picture itself, applied after the resize in sharp's own order: greyscale, mirroring, rotation, median,
 * blur, hue with saturation and brightness, normalizing, tint, negative. The result keeps the promise to the changed
 * picture.
 */
export type Adjustments = { -readonly [Each in Key]?: GivenOf<List[Each]> } & {
  /** The colour that fills the corners of a rotated picture. Default black. */
  background?: Colour
}

/** Adjustments after validation, without those that change nothing. */
export type ResolvedAdjustments = { readonly [Each in Key]?: ResolvedOf<List[Each]> } & {
  /** `#rrggbb` or `#rrggbbaa`; only beside an angle that leaves corners. */
  readonly background?: string
}

/** An adjustment as seen by code that is written for all of them. */
export type AdjustmentRow = Adjustment<unknown, unknown>

const ROWS = (Object.entries(LIST) as unknown as [Key, AdjustmentRow][]).sort(([, a], [, b]) => a.place - b.place)

/** The adjustments in their resolved order, on which cache keys depend. */
export const ADJUSTMENTS: { readonly [Each in Key]: AdjustmentRow } = Object.fromEntries(ROWS) as never

const FIELDS = record({
  ...Object.fromEntries(ROWS.map(([key, { parser }]) => [key, parser])),
  background: COLOUR,
} as Record<string, Parser<unknown>>)

/** `undefined` where nothing changes. */
const ADJUST: Parser<ResolvedAdjustments | undefined> = {
  schema: FIELDS.schema,
  parse(value, option) {
    const given: Readonly<Record<string, unknown>> = FIELDS.parse(value, option)
    const resolved = ROWS.flatMap(([key, row]) => {
      const each = given[key] === undefined ? undefined : row.resolved(given[key])
      return each === undefined ? [] : [[key, each] as const]
    })
    const adjust = Object.fromEntries(resolved) as ResolvedAdjustments
    const { background } = given as { background?: string }
    if (background !== undefined && adjust.rotate === undefined) {
      throw invalidOption(`${option}.background`, "'rotate' beside it", background)
    }
    if (resolved.length === 0) return undefined
    const isTilted = (adjust.rotate ?? 0) % 90 !== 0
    return isTilted && background !== undefined ? { ...adjust, background } : adjust
  },
}

/** Returns the adjustments of a picture with their values, in their order, by the way in which they are applied. */
function appliedBy(adjust: ResolvedAdjustments): {
  readonly before: readonly ((pixels: AdjustablePixels) => Promise<AdjustablePixels>)[]
  readonly sharp: readonly ((image: Sharp) => void)[]
  readonly after: readonly ((pixels: AdjustablePixels) => Promise<AdjustablePixels>)[]
} {
  const asked = ROWS.filter(([key]) => adjust[key] !== undefined)
  const by = <Call>(pick: (row: AdjustmentRow['apply'], value: unknown) => Call | undefined): readonly Call[] =>
    asked.flatMap(([key, { apply }]) => pick(apply, adjust[key]) ?? [])
  return {
    before: by((apply, value) => ('before' in apply ? (pixels) => apply.before(pixels, value) : undefined)),
    sharp: by((apply, value) => ('sharp' in apply ? (image) => apply.sharp(image, value, adjust) : undefined)),
    after: by((apply, value) => ('after' in apply ? (pixels) => apply.after(pixels, value) : undefined)),
  }
}

/**
 * Applies adjustments in sharp's own order, whatever order they are given in: greyscale, mirroring, rotation, median,
 * blur, hue with saturation and brightness, normalizing, tint, negative. Those that are not sharp's come before it or
 * after it.
 */
export async function adjustPixels(pixels: AdjustablePixels, adjust: ResolvedAdjustments): Promise<AdjustablePixels> {
  const { before, sharp: calls, after } = appliedBy(adjust)
  let adjusted = pixels
  for (const apply of before) adjusted = await apply(adjusted)
  if (calls.length > 0) adjusted = await throughSharp(adjusted, calls)
  for (const apply of after) adjusted = await apply(adjusted)
  return adjusted
}

async function throughSharp(
  pixels: AdjustablePixels,
  calls: readonly ((image: Sharp) => void)[],
): Promise<AdjustablePixels> {
  const { default: sharp } = await import('sharp')
  const { data: given, width: across, height: down, channels: samples } = pixels
  const raw = { width: across, height: down, channels: samples }
  const image = sharp(given, { raw, limitInputPixels: false })
  for (const call of calls) call(image)
  const { data, info } = await image.toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  if (channels !== 3 && channels !== 4) throw new Error(`adjusting gave ${channels} channels instead of 3 or 4`)
  return { data, width, height, channels }
}

/** The flags of all adjustments. */
const ADJUSTMENT_FLAGS: Flags = Object.fromEntries(ROWS.map(([key, { flag }]) => [key, flag]))

/**
 * Returns the option that the flags of adjustments come to; `undefined` where none is given. @throws PixpressError
 * `INVALID_OPTION`
 */
function adjustFromFlags(texts: FlagTexts): Adjustments | undefined {
  const given = ROWS.flatMap(([key, { read, flag }]) => {
    const text = texts[key]
    return text === undefined ? [] : [[key, read(flag.value === undefined ? '' : text, `--${key}`)] as const]
  })
  if (given.length === 0) return undefined
  const isTilted = texts['rotate'] !== undefined && Number(texts['rotate']) % 90 !== 0
  const { background } = texts
  return {
    ...(Object.fromEntries(given) as Adjustments),
    ...(isTilted && background !== undefined && { background: colourFromText(background, '--background') }),
  }
}

interface AdjustOperation {
  /** Changes of the picture itself: rotation, mirroring, colours, blur. Not for SVG. */
  adjust?: Adjustments
}

interface ResolvedAdjust {
  /** Absent where the picture is not changed itself. */
  readonly adjust?: ResolvedAdjustments
}

/** Changes the picture itself. */
export const adjust: Operation<AdjustOperation, ResolvedAdjustments | undefined, ResolvedAdjust> = {
  place: 11,
  parser: ADJUST,
  // Absent where it is not asked for, so that no other key changes.
  resolved: (adjustments) => (adjustments === undefined ? {} : { adjust: adjustments }),
  shownDefault: 'none',
  doc: `changes of the picture itself: ${code(Object.keys(ADJUSTMENTS))}, as [directives](directives.md) of the same names say them, and the \`background\` of a rotation's corners`,
  flags: ADJUSTMENT_FLAGS,
  fromFlags: adjustFromFlags,
  apply: {
    asked: (operations) => operations.adjust,
    pixels: async (pixels, operations) =>
      operations.adjust === undefined ? pixels : adjustPixels(pixels, operations.adjust),
  },
}
