import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createProject, requireTool, naming } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serve } from '../vite/serve.ts'
import type { DevServer } from '../vite/serve.ts'
import { launch } from './chromium.ts'

const ICON = path.resolve(import.meta.dirname, '../../examples/images/icon.png')

const chromium = requireTool('chromium')
let project: Project
let dev: DevServer
let browser: Browser
let page: Page
let site: string
const requested: string[] = []

beforeAll(async () => {
  if (chromium === undefined) return
  project = await createProject('inspector', { packages: [] })
  const icon = await readFile(ICON)
  await project.write('icon.png', icon)
  await project.write('plain.png', icon)
  await project.write('style.css', 'body { background: url(./icon.png?w=32) no-repeat }')
  await project.write(
    'main.js',
    "import './style.css'\nimport small from './icon.png?w=90&format=webp'\ndocument.querySelector('#good').src = small\n",
  )
  await project.write(
    'index.html',
    `<!doctype html><html><head><link rel="icon" href="data:,"></head><body>
      <img id="good" width="90" height="90" alt=""><img id="large" src="./icon.png" width="40" height="40" alt="">
      <img id="bare" src="./icon.png" alt=""><img id="plain" vite-ignore src="/plain.png?other=1" width="180" height="180" alt="">
      <script type="module" src="./main.js"></script></body></html>`,
  )
  dev = await serve(project, 'vite')
  site = `http://127.0.0.1:${(dev.server.httpServer!.address() as AddressInfo).port}`
  browser = await launch(chromium)
  page = await browser.newPage({ colorScheme: 'light' })
  page.on('request', (request) => requested.push(request.url()))
})

afterAll(async () => {
  await browser?.close()
  await dev?.close()
  await project?.dispose()
})

/** The labels of the overlay, by their subjects. */
const labels = (): Promise<string[]> =>
  page.evaluate(() => {
    const root = document.querySelector('#pixpress-overlay')?.shadowRoot
    return [...(root?.querySelectorAll('.label') ?? [])].map((label) => label.textContent)
  })

describe.skipIf(chromium === undefined)('the inspector', () => {
  it('outlines on Alt+P what is drawn too small, has no size, or is not through pixpress', async () => {
    await page.goto(site, { waitUntil: 'networkidle' })
    await page.keyboard.press('Alt+P')
    await page.waitForSelector('#pixpress-overlay', { state: 'attached' })
    expect(await labels()).toEqual([
      expect.stringMatching(/^180 × 180 pixels drawn at 40 × 40 \?w=80$/),
      expect.stringContaining('width and height'),
      'not through pixpress',
    ])
    await page.keyboard.press('Escape')
    expect(await page.locator('#pixpress-overlay').count()).toBe(0)
  })

  it('lists every image with its variants, bytes, score, places and a directive, by keyboard alone', async () => {
    await page.goto(`${site}/__pixpress/`, { waitUntil: 'networkidle' })
    const rows = page.locator('#list button')
    expect(await rows.count()).toBe(3)
    await page.locator('#find').fill('w=90')
    expect(await rows.count()).toBe(1)
    await rows.first().focus()
    await page.keyboard.press('Enter')
    const detail = page.locator('#detail')
    await detail.locator('.compare').waitFor()
    const text = (await detail.innerText()).replaceAll(/\s+/g, ' ')
    expect(text).toMatch(/asked w=90&format=webp/)
    expect(text).toMatch(/source PNG, 180 × 180, [\d.]+ kB/)
    expect(text).toMatch(/result WebP, 90 × 90, [\d.]+ k?B/)
    expect(text).toMatch(/score \d\d\.\d of 100/)
    expect(text).toEqual(naming('/icon.png', '90', 'main.js'))
    expect(text).toMatch(/used in main\.js/)
    expect(text).toMatch(/variants .*as it is/)
  })

  it('names stylesheets and pages that refer to an image', async () => {
    const images = (await (await fetch(`${site}/__pixpress/images.json`)).json()) as {
      asked: string
      references: string[]
    }[]
    expect(Object.fromEntries(images.map(({ asked, references }) => [asked, references]))).toEqual({
      '': ['index.html'],
      'w=32': ['style.css'],
      'w=90&format=webp': ['main.js'],
    })
  })

  it('has a text to copy for the kind of each place, which that place takes', async () => {
    const images = (await (await fetch(`${site}/__pixpress/images.json`)).json()) as {
      id: string
      asked: string
    }[]
    for (const { id } of images) await (await fetch(`${site}/__pixpress/image/${id}`)).arrayBuffer()
    const made = (await (await fetch(`${site}/__pixpress/images.json`)).json()) as {
      asked: string
      copies: { kind: string; places: string[]; text: string }[]
    }[]
    expect(Object.fromEntries(made.map(({ asked, copies }) => [asked, copies]))).toEqual({
      '': [
        {
          kind: 'html',
          places: ['index.html'],
          text: 'srcset="./icon.png?w=45 45w, ./icon.png?w=90 90w, ./icon.png?w=180 180w" sizes="100vw"',
        },
      ],
      'w=32': [{ kind: 'css', places: ['style.css'], text: 'url("./icon.png?w=32")' }],
      'w=90&format=webp': [{ kind: 'import', places: ['main.js'], text: './icon.png?w=90&format=webp' }],
    })
  })

  it('compares before and after in the view that all pages share, by keyboard', async () => {
    const grip = page.getByRole('slider')
    await grip.focus()
    await page.keyboard.press('Home')
    expect(await grip.getAttribute('aria-valuetext')).toBe('0 % before, 100 % after')
    for (let press = 0; press < 3; press++) await page.keyboard.press('+')
    expect((await page.locator('.compare-after').boundingBox())!.width).toBe(360)
  })

  it('opens on the heaviest image', async () => {
    await page.goto('about:blank')
    await page.goto(`${site}/__pixpress/`, { waitUntil: 'networkidle' })
    const rows = page.locator('#list button')
    expect(await rows.first().getAttribute('aria-current')).toBe('true')
    const sizes = await rows.locator('.bytes b').allInnerTexts()
    expect(sizes).toEqual(['1.4 kB', expect.stringMatching(/^\d+ B$/), expect.stringMatching(/^\d+ B$/)])
    await page.locator('#detail .compare').waitFor()
  })

  it.each([390, 1280])('fits a window %i pixels wide, and has no fault that axe knows', async (width) => {
    await page.setViewportSize({ width, height: 844 })
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate(axe.source)
      const found = await page.evaluate(async () => {
        const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run()
        return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`)
      })
      expect(found).toEqual([])
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  })

  it('asks nobody but the dev server, and follows dark mode', async () => {
    const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await ground()
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await ground()).not.toBe(light)
    expect(requested.filter((url) => !url.startsWith(site) && !url.startsWith('data:'))).toEqual([])
  })
})
