import { invalidOption } from '@pixpress/core/internal'
import type { RateSettings } from '../storage/contract.ts'

export { parseBytes } from '@pixpress/core/internal'

const PIXELS = { '': 1, mp: 1e6 } as const
const PERIODS = { ms: 1, s: 1e3, m: 60e3, min: 60e3, h: 3_600e3, d: 86_400e3 } as const

/** Parses `100000000` or `100MP` to pixels. @throws PixpressError `INVALID_OPTION` */
export function parsePixels(option: string, text: string): number {
  return measured(option, text, PIXELS, "a number of pixels such as '100MP'")
}

/** Parses `30s`, `15m`, `48h` or `7d` to milliseconds. @throws PixpressError `INVALID_OPTION` */
export function parsePeriod(option: string, text: string): number {
  return measured(option, text, PERIODS, "a time such as '30s', '15m', '48h' or '7d'")
}

/**
 * Parses `100/s` or `600/min`: that many at once, and that many again per period. `none` for no limit.
 * @throws PixpressError `INVALID_OPTION`
 */
export function parseRate(option: string, text: string): RateSettings | undefined {
  if (text === 'none') return undefined
  const [, count, unit] = /^(\d+)\s*\/\s*(s|min|m|h|d)$/.exec(text) ?? []
  const burst = Number(count)
  if (unit === undefined || !(burst >= 1)) throw invalidOption(option, "a rate such as '100/s', or 'none'", text)
  return { interval: PERIODS[unit as keyof typeof PERIODS] / burst, burst }
}

/** Parses a whole number from `min` to `max`. @throws PixpressError `INVALID_OPTION` */
export function parseWhole(option: string, text: string, min: number, max: number = Number.MAX_SAFE_INTEGER): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
  throw invalidOption(option, `a whole number ${range}`, text)
}

function measured(option: string, text: string, units: Readonly<Record<string, number>>, expected: string): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? []
  const factor = Object.hasOwn(units, unit.toLowerCase()) ? units[unit.toLowerCase()] : undefined
  const value = Math.round(Number(amount) * (factor ?? Number.NaN))
  if (!(value >= 1 && Number.isSafeInteger(value))) throw invalidOption(option, expected, text)
  return value
}
