import type { Sharp } from 'sharp'
import { invalidOption } from '../base/errors.ts'
import type { Flags } from '../options/flags.ts'
import { record } from '../options/parsers.ts'
import type { Parser } from '../options/parsers.ts'
import type { AdjustablePixels, Adjustment } from './adjustment.ts'
import * as LIST from './adjustments.ts'
import { COLOUR, colourFromText } from './colour.ts'
import type { Colour } from './colour.ts'
import type { FlagTexts } from './row.ts'

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
export const ADJUST: Parser<ResolvedAdjustments | undefined> = {
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

/** The adjustments of a picture with their values, in their order, by the way in which they are applied. */
export function appliedBy(adjust: ResolvedAdjustments): {
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

/** The flags of all adjustments. */
export const ADJUSTMENT_FLAGS: Flags = Object.fromEntries(ROWS.map(([key, { flag }]) => [key, flag]))

/**
 * Returns the option that the flags of adjustments come to; `undefined` where none is given. @throws PixpressError
 * `INVALID_OPTION`
 */
export function adjustFromFlags(texts: FlagTexts): Adjustments | undefined {
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
