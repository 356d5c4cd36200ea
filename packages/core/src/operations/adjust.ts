import { invalidOption } from '../base/errors.ts'
import { COLOUR, colourFromText } from './colour.ts'
import type { Colour } from './colour.ts'
import type { Flag, Flags } from '../options/flags.ts'
import type { FlagTexts } from './row.ts'
import { FLAG, isWithin, number, record, whole } from '../options/parsers.ts'
import type { Parser } from '../options/parsers.ts'

/**
 * Changes of the picture itself, applied by sharp after the resize, in its own order: greyscale, mirroring, rotation,
 * median, blur, hue with saturation and brightness, normalizing, tint, negative. The result keeps the promise to the
 * changed picture.
 */
export interface Adjustments {
  /**
   * Degrees clockwise. Multiples of 90 keep every pixel; other angles make the picture larger, with `background` in its
   * corners.
   */
  rotate?: number
  /** Mirrors top and bottom. */
  flip?: boolean
  /** Mirrors left and right. */
  flop?: boolean
  /** Gives it this colour and leaves its brightness. */
  tint?: Colour
  /** Degrees by which hues are turned, a whole number. */
  hue?: number
  /** Saturations are multiplied with it. */
  saturation?: number
  /** Brightnesses are multiplied with it. */
  brightness?: number
  /** Sigma of a Gaussian blur, 0.3 to 1000; `true` is a mild and fast one. */
  blur?: boolean | number
  /** Side of the square whose median each pixel becomes, in pixels; `true` is 3. */
  median?: boolean | number
  /** Stretches brightness over the whole range. Not for animations. */
  normalize?: boolean
  /** Takes the colours away. */
  grayscale?: boolean
  /** Makes a negative. */
  invert?: boolean
  /** The colour that fills the corners of a rotated picture. Default black. */
  background?: Colour
}

/** Adjustments after validation, without those that change nothing. */
export interface ResolvedAdjustments {
  /** Degrees, above 0 and below 360. */
  readonly rotate?: number
  readonly flip?: true
  readonly flop?: true
  /** `#rrggbb` */
  readonly tint?: string
  /** Degrees, 0 to 359. */
  readonly hue?: number
  readonly saturation?: number
  readonly brightness?: number
  readonly blur?: true | number
  readonly median?: number
  readonly normalize?: true
  readonly grayscale?: true
  readonly invert?: true
  /** `#rrggbb` or `#rrggbbaa`; only beside an angle that leaves corners. */
  readonly background?: string
}

/** Everything that is known of one adjustment. */
export interface AdjustmentRow {
  readonly parser: Parser<unknown>
  /** Its values in a query, in Markdown; what it does. */
  readonly values: string
  readonly does: string
  /** The flag of the command; its placeholder stands for the value in the help, and a switch has none. */
  readonly flag: Flag
  /**
   * Parses the option that a text says; an empty one for a word without a value. @throws PixpressError `INVALID_OPTION`
   */
  read(text: string, option: string): unknown
}

type Key = Exclude<keyof Adjustments, 'background'>

const FACTOR = number(0, 1000)
const DEGREES = number(-3600, 3600)

/** The adjustments in their resolved order, on which cache keys depend. */
export const ADJUSTMENTS: { readonly [Each in Key]: AdjustmentRow } = {
  rotate: numeric(DEGREES, 'DEGREES', 'degrees clockwise', 'rotates it; `background` fills the corners'),
  flip: switched('mirrors top and bottom'),
  flop: switched('mirrors left and right'),
  tint: {
    parser: COLOUR,
    values: 'a colour of CSS, `#` may be left out',
    does: 'gives it a colour and leaves its brightness',
    flag: { value: 'COLOUR', description: 'gives it a colour and leaves its brightness' },
    read: colourFromText,
  },
  hue: numeric(whole(-3600, 3600), 'DEGREES', 'whole degrees', 'turns the hues'),
  saturation: numeric(FACTOR, 'FACTOR', 'a factor', 'multiplies the saturation'),
  brightness: numeric(FACTOR, 'FACTOR', 'a factor', 'multiplies the brightness'),
  blur: strength(
    number(0.3, 1000),
    'SIGMA',
    'a sigma from 0.3 to 1000; nothing for a mild blur',
    'blurs it; `mild` for a fast mild one',
  ),
  median: strength(
    whole(1, 1000),
    'PIXELS',
    'the side of a square in pixels; nothing for 3',
    'takes noise away by medians of a square',
  ),
  normalize: switched('stretches brightness over the whole range'),
  grayscale: switched('takes the colours away'),
  invert: switched('makes a negative'),
}

