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
