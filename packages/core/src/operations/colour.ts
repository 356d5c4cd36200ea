import { invalidOption } from '../base/errors.ts'
import { COLOUR_NAMES } from './colour-names.ts'
import { suggestion } from '../options/parsers.ts'
import type { Parser } from '../options/parsers.ts'

/** A colour of CSS: a name, `#rgb`, `#rrggbb`, either with alpha, `rgb()`, `rgba()`, `hsl()` or `hsla()`. */
export type Colour = string

const EXPECTED = "a colour of CSS ('#rrggbb', 'rgb(0 0 0)', 'hsl(0 0% 0%)' or a name)"

/** Gives `#rrggbb` in lower case, or `#rrggbbaa` where the colour lets something through. */
export const COLOUR: Parser<string> = {
  schema: { type: 'string', minLength: 1 },
  parse(value, option) {
    const colour = typeof value === 'string' ? readColour(value.trim()) : undefined
    if (colour !== undefined) return colour
    throw invalidOption(option, EXPECTED, value, suggestion(value, Object.keys(COLOUR_NAMES)))
  },
}

/**
 * Parses a colour as it stands in a query, where `#` begins the fragment and may be left out. @throws PixpressError
 * `INVALID_OPTION`
 */
export function colourFromText(text: string, option: string): string {
  return COLOUR.parse(/^(?:[\da-f]{3,4}){1,2}$/i.test(text) ? `#${text}` : text, option)
}

/** A colour without what it lets through, as sharp takes one to flatten onto. */
export function opaqueColour(colour: string): `#${string}` {
  return colour.slice(0, 7) as `#${string}`
}

function readColour(text: string): string | undefined {
  const lower = text.toLowerCase()
  if (lower === 'transparent') return '#00000000'
  if (Object.hasOwn(COLOUR_NAMES, lower)) return `#${COLOUR_NAMES[lower]!}`
  const digits = /^#((?:[\da-f]{3,4}){1,2})$/.exec(lower)?.[1]
  if (digits !== undefined) return withoutOpaque(digits.length < 6 ? digits.replaceAll(/./g, '$&$&') : digits)
  const call = /^(rgb|hsl)a?\(([^()]*)\)$/.exec(lower)
  return call === null ? undefined : ofFunction(call[1] === 'hsl', call[2]!)
}

const withoutOpaque = (digits: string): string => `#${digits.length === 8 ? digits.replace(/ff$/, '') : digits}`

function ofFunction(isHsl: boolean, written: string): string | undefined {
  const parts = written.split(/[\s,/]+/).filter((part) => part !== '')
  const [first, second, third, alpha = '1'] = parts
  if (first === undefined || second === undefined || third === undefined || parts.length > 4) return undefined
  const opacity = share(alpha, 1)
  const colour = isHsl
    ? fromHsl(angle(first), share(second, 100), share(third, 100))
    : [first, second, third].map((part) => share(part, 255))
  const all = [...colour, opacity]
  if (all.some((part) => !Number.isFinite(part))) return undefined
  return withoutOpaque(
    all
      .map((part) =>
        Math.round(Math.min(1, Math.max(0, part)) * 255)
          .toString(16)
          .padStart(2, '0'),
      )
      .join(''),
  )
}

/** Parses a number out of `whole`, or a percentage, as a share; NaN for what is neither. */
function share(part: string, whole: number): number {
  const [, number, percent] = /^([+-]?(?:\d+\.?\d*|\.\d+))(%?)$/.exec(part) ?? []
  return number === undefined ? Number.NaN : Number(number) / (percent === '' ? whole : 100)
}

/** Turns, from degrees. */
function angle(part: string): number {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:deg)?$/.test(part) ? Number.parseFloat(part) / 360 : Number.NaN
}

/** Converts HSL to RGB. Source: CSS Color Module Level 4, section 7: https://www.w3.org/TR/css-color-4/#hsl-to-rgb */
function fromHsl(turns: number, saturation: number, lightness: number): number[] {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  return [0, 8, 4].map((offset) => {
    const twelfth = (((offset + turns * 12) % 12) + 12) % 12
    return lightness - reach * Math.max(-1, Math.min(twelfth - 3, 9 - twelfth, 1))
  })
}
