import { didYouMean } from '@pixpress/core'
import { HttpError } from '../http/http-error.ts'

/** @throws HttpError `BadRequest` */
export function asObject(what: string, value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new HttpError('BadRequest', `${what} must be a JSON object.`)
}

/** @throws HttpError `BadRequest` that suggests the right key */
export function assertKnownKeys(prefix: string, value: object, known: readonly string[]): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue
    // Keys are short; a longer one is somebody's data.
    const shown = key.length > 60 ? `${key.slice(0, 57)}…` : key
    throw new HttpError('BadRequest', `'${prefix}${shown}' is not known here. ${didYouMean(shown, known)}`)
  }
}
