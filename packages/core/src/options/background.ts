import { invalidOption } from '../errors.ts'
import { plainObject } from './parsers.ts'
import type { Parser } from './parsers.ts'
import { refuseUnknownKeys } from './unknown-key.ts'

/** `#rrggbb`, `white` or `black`. */
export type Background = `#${string}` | 'white' | 'black'

export interface TransformOptions {
  background: Background
}

const NAMED: Readonly<Record<string, string>> = { white: '#ffffff', black: '#000000' }
const COLOUR = '^#[0-9a-fA-F]{6}$'

/** Gives the colour, `#rrggbb` in lower case. */
export const TRANSFORM: Parser<string> = {
  schema: {
    type: 'object',
    properties: { background: { anyOf: [{ enum: Object.keys(NAMED) }, { type: 'string', pattern: COLOUR }] } },
    required: ['background'],
    additionalProperties: false,
  },
  parse(value, option) {
    const { background, ...others } = plainObject(option, value)
    refuseUnknownKeys(option, others, ['background'])
    if (typeof background === 'string') {
      if (Object.hasOwn(NAMED, background)) return NAMED[background]!
      if (new RegExp(COLOUR).test(background)) return background.toLowerCase()
    }
    throw invalidOption(`${option}.background`, "a colour of the form '#rrggbb', 'white' or 'black'", background)
  },
}

/** `#` begins the fragment of a URL, so it may be left out. @throws PixpressError `INVALID_OPTION` */
export function backgroundFromQuery(text: string, option: string): TransformOptions {
  if (text === 'white' || text === 'black') return { background: text }
  const digits = /^#?([\da-f]{6})$/i.exec(text)?.[1]
  if (digits !== undefined) return { background: `#${digits.toLowerCase()}` }
  throw invalidOption(option, "a colour of the form 'rrggbb' or '#rrggbb', 'white' or 'black'", text)
}
