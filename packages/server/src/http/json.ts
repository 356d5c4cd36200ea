import { PixpressError } from '@pixpress/core'
import { refuseUnknownKeys } from '@pixpress/core/internal'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AppEnv } from './context.ts'
import { HttpError } from './http-error.ts'

/**
 * Tells whether a body is JSON: only this media type, with whatever parameters, says so, as clients send images under
 * any type.
 */
export function isJson(c: Context<AppEnv>): boolean {
  return (c.req.header('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase() === 'application/json'
}

/** @throws HttpError `BadRequest` */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    throw new HttpError('BadRequest', 'The body is not valid JSON. Is its Content-Length in bytes?', {
      // The next bytes on this connection are probably the rest of the body.
      headers: { Connection: 'close' },
      cause: error,
    })
  }
}

/** @throws HttpError `BadRequest` */
export function asObject(what: string, value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new HttpError('BadRequest', `${what} must be a JSON object.`)
}

/**
 * @param path of the object in the body; empty for the body itself
 * @throws HttpError `BadRequest` that suggests the right key
 */
export function assertKnownKeys(path: string, value: object, known: readonly string[]): void {
  refusedAsBadRequest(() => refuseUnknownKeys(path, value, known))
}

/** Turns core's refusal of options into a bad request, in core's words. */
export function refusedAsBadRequest<T>(validate: () => T): T {
  try {
    return validate()
  } catch (error) {
    if (!(error instanceof PixpressError && error.code === 'INVALID_OPTION')) throw error
    throw new HttpError('BadRequest', error.message, { cause: error })
  }
}

/** An answer of JSON text with its length, which the log and the metrics count. */
export function answerJson(
  c: Context<AppEnv>,
  text: string,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return c.body(text, status as ContentfulStatusCode, {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(text)),
    ...headers,
  })
}
