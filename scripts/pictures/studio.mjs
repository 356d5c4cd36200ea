import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { root } from '../bootstrap.mjs'
import { importFrom } from '../import-from.mjs'

/** Milliseconds for what a page waits for. */
const PATIENCE = 600_000

/** Windows in which a face is shown, in pixels. */
const WINDOWS = [
  { width: 1280, height: 860 },
  { width: 390, height: 780 },
]

/**
 * The tools that all pictures are made with: a browser, an engine without a cache, a temporary folder, and `save`,
 * which compresses a picture into docs/images.
 */
export async function openStudio() {
  const { chromium } = await importFrom('test', 'playwright-core')
  const { createOptimizer } = await importFrom('test', '@pixpress/core')
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
  const optimizer = createOptimizer({ cache: false })
  const browser = await chromium.launch({
    executablePath: process.env.PIXPRESS_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
  })
  /** A page that waits as long as a busy machine takes. */
  const newPage = async (options) => {
    const page = await browser.newPage(options)
    page.setDefaultTimeout(PATIENCE)
    return page
  }
  const save = async (name, picture, quality = 'high') => {
    const file = path.join(root, 'docs/images', name)
    await mkdir(path.dirname(file), { recursive: true })
    const { data, info } = await optimizer.optimize(picture, { convert: { type: 'image/webp' }, quality })
    await writeFile(file, data)
    console.log(`docs/images/${name}  ${info.width}×${info.height}  ${info.size} bytes`)
  }
  return {
    newPage,
    optimizer,
    folder,
    save,
    /** Writes a page into the folder and gives its URL. */
    async pageOf(name, html) {
      await writeFile(path.join(folder, name), html)
      return pathToFileURL(path.join(folder, name)).href
    },
    /** Shows a face in each window, by day and at night. @param show brings a page to what is to be seen */
    async shootFace(face, show) {
      for (const { width, height } of WINDOWS) {
        for (const colorScheme of ['light', 'dark']) {
          const page = await newPage({ viewport: { width, height }, colorScheme })
          await show(page, { width, colorScheme })
          await settle(page)
          await save(`faces/${face}-${width}-${colorScheme}.webp`, await page.screenshot(), 'balanced')
          await page.close()
        }
      }
    },
    async close() {
      await optimizer.close()
      await browser.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Waits until all pictures in view are there: they are painted some frames after they were decoded. */
export async function settle(page) {
  await page.evaluate(async () => {
    const shown = [...document.images].filter((image) => image.loading !== 'lazy' || image.complete)
    for (const image of shown) image.decoding = 'sync'
    await Promise.allSettled(shown.map((image) => image.decode()))
  })
  await page.waitForTimeout(1000)
}
