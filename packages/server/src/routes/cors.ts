import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import type { AppEnv } from '../http/context.ts'

/** Answers that browsers keep of what a page may ask, in seconds. Chromium keeps none longer. */
const MAX_AGE = 7200

/**
 * Lets the pages of these origins call the interface from browsers, and read what its answers say in headers. The key
 * is asked for as ever: a page sends it itself, and no cookie counts.
 */
export function allowOrigins(origins: readonly string[]): MiddlewareHandler<AppEnv> {
  return cors({
    origin: [...origins],
    allowMethods: ['GET', 'HEAD', 'POST'],
    allowHeaders: ['Authorization', 'Content-Type', 'X-Request-Id'],
    exposeHeaders: [
      'Location',
      'Compression-Count',
      'Image-Width',
      'Image-Height',
      'Image-Orientation',
      'Retry-After',
      'X-Request-Id',
    ],
    maxAge: MAX_AGE,
  })
}
