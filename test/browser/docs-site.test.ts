import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { requireTool } from '@pixpress/testkit'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from './chromium.ts'
import { serveFolder } from './servers.ts'
import type { Server } from './servers.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const DOCS = path.join(ROOT, 'docs')
const DIST = path.join(DOCS, '.vitepress/dist')

const run = promisify(execFile)
const chromium = requireTool('chromium')
let server: Server
let browser: Browser

beforeAll(async () => {
  const vitepress = path.join(DOCS, 'node_modules/vitepress/bin/vitepress.js')
  const env = { ...process.env, DOCS_EFFORT: 'fast' }
  await run(process.execPath, [vitepress, 'build', DOCS], { env, maxBuffer: 16 * 2 ** 20 })
  if (chromium === undefined) return
  server = await serveFolder(DIST)
  browser = await launch(chromium)
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** A page of the site in a window, with what goes wrong on it and what it asks for. */
async function open(
  name: string,
  { width, colorScheme }: { width: number; colorScheme: 'light' | 'dark' },
): Promise<{ page: Page; problems: string[]; requested: string[] }> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
  const [problems, requested]: [string[], string[]] = [[], []]
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  page.on('request', (request) => requested.push(`${request.method()} ${new URL(request.url()).origin}`))
  await page.goto(`${server.url}${name}`, { waitUntil: 'networkidle' })
  return { page, problems, requested }
}

/** Findings of axe-core. */
async function faults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run()
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 200)}`)
  })
}

/** Both widths and both schemes: what is too wide does not depend on colours. */
const WINDOWS = [
  { width: 390, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
] as const

/** A row of the playground whose result has a score of at least 80. */
const KEPT = /\s(?:8\d|9\d)\.\d\s+(?:this browser|pixpress in WebAssembly|libjxl in WebAssembly), (?:quality )?\d+/

const PAGES = [
  'index',
  'start',
  'playground',
  'reference',
  'options',
  'server',
  'report',
  'bundlers',
  'faces',
  'frameworks/index',
]

describe('the site of the documentation', () => {
  it('has a page for each Markdown file', async () => {
    // Folder by folder: the links of node_modules lead round and round.
    const folders = await Promise.all(
      ['', 'frameworks/'].map(async (folder) => (await readdir(path.join(DOCS, folder))).map((name) => folder + name)),
    )
    const pages = folders.flat().filter((name) => name.endsWith('.md'))
    const built = pages.map((name) => name.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html'))
    const missing: string[] = []
    for (const name of built) if (!(await stat(path.join(DIST, name)).catch(() => undefined))) missing.push(name)
    expect(missing).toEqual([])
    expect(built.length).toBeGreaterThan(50)
  })
})

describe.skipIf(chromium === undefined)('the site of the documentation in Chromium', () => {
  describe.each(WINDOWS)('$width pixels wide, $colorScheme', (view) => {
    it.each(PAGES)('shows %s without an error, without a fault that axe knows, and within the window', async (name) => {
      const { page, problems, requested } = await open(`${name}.html`, view)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect({ problems, faults: await faults(page), wide }).toEqual({ problems: [], faults: [], wide: 0 })
      expect(new Set(requested)).toEqual(new Set([`GET ${new URL(server.url).origin}`]))
      await page.close()
    })
  })

  it('finds a page by its words', async () => {
    const { page, problems } = await open('index.html', { width: 1280, colorScheme: 'light' })
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('searchbox').fill('browserslist')
    await page.locator('.VPLocalSearchBox .result').first().waitFor()
    expect(await page.locator('.VPLocalSearchBox').innerText()).toContain('whole site')
    expect(problems).toEqual([])
    await page.close()
  })

  it('narrows the table of all options down, and shows all of it without scripts', async () => {
    const { page } = await open('reference.html', { width: 1280, colorScheme: 'light' })
    await page.getByRole('searchbox', { name: 'Find' }).fill('quality score')
    const shown = page.locator('.vp-doc tbody tr:visible')
    const texts = await shown.allInnerTexts()
    expect(texts.length).toBeGreaterThan(1)
    expect(texts.filter((text) => !/quality/i.test(text) || !/score/i.test(text))).toEqual([])
    await page.close()
    const context = await browser.newContext({ javaScriptEnabled: false })
    const plain = await context.newPage()
    await plain.goto(`${server.url}reference.html`)
    expect(await plain.locator('.vp-doc tbody tr:visible').count()).toBeGreaterThan(200)
    expect(await plain.getByRole('searchbox', { name: 'Find' }).count()).toBe(0)
    await context.close()
  })

  it('compares a photograph with its source where somebody asks for it', async () => {
    const { page, problems } = await open('index.html', { width: 390, colorScheme: 'dark' })
    await page.getByRole('button', { name: /^Compare with the source/ }).click()
    const divider = page.getByRole('slider')
    await divider.press('End')
    expect(await divider.getAttribute('aria-valuenow')).toBe('100')
    expect(await page.locator('.compare-label').allInnerTexts()).toEqual([
      expect.stringMatching(/^Before\s+JPEG, 143 kB$/),
      expect.stringMatching(/^After\s+(?:AVIF|WebP), [\d.]+ kB$/),
    ])
    expect(await faults(page)).toEqual([])
    expect(problems).toEqual([])
    await page.close()
  })

  it('keeps the promise in the playground, which sends nothing', async () => {
    const { page, problems, requested } = await open('playground.html', { width: 1280, colorScheme: 'light' })
    await page.setInputFiles('input[type=file]', path.join(ROOT, 'examples/images/dahlia.jpg'))
    await page.getByText(/^Done in [\d.]+ s/).waitFor({ timeout: 300_000 })
    const rows = await page.locator('.playground-table tbody tr').allInnerTexts()
    for (const type of ['JPEG', 'WebP']) expect(rows.find((row) => row.startsWith(`${type}\t`))).toMatch(KEPT)
    expect(rows.find((row) => row.startsWith('JPEG XL'))).toMatch(KEPT)
    expect(await page.locator('.playground-best').innerText()).toMatch(/^143 kB → [\d.]+ kB as .*, −\d\d %$/)
    expect(await page.getByRole('slider').count()).toBe(1)
    expect(await faults(page)).toEqual([])
    expect(problems).toEqual([])
    expect(requested.filter((request) => !/^GET (?:http:\/\/127\.0\.0\.1:\d+|null)$/.test(request))).toEqual([])
    await page.close()
  })

  it('names a file that is no picture, and takes the next', async () => {
    const { page } = await open('playground.html', { width: 390, colorScheme: 'dark' })
    const broken = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }
    await page.setInputFiles('input[type=file]', broken)
    await page.getByText('This browser cannot read the file.').waitFor()
    await page.setInputFiles('input[type=file]', path.join(ROOT, 'examples/images/icon.png'))
    await page.getByText(/^Done in /).waitFor({ timeout: 300_000 })
    const rows = await page.locator('.playground-table tbody tr').allInnerTexts()
    expect(rows[0]).toContain('transparency')
    expect(rows.find((row) => row.startsWith('PNG\t'))).toMatch(KEPT)
    await page.close()
  })

  it('has no finding of the audit on any page with a picture', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-docs-'))
    await cp(DIST, folder, { recursive: true })
    for (const name of await readdir(folder, { recursive: true, encoding: 'utf8' })) {
      const file = path.join(folder, name)
      if (name.endsWith('.html') && !(await readFile(file, 'utf8')).includes('<img ')) await rm(file)
    }
    const command = path.join(ROOT, 'packages/cli/dist/bin.js')
    const env = { ...process.env, CHROME_PATH: chromium }
    const options = { env, maxBuffer: 64 * 2 ** 20 }
    const { stdout } = await run(process.execPath, [command, 'audit', folder, '--json'], options)
    const { pages, findings } = JSON.parse(stdout) as { pages: unknown[]; findings: unknown[] }
    expect(findings).toEqual([])
    expect(pages.length).toBeGreaterThan(3)
    await rm(folder, { recursive: true })
  })
})
