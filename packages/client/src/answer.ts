import { utf8Text } from './base/encoding.ts'
import type { Answer } from './http/exchange.ts'

/** Returns the JSON object of a body; `undefined` for anything else. */
export function parseObject(body: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(utf8Text(body)) as unknown
    return isObject(value) ? value : undefined
  } catch {
    // The answer is not JSON: a proxy in between may have sent a page of its own.
    return undefined
  }
}

/** Tells whether a value of JSON is an object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the whole number of a header, of 15 digits at most. */
export function wholeNumberOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}

/** Returns the account's compressions of the month, as an answer tells them. */
export const countOf = ({ headers }: Answer): number | undefined => wholeNumberOf(headers['compression-count'])
