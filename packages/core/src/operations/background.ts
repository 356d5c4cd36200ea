import type { Operation } from './row.ts'
import { invalidOption } from '../base/errors.ts'
import { COLOUR, colourFromText, opaqueColour } from './colour.ts'
import { plainObject } from '../options/parsers.ts'
import type { Parser } from '../options/parsers.ts'
import { refuseUnknownKeys } from '../options/unknown-key.ts'

/** A colour of CSS that lets nothing through: `#rrggbb`, a name, `rgb()`, `hsl()`. */
export type Background = string

/** The option `transform`. */
export interface TransformOptions {
  background: Background
}

const INTERFACE_NAMES = ['white', 'black']
const INTERFACE_COLOUR = '^#[0-9a-fA-F]{6}$'

/**
 * Parses the colours that a service of the remote interface takes: `#rrggbb`, `white` or `black`. Gives `#rrggbb` in
 * lower case.
 */
export const INTERFACE_TRANSFORM: Parser<string> = {
  schema: schemaOf({ anyOf: [{ enum: INTERFACE_NAMES }, { type: 'string', pattern: INTERFACE_COLOUR }] }),
  parse(value, option) {
    const background = backgroundOf(value, option)
    const isKnown =
      INTERFACE_NAMES.includes(String(background)) || new RegExp(INTERFACE_COLOUR).test(String(background))
    if (isKnown) return COLOUR.parse(background, option)
    throw invalidOption(`${option}.background`, "a colour of the form '#rrggbb', 'white' or 'black'", background)
  },
}

/** Gives the colour, `#rrggbb` in lower case. */
export const TRANSFORM: Parser<string> = {
  schema: schemaOf(COLOUR.schema),
  parse(value, option) {
    const background = backgroundOf(value, option)
    const colour = COLOUR.parse(background, `${option}.background`)
    if (colour.length === 7) return colour
    throw invalidOption(`${option}.background`, 'a colour that lets nothing through', background)
  },
}

function schemaOf(background: Parser<string>['schema']): Parser<string>['schema'] {
  return { type: 'object', properties: { background }, required: ['background'], additionalProperties: false }
}

function backgroundOf(value: unknown, option: string): unknown {
  const { background, ...others } = plainObject(option, value)
  refuseUnknownKeys(option, others, ['background'])
  return background
}

/** Parses a colour; its transparency is dropped, as sharp drops it. @throws PixpressError `INVALID_OPTION` */
export function backgroundFromText(text: string, option: string): TransformOptions {
  return { background: opaqueColour(colourFromText(text, option)) }
}

interface TransformOperation {
  /** Flattens transparent pixels onto a background, a colour of CSS. */
  transform?: TransformOptions
}

interface ResolvedTransform {
  /** `#rrggbb`, lower case. */
  readonly background: string | null
}

interface BackgroundDirective {
  /** A colour of CSS. */
  background: Background
}

/** Flattens a picture onto a background. */
export const transform: Operation<TransformOperation, string, ResolvedTransform, BackgroundDirective> = {
  place: 3,
  parser: TRANSFORM,
  resolved: (background) => ({ background: background ?? null }),
  shownDefault: 'none',
  doc: "`{ background }` flattens transparent pixels onto a colour of CSS: `'#rrggbb'`, a name, `rgb()`, `hsl()`",
  flags: {
    background: {
      value: 'COLOUR',
      description: 'flattens transparent pixels onto it, a colour of CSS; with `--rotate` fills the corners',
    },
  },
  // The corners of a rotated picture are filled, and nothing is flattened.
  fromFlags: ({ background, rotate }) =>
    background === undefined || rotate !== undefined ? undefined : backgroundFromText(background, '--background'),
  directive: {
    word: 'background',
    doc: 'a colour of CSS: `rrggbb` (with or without `#`, written `%23`), a name, `rgb()`, `hsl()`. Flattens; beside `fit=contain` and `rotate` it fills what they leave empty',
    alternatives: true,
    read: backgroundFromText,
  },
  apply: {
    asked: ({ background }) => background,
    async pixels(pixels, { background }, space) {
      if (pixels.channels !== 4 || background === null) return pixels
      const { colourIn, flatten } = await import('../colour/background.ts')
      return { ...pixels, data: flatten(pixels.data, colourIn(space, background)), channels: 3 }
    },
  },
}