const PARSERS = Object.fromEntries(Object.entries(ADJUSTMENTS).map(([key, { parser }]) => [key, parser]))
const FIELDS = record({ ...PARSERS, background: COLOUR } as {
  [Each in keyof Adjustments]-?: Parser<Adjustments[Each]>
})

/** `undefined` where nothing changes. */
export const ADJUST: Parser<ResolvedAdjustments | undefined> = {
  schema: FIELDS.schema,
  parse(value, option) {
    const {
      rotate = 0,
      tint,
      hue = 0,
      saturation = 1,
      brightness = 1,
      blur,
      median,
      background,
      ...switches
    } = FIELDS.parse(value, option)
    const degrees = turned(rotate)
    const isTilted = degrees % 90 !== 0
    if (background !== undefined && degrees === 0) {
      throw invalidOption(`${option}.background`, "'rotate' beside it", background)
    }
    const all: Record<string, unknown> = {
      rotate: degrees || undefined,
      flip: switches.flip || undefined,
      flop: switches.flop || undefined,
      // sharp knows no transparent tints.
      tint: tint?.slice(0, 7),
      hue: turned(hue) || undefined,
      saturation: saturation === 1 ? undefined : saturation,
      brightness: brightness === 1 ? undefined : brightness,
      blur: blur || undefined,
      median: median === true ? 3 : median || undefined,
      normalize: switches.normalize || undefined,
      grayscale: switches.grayscale || undefined,
      invert: switches.invert || undefined,
      background: isTilted ? background : undefined,
    }
    const given = Object.entries(all).filter(([, each]) => each !== undefined)
    return given.length === 0 ? undefined : (Object.fromEntries(given) as ResolvedAdjustments)
  },
}

/** Degrees from 0 to 360. */
const turned = (degrees: number): number => ((degrees % 360) + 360) % 360

function switched(does: string): AdjustmentRow {
  return { parser: FLAG, values: 'nothing, `true` or `false`', does, flag: { description: does }, read: readSwitch }
}

function numeric(parser: Parser<number>, value: string, values: string, does: string): AdjustmentRow {
  return {
    parser,
    values,
    does,
    flag: { value, description: does },
    read: (text, option) => parser.parse(isNumber(text) ? Number(text) : text, option),
  }
}

function strength(parser: Parser<number>, value: string, values: string, does: string): AdjustmentRow {
  const either: Parser<boolean | number> = {
    schema: { anyOf: [FLAG.schema, parser.schema] },
    parse: (given, option) => (typeof given === 'boolean' ? given : parser.parse(given, option)),
  }
  return {
    parser: either,
    values,
    does,
    flag: { value, description: does },
    read: (text, option) =>
      text === 'mild' ? true : isNumber(text) ? parser.parse(Number(text), option) : readSwitch(text, option),
  }
}

function readSwitch(text: string, option: string): boolean {
  return FLAG.parse(text === '' || text === 'true' ? true : text === 'false' ? false : text, option)
}

const isNumber = (text: string): boolean => isWithin(Number(text), -Infinity, Infinity) && text.trim() !== ''

const ROWS = Object.entries(ADJUSTMENTS) as [Key, AdjustmentRow][]

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
