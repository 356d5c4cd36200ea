import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { PixpressError } from '../base/errors.ts'
import { replaceFile } from '../files/replace-file.ts'
import { compareReports } from './changes.ts'
import type { Report } from './json.ts'
import { pageData } from './page-data.ts'
import { findPictures } from './page-pictures.ts'
import { GENERATOR } from '../project/delivered/page-places.ts'
import type { PageData } from './page-shape.ts'
import { formatBytes, formatChange } from './units.ts'

/** Folder of the page's script and style, which scripts/bundle.mjs builds from packages/core/page. */
const FOLDER = new URL('../../dist/page/', import.meta.url)

/** Script and style of the page, as text. */
export interface PageParts {
  readonly script: string
  readonly style: string
}

/**
 * Writes a report as one self-contained HTML page. The file is replaced atomically.
 * @param file absolute path of the page
 * @param root absolute folder that the report's paths are relative to
 * @param older a report to compare with
 * @throws PixpressError `IO_FAILED`
 */
export async function writePage(file: string, report: Report, root: string, older?: Report): Promise<void> {
  try {
    const between = older === undefined ? undefined : compareReports(older, report)
    const { pictures, delivered } = await findPictures(report, root, file)
    const data = pageData(report, { pictures, delivered, between })
    await replaceFile(file, renderPage(data, await readParts()))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new PixpressError('IO_FAILED', `The HTML report could not be written: ${reason}`, { file, cause: error })
  }
}

/** Reads the script and the style that the build of this package has bundled. Throws if they are missing. */
export async function readParts(): Promise<PageParts> {
  const [script, style] = await Promise.all(
    ['report.js', 'report.css'].map((name) => readFile(new URL(name, FOLDER), 'utf8')),
  )
  return { script: script!, style: style! }
}

/**
 * Renders the page as HTML. Its content security policy allows the page's own script and style by their digests, and
 * pictures that lie next to it, and nothing else. The data is in a script element of type JSON, which no browser runs.
 */
export function renderPage(data: PageData, { script, style }: PageParts): string {
  const { images, before, after } = data.totals
  const summary = `${images} ${images === 1 ? 'image' : 'images'}, ${formatBytes(before)} → ${formatBytes(after)} (${formatChange(before, after)})`
  // A page that is opened from the disk has an opaque origin, so `'self'` does not match its pictures and `file:` does.
  const policy = [
    "default-src 'none'",
    "img-src 'self' file: data:",
    `script-src '${digestOf(script)}'`,
    `style-src '${digestOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="${GENERATOR}">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>pixpress: ${summary}</title>
<style>${style}</style>
</head>
<body>
<header class="top"><span class="brand">pixpress</span></header>
<main id="report" class="page"><p>${summary}</p><noscript>The table needs JavaScript; the page loads nothing.</noscript></main>
<script type="application/json" id="data">${inScript(data)}</script>
<script type="module">${script}</script>
</body>
</html>
`
}

const digestOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`

/**
 * Serializes the data. Every `<` is escaped so that a file name can neither close the script element nor open a
 * comment.
 */
const inScript = (data: PageData): string => JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
