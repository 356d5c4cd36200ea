import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AppEnv } from '../api/environment.ts'

/** An answer of JSON text with its length, which the log and the metrics go by. */
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
