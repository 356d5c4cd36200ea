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

/** Where the page's script and style are: scripts/bundle.mjs makes them of packages/core/page. */
const FOLDER = new URL('../../dist/page/', import.meta.url)

/** What the page is made of besides its data. */
export interface PageParts {
  readonly script: string
  readonly style: string
}

/**
 * Writes a report as one HTML page that needs nothing else, whole or not at all.
 * @param file absolute
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

export async function readParts(): Promise<PageParts> {
  const [script, style] = await Promise.all(
    ['report.js', 'report.css'].map((name) => readFile(new URL(name, FOLDER), 'utf8')),
  )
  return { script: script!, style: style! }
}

/**
 * The page as text. It runs its own script and no other, and asks for nothing but pictures beside it: its policy names the digests of what is in
 * it, and the data is no script.
 */
export function renderPage(data: PageData, { script, style }: PageParts): string {
  const { images, before, after } = data.totals
  const summary = `${images} ${images === 1 ? 'image' : 'images'}, ${formatBytes(before)} → ${formatBytes(after)} (${formatChange(before, after)})`
  // A page that is opened from the disk is nobody's `self`.
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
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="${GENERATOR}">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>pixpress: ${summary}</title>
<style>${style}</style>
</head>
<body>
<header><h1>pixpress</h1><p>${summary}</p></header>
<main id="report"><noscript>The table needs JavaScript; the page loads nothing.</noscript></main>
<script type="application/json" id="data">${inScript(data)}</script>
<script type="module">${script}</script>
</body>
</html>
`
}

const digestOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`

/** JSON that ends no element, and opens no comment, whatever the names of files are. */
const inScript = (data: PageData): string => JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
