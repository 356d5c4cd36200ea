import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { root } from './bootstrap.mjs'
import { importFrom } from './import-from.mjs'

// Makes docs/images/report-page.webp: the HTML report of the examples' pictures, as Chromium shows it, once the command
// has compressed them. Needs the built packages (`npm run build`) and Chromium, by default Debian's; PIXPRESS_CHROMIUM
// names another.
const { chromium } = await importFrom('test', 'playwright-core')
const { createOptimizer } = await importFrom('test', '@pixpress/core')
const { run } = await import(pathToFileURL(path.join(root, 'packages/cli/dist/run.js')).href)

const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
const optimizer = createOptimizer({ cache: false })
const browser = await chromium.launch({
  executablePath: process.env.PIXPRESS_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
})
try {
  await writeFile(path.join(folder, 'package.json'), '{}')
  await cp(path.join(root, 'examples/images'), path.join(folder, 'src'), { recursive: true })
  await cp(path.join(root, 'examples/images/logo.png'), path.join(folder, 'src/brand.png'))
  const quiet = { write: () => true }
  const args = ['compress', 'src', '--out', 'out', '--convert', 'webp', '--quiet', '--html', 'report.html']
  const { signal } = new AbortController()
  await run(args, { cwd: folder, env: {}, stdin: process.stdin, stdout: quiet, stderr: quiet, signal })
  const page = await browser.newPage({ viewport: { width: 1200, height: 1180 }, colorScheme: 'light' })
  await page.goto(pathToFileURL(path.join(folder, 'report.html')).href)
  await page.locator('.card img').evaluateAll((images) => {
    for (const image of images) image.decoding = 'sync'
    return Promise.all(images.map((image) => image.decode()))
  })
  // Pictures are painted some frames after they were decoded.
  await page.waitForTimeout(1000)
  const { data } = await optimizer.optimize(await page.screenshot(), { convert: { type: 'image/webp' } })
  await writeFile(path.join(root, 'docs/images/report-page.webp'), data)
  console.log(`docs/images/report-page.webp  ${data.length} bytes`)
} finally {
  await optimizer.close()
  await browser.close()
  await rm(folder, { recursive: true, force: true })
}
