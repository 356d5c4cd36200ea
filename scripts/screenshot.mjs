import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { promisify, stripVTControlCharacters } from 'node:util'
import { root } from './bootstrap.mjs'
import { importFrom } from './import-from.mjs'
import { pictures, terminal } from './screenshot-page.mjs'

// Makes the README's images from the real thing: the Vite example's page as Chromium shows it, and the report that the
// plugin prints when it builds that page from nothing. They are WebP: as PNG, the photographs would take five times as
// much. Needs the built packages (`npm run build`), util-linux and Chromium, by default Debian's; PIXPRESS_CHROMIUM
// names another.
const example = path.join(root, 'examples', 'vite')
const docs = path.join(root, 'docs', 'images')

const { preview } = await importFrom('examples/vite', 'vite')
const { chromium } = await importFrom('test', 'playwright-core')
const { createOptimizer } = await importFrom('test', '@pixpress/core')

/**
 * Builds the example without a cache, on a terminal of 80 columns (of util-linux's `script`), and gives the report of
 * it.
 */
async function buildReport() {
  await rm(path.join(example, 'node_modules', '.cache', 'pixpress'), { recursive: true, force: true })
  const { CI: _, NO_COLOR: __, ...env } = process.env
  const { stdout } = await promisify(execFile)(
    'script',
    ['--quiet', '--return', '--command', 'stty cols 80; npx vite build', '/dev/null'],
    { cwd: example, env: { ...env, TERM: 'xterm-256color' } },
  )
  const lines = stdout.split(/\r*\n/).map(asShown)
  const first = lines.findIndex((line) => /^pixpress {2}\d+ image/.test(stripVTControlCharacters(line)))
  const last = lines.findIndex((line) => /^ {2}total /.test(stripVTControlCharacters(line)))
  if (first === -1 || last < first) throw new Error(`The build printed no report:\n${stdout}`)
  return lines.slice(first, last + 1).join('\n')
}

/** Returns the rest of a line that has been written over, as a terminal shows it. */
const asShown = (line) => line.slice(line.lastIndexOf('\r') + 1).replaceAll('\u001B[2K', '')

async function shoot(browser, { url, width, height, scale, selector }) {
  const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: scale })
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())))
  const image = selector === undefined ? await page.screenshot() : await page.locator(selector).screenshot()
  await page.close()
  return image
}

const report = await buildReport()
await mkdir(docs, { recursive: true })
const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
const server = await preview({ root: example, logLevel: 'silent', preview: { host: '127.0.0.1', port: 0 } })
const browser = await chromium.launch({
  executablePath: process.env.PIXPRESS_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
})
const optimizer = createOptimizer({ cache: false })
try {
  const html = async (name, text) => {
    await writeFile(path.join(folder, name), text)
    return pathToFileURL(path.join(folder, name)).href
  }
  const save = async (name, image) => {
    const { data, input, info } = await optimizer.optimize(image, { convert: { type: 'image/webp' } })
    await writeFile(path.join(docs, name), data)
    console.log(`docs/images/${name}  ${info.width}×${info.height}  ${input.size} → ${info.size} bytes`)
  }
  const { port } = server.httpServer.address()
  const site = { url: `http://127.0.0.1:${port}/`, width: 1280, scale: 1 }
  const view = { width: 1400, height: 1000, scale: 1.5, selector: 'main' }
  await save('example-page.webp', await shoot(browser, { ...site, height: 960 }))
  await save('report.webp', await shoot(browser, { ...view, url: await html('report.html', terminal(report)) }))
  const page = await shoot(browser, { ...site, height: 1600 })
  const both = await html('both.html', pictures(report, page))
  await save('report-and-page.webp', await shoot(browser, { ...view, url: both }))
} finally {
  await optimizer.close()
  await browser.close()
  await server.close()
  await rm(folder, { recursive: true, force: true })
}
