import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { promisify, stripVTControlCharacters } from 'node:util'
import { root } from '../bootstrap.mjs'
import { importFrom } from '../import-from.mjs'
import { pictures, plainTerminal } from './terminal-page.mjs'

const example = path.join(root, 'examples', 'vite')

/** Columns of terminals by the width of the window that shows them, in pixels. */
const COLUMNS = { 1280: 80, 390: 44 }

/**
 * Makes the Vite example's page as Chromium shows it, and the report that the plugin prints when it builds that page
 * from nothing. They are WebP: as PNG, the photographs would take five times as much.
 */
export async function make({ newPage, pageOf, save, shootFace }) {
  const { preview } = await importFrom('examples/vite', 'vite')
  const report = await buildReport(80)
  const server = await preview({ root: example, logLevel: 'silent', preview: { host: '127.0.0.1', port: 0 } })
  try {
    const { port } = server.httpServer.address()
    const site = { url: `http://127.0.0.1:${port}/`, width: 1280, scale: 1 }
    const view = { width: 1400, height: 1000, scale: 1.5, selector: 'main' }
    const page = await shoot(newPage, { ...site, height: 1600 })
    const both = await pageOf('both.html', pictures(report, page))
    await save('report-and-page.webp', await shoot(newPage, { ...view, url: both }))
  } finally {
    await server.close()
  }
  const faces = { 1280: report, 390: await buildReport(COLUMNS[390]) }
  await shootFace('terminal', async (face, { width }) => {
    await face.goto(await pageOf(`terminal-${width}.html`, plainTerminal(faces[width])))
  })
}

/**
 * Builds the example without a cache, on a terminal of so many columns (of util-linux's `script`), and gives the report
 * of it.
 */
async function buildReport(columns) {
  await rm(path.join(example, 'node_modules', '.cache', 'pixpress'), { recursive: true, force: true })
  await rm(path.join(example, '.cache', 'pixpress'), { recursive: true, force: true })
  const { CI: _, NO_COLOR: __, ...env } = process.env
  const { stdout } = await promisify(execFile)(
    'script',
    ['--quiet', '--return', '--command', `stty cols ${columns}; npx vite build`, '/dev/null'],
    { cwd: example, env: { ...env, TERM: 'xterm-256color' } },
  )
  const lines = stdout.split(/\r*\n/).map(asShown)
  const plain = lines.map((line) => stripVTControlCharacters(line))
  const first = plain.findIndex((line) => /^pixpress {2}\d+ image/.test(line))
  const last = plain.findLastIndex((line) => /^pixpress {2}.*→/.test(line))
  if (first === -1 || last <= first) throw new Error(`The build printed no report:\n${stdout}`)
  // The time is the machine's and its load's: a picture would make it the build's.
  lines[first] = lines[first].replace(/ +(?:\d+ min )?[\d.]+ s\b/, '')
  return lines.slice(first, last + 1).join('\n')
}

/** Returns the rest of a line that has been written over, as a terminal shows it. */
const asShown = (line) => line.slice(line.lastIndexOf('\r') + 1).replaceAll('\u001B[2K', '')

async function shoot(newPage, { url, width, height, scale, selector }) {
  const page = await newPage({ viewport: { width, height }, deviceScaleFactor: scale })
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())))
  const image = selector === undefined ? await page.screenshot() : await page.locator(selector).screenshot()
  await page.close()
  return image
}
