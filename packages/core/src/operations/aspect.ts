import { invalidOption } from '../base/errors.ts'
import type { Parser } from '../options/parsers.ts'

/** Width divided by height, as a number or as `16:9`. */
export type Aspect = number | `${number}:${number}`

const PATTERN = String.raw`^\d+(\.\d+)?(:\d+(\.\d+)?)?$`

/** Gives the width divided by the height. */
export const ASPECT: Parser<number> = {
  schema: {
    anyOf: [
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'string', pattern: PATTERN },
    ],
  },
  parse(value, option) {
    const ratio = typeof value === 'string' && new RegExp(PATTERN).test(value) ? ratioOf(value) : value
    // The longest and the widest that anything is shown in.
    if (typeof ratio === 'number' && ratio >= 0.001 && ratio <= 1000) return ratio
    throw invalidOption(option, "an aspect ratio such as '16:9' or 1.5", value)
  },
}

function ratioOf(text: string): number {
  const [width, height = '1'] = text.split(':')
  return Number(width) / Number(height)
}
