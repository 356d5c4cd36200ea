import { invalidOption } from '../base/errors.ts'
import type { Parser } from './parsers.ts'

/** Milliseconds of each unit. */
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, min: 60_000 }

const SYNTAX = `^\\d+(?:\\.\\d+)? ?(?:${Object.keys(UNITS).join('|')})$`

/**
 * Parses `5s`, `1.5m` or `500 ms` to milliseconds.
 * @param option its name in messages
 * @throws PixpressError `INVALID_OPTION`
 */
export function parseDuration(option: string, text: string): number {
  const [, amount = '', unit = ''] = new RegExp(SYNTAX).test(text) ? /^([\d.]+) ?([a-z]+)$/.exec(text)! : []
  const milliseconds = Math.round(Number(amount) * (UNITS[unit] ?? 0))
  if (milliseconds > 0 && Number.isSafeInteger(milliseconds)) return milliseconds
  throw invalidOption(option, "a duration above 0, such as '5s', '2m' or '500ms'", text)
}

/** A duration: milliseconds, or a text with its unit. */
export const DURATION: Parser<number> = {
  schema: {
    anyOf: [
      { type: 'integer', minimum: 1 },
      { type: 'string', pattern: SYNTAX },
    ],
  },
  parse(value, option) {
    if (typeof value === 'string') return parseDuration(option, value)
    if (Number.isSafeInteger(value) && (value as number) > 0) return value as number
    throw invalidOption(option, "milliseconds above 0, or a duration such as '5s'", value)
  },
}
