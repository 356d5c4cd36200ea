import { readFile } from 'node:fs/promises'
import { Hono } from 'hono'
import type { Services } from './services.ts'

/** The files of the page in `dist/page` (scripts/bundle.mjs). */
const FILES = {
  '/': { file: 'index.html', type: 'text/html; charset=utf-8' },
  '/page.js': { file: 'page.js', type: 'text/javascript; charset=utf-8' },
  '/page.css': { file: 'page.css', type: 'text/css; charset=utf-8' },
} as const

/** The path is the same from `src` and from `dist`. */
const FOLDER = new URL('../../dist/page/', import.meta.url)

/** The policy allows nothing from elsewhere and nothing inline; pictures are shown from memory. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Serves the page at `/`: drop images, see what they come to. It is a client of the interface like any other, and told
 * what uploads may have, how long they are kept, and whether it is the page of one person on this machine.
 */
export function createPage({
  limits,
  retention,
  isPersonal,
}: Pick<Services['settings'], 'limits' | 'retention' | 'isPersonal'>): Hono {
  const facts: Readonly<Record<string, unknown>> = {
    MAX_BYTES: limits.maxBytes,
    RETENTION: retention,
    IS_PERSONAL: isPersonal === true,
  }
  const page = new Hono()
  for (const [path, { file, type }] of Object.entries(FILES)) {
    page.get(path, async (c) => {
      const text = await readFile(new URL(file, FOLDER), 'utf8')
      const body =
        path === '/' ? text.replaceAll(/MAX_BYTES|RETENTION|IS_PERSONAL/g, (name) => String(facts[name])) : text
      return c.body(body, 200, {
        'Content-Type': type,
        'Cache-Control': 'no-cache',
        'Content-Security-Policy': POLICY,
        'Referrer-Policy': 'no-referrer',
        'X-Content-Type-Options': 'nosniff',
      })
    })
  }
  return page
}

/** The paths that the page answers. */
export const PAGE_PATHS: readonly string[] = Object.keys(FILES)
