import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { createProject, photo, requireTool, transparentGraphic } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import axe from 'axe-core'
import type { Browser, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from '../browser/chromium.ts'
import { giveFiles, openPage, startServer } from './page-server.ts'
import type { OpenPage, PageServer } from './page-server.ts'

const KEY = 'only-tests-use-this-key'
const chromium = requireTool('chromium')
const curl = requireTool('curl')

let project: Project
let server: PageServer
let printed: string
let browser: Browser
let opened: OpenPage
let page: Page
let jpeg: Buffer

beforeAll(async () => {
  if (chromium === undefined) return
  project = await createProject('page-compare', { packages: ['@pixpress/client'] })
  jpeg = await photo(320, 200).jpeg(97)
  await project.write("a photo's.jpg", jpeg)
  await project.write('cutout.png', await transparentGraphic(240, 160).png())
  server = await startServer(path.join(project.root, 'data'), { PIXPRESS_KEYS: KEY })
  printed = `${server.url}/#key=${KEY}`
  browser = await launch(chromium)
})

afterAll(async () => {
  await browser?.close()
  server?.process.kill('SIGTERM')
  await project?.dispose()
})

const dialog = (): Locator => page.getByRole('dialog')
const grip = (): Locator => dialog().getByRole('slider')
const percent = async (): Promise<number> => Number(await grip().getAttribute('aria-valuenow'))
const press = (name: string): Promise<void> => dialog().getByRole('button', { name, exact: true }).click()

/** Opens the page, and compares a picture on it. */
async function compare(name: string, options: Parameters<typeof openPage>[2] = {}): Promise<void> {
  opened = await openPage(browser, printed, options)
  page = opened.page
  await page.setInputFiles('#files', path.join(project.root, name))
  await opened.row(name).getByRole('button', { name: 'Compare' }).click()
  await dialog()
    .locator('.compare-pair img')
    .evaluateAll((images) => Promise.all((images as HTMLImageElement[]).map((image) => image.decode())))
}

describe.skipIf(chromium === undefined).sequential('the view that compares two pictures', () => {
  it('has a divider on the picture, which a mouse drags to where it is', async () => {
    await compare("a photo's.jpg")
    expect(await percent()).toBe(50)
    const picture = (await dialog().locator('.compare-after').boundingBox())!
    const middle = picture.y + picture.height / 2
    await page.mouse.move(picture.x + picture.width / 2, middle)
    await page.mouse.down()
    await page.mouse.move(picture.x + picture.width / 4, middle, { steps: 4 })
    expect(await percent()).toBe(25)
    const at = (await grip().boundingBox())!
    expect(Math.abs(at.x + at.width / 2 - (picture.x + picture.width / 4))).toBeLessThan(1.5)
    await page.mouse.move(picture.x - 200, middle)
    expect(await percent()).toBe(0)
    await page.mouse.up()
    await page.mouse.move(picture.x + picture.width, middle)
    expect(await percent()).toBe(0)
    // A click on the picture takes the divider there.
    await page.mouse.click(picture.x + picture.width * 0.8, picture.y + 20)
    expect(await percent()).toBe(80)
  })

  it('shows the source on the left of the divider, and the result on its right', async () => {
    const cut = await dialog()
      .locator('.compare-before')
      .evaluate((image) => [getComputedStyle(image).clipPath, image.getBoundingClientRect().width] as const)
    const left = Number.parseFloat(/calc\(100% - ([\d.]+)px\)/.exec(cut[0])![1]!)
    expect(Math.abs(left / cut[1] - 0.8)).toBeLessThan(0.01)
    expect(await dialog().locator('.compare-left').innerText()).toMatch(/^Before\s+JPEG, [\d.]+ kB$/)
    expect(await dialog().locator('.compare-right').innerText()).toMatch(/^After\s+\w+, [\d.]+ k?B$/)
  })

  it('is moved by keyboard, and says its value', async () => {
    await grip().focus()
    const expected: [key: string, percent: number][] = [
      ['Home', 0],
      ['ArrowRight', 1],
      ['Shift+ArrowRight', 11],
      ['ArrowLeft', 10],
      ['End', 100],
      ['Shift+ArrowLeft', 90],
    ]
    for (const [key, at] of expected) {
      await page.keyboard.press(key)
      expect(await percent(), key).toBe(at)
    }
    expect(await grip().getAttribute('aria-valuetext')).toBe('90 % before, 10 % after')
    expect(await grip().getAttribute('aria-label')).toContain('before and after')
  })

  it('zooms to device pixels by keyboard and by buttons', async () => {
    const width = async (): Promise<number> => (await dialog().locator('.compare-after').boundingBox())!.width
    const fitting = await width()
    // The picture is enlarged at most twice to fill the stage.
    expect(fitting).toBeLessThanOrEqual(640)
    await grip().focus()
    const sizes = []
    for (let step = 0; step < 3; step++) {
      await page.keyboard.press('+')
      sizes.push(await width())
    }
    expect(sizes).toEqual([320, 640, 1280])
    await page.keyboard.press('-')
    expect(await width()).toBe(640)
    await press('Fit')
    expect(await width()).toBe(fitting)
    expect(await dialog().getByRole('button', { name: 'Fit' }).getAttribute('aria-pressed')).toBe('true')
  })

  it('scrolls an enlarged picture by mouse, and keeps its middle when the zoom changes', async () => {
    await page.setViewportSize({ width: 700, height: 700 })
    await press('4×')
    const pane = dialog().locator('.compare-pane').first()
    const middle = () => pane.evaluate((each) => (each.scrollLeft + each.clientWidth / 2) / each.scrollWidth)
    expect(Math.abs((await middle()) - 0.5)).toBeLessThan(0.02)
    const box = (await pane.boundingBox())!
    await page.mouse.move(box.x + 500, box.y + 100)
    await page.mouse.down()
    await page.mouse.move(box.x + 300, box.y + 100, { steps: 3 })
    await page.mouse.up()
    expect(await middle()).toBeGreaterThan(0.6)
    await page.setViewportSize({ width: 1280, height: 720 })
  })

  it('shows both side by side with one scroll position, and what differs', async () => {
    await press('Side by side')
    expect(await grip().isVisible()).toBe(false)
    const panes = dialog().locator('.compare-pane')
    await panes.last().evaluate((pane) => pane.scrollTo(150, 80))
    await expect.poll(() => panes.first().evaluate((pane) => [pane.scrollLeft, pane.scrollTop])).toEqual([150, 80])
    await press('Differences')
    await press('Fit')
    const seen = await dialog().locator('.compare-pair').first().screenshot()
    const { channels } = await sharp(seen).stats()
    // The photograph itself is bright; what a good result lacks is dark.
    expect(channels[0]!.mean).toBeLessThan(110)
    expect(channels[0]!.max).toBeGreaterThan(0)
    await press('Divider')
  })

  it('shows another type in the same place', async () => {
    await grip().focus()
    await page.keyboard.press('Home')
    await dialog().locator('.pick', { hasText: 'WebP' }).locator('input').check()
    expect(await dialog().locator('.compare-right').innerText()).toMatch(/^After\s+WebP, /)
    expect(await percent()).toBe(0)
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'hidden' })
    expect(await opened.row('photo').locator('.pick:has(:checked)').innerText()).toMatch(/^WebP/)
    expect(opened.problems).toEqual([])
    await opened.close()
  })

  it('is dragged by a finger on a telephone, where transparent pictures lie on light checks', async () => {
    await compare('cutout.png', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      colorScheme: 'dark',
    })
    const picture = (await dialog().locator('.compare-after').boundingBox())!
    const y = picture.y + picture.height / 3
    const debug = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number) =>
      debug.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
    await touch('touchStart', picture.x + picture.width * 0.5)
    for (const share of [0.6, 0.7, 0.75]) await touch('touchMove', picture.x + picture.width * share)
    await touch('touchEnd', 0)
    await expect.poll(percent).toBe(75)
    const ground = await dialog()
      .locator('.compare-pair')
      .first()
      .evaluate((pair) => getComputedStyle(pair).backgroundImage)
    expect(ground).toContain('rgb(255, 255, 255)')
    await opened.close()
  })

  it('says which type the browser cannot show', async () => {
    opened = await openPage(browser, printed)
    page = opened.page
    const tiff = await sharp(jpeg).tiff().toBuffer()
    // A JPEG by its content, and no picture to the browser: its answer is replaced on the way.
    await page.route('**/output/*', (route) =>
      route.fulfill({ body: tiff, contentType: 'image/jxl', headers: { 'Image-Width': '320', 'Image-Height': '200' } }),
    )
    await giveFiles(page, 'drop', [{ name: 'unseen.jpg', type: 'image/jpeg', bytes: jpeg }])
    await opened.row('unseen.jpg').getByRole('button', { name: 'Compare' }).click()
    await dialog().getByText('This browser cannot show JPEG XL pictures.').waitFor()
    await opened.close()
  })
})

describe.skipIf(chromium === undefined)('the page of the server, in every window', () => {
  it.each(
    [360, 390, 1280, 2560].flatMap((width) => (['light', 'dark'] as const).map((scheme) => [width, scheme] as const)),
  )('has no fault that axe knows, %i pixels wide and %s, and room for fingers', async (width, colorScheme) => {
    opened = await openPage(browser, 'about:blank', { viewport: { width, height: 900 }, colorScheme })
    page = opened.page
    const refused: string[] = []
    await page.exposeFunction('noteRefusal', (what: string) => refused.push(what))
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        (globalThis as unknown as { noteRefusal(what: string): void }).noteRefusal(
          `${violatedDirective} ${blockedURI}`,
        ),
      )
    })
    await page.goto(printed)
    expect(await faults(page)).toEqual([])
    expect(await smallTargets(page)).toEqual([])
    await page.setInputFiles('#files', [
      { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: jpeg },
      { name: 'torn.png', mimeType: 'image/png', buffer: Buffer.from('89504e470d0a1a0a0000', 'hex') },
    ])
    await opened.row('photo').getByRole('button', { name: 'Compare' }).waitFor()
    await opened.row('torn.png').getByRole('button', { name: 'Remove' }).waitFor()
    await page.click('#more-title')
    expect(await faults(page)).toEqual([])
    expect(await smallTargets(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    await opened.row('photo').getByRole('button', { name: 'Compare' }).click()
    expect(await faults(page)).toEqual([])
    expect(await smallTargets(page)).toEqual([])
    expect(await dialog().evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0)
    expect({ problems: opened.problems, refused }).toEqual({ problems: [], refused: [] })
    await opened.close()
  })
})

describe.skipIf(chromium === undefined || curl === undefined)('the texts that do the same elsewhere', () => {
  it.each([
    ['as it comes', 2, 'auto', ''],
    ['in another quality', 0, 'image/webp', ''],
    ['in another size', 2, 'image/avif', '64'],
  ] as const)('run, and give the same picture: %s', async (_, quality, type, width) => {
    opened = await openPage(browser, printed, { permissions: ['clipboard-read', 'clipboard-write'] })
    page = opened.page
    await page.locator('#quality').fill(String(quality))
    await page.selectOption('[name=type]', type)
    await page.fill('[name=width]', width)
    await page.setInputFiles('#files', path.join(project.root, "a photo's.jpg"))
    const line = opened.row('photo')
    await line.getByRole('button', { name: 'Compare' }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      line.getByRole('button', { name: 'Download' }).click(),
    ])
    const expected = await readFile(await download.path())
    const name = download.suggestedFilename()
    await line.getByRole('button', { name: 'Compare' }).click()
    const copied = async (kind: string): Promise<string> => {
      await press(kind)
      await dialog()
        .getByRole('button', { name: `Copy ${kind}` })
        .click()
      await dialog()
        .getByRole('button', { name: `Copy ${kind}` })
        .getByText('Copied')
        .waitFor()
      return page.evaluate(() => navigator.clipboard.readText())
    }
    const [forShell, forNode, forPage] = [await copied('curl'), await copied('JavaScript'), await copied('<picture>')]
    expect(`${forShell}${forNode}${forPage}`).not.toContain(KEY)

    const run = promisify(execFile)
    const settings = { cwd: project.root, env: { ...process.env, PIXPRESS_KEY: KEY } }
    await run('sh', ['-euc', forShell], settings)
    expect((await readFile(path.join(project.root, name))).equals(expected)).toBe(true)
    await project.write('again.mjs', forNode)
    const before = await stat(path.join(project.root, name))
    await run(process.execPath, ['again.mjs'], settings)
    expect((await stat(path.join(project.root, name))).mtimeMs).toBeGreaterThan(before.mtimeMs)
    expect((await readFile(path.join(project.root, name))).equals(expected)).toBe(true)
    if (type === 'auto') expect(await shownBy(forPage)).toBe(name)
    await opened.close()
  })
})

describe.skipIf(chromium === undefined)('a text to copy, where the browser lets no page copy', () => {
  it('is selected for the keyboard', async () => {
    opened = await openPage(browser, 'about:blank')
    page = opened.page
    // Browsers have no clipboard for pages without encryption.
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await page.goto(printed)
    await page.setInputFiles('#files', path.join(project.root, 'cutout.png'))
    await opened.row('cutout.png').getByRole('button', { name: 'Compare' }).click()
    await press('curl')
    await dialog().getByRole('button', { name: 'Copy curl' }).click()
    await dialog().getByText('Press Ctrl+C', { exact: true }).waitFor()
    const selected = await page.evaluate(() => getSelection()!.toString())
    expect(selected).toBe(await dialog().locator('.copy code').innerText())
    await opened.close()
  })
})

/** Returns the name of the file that a browser takes of an element. */
async function shownBy(html: string): Promise<string> {
  const asked: string[] = []
  const context = await browser.newContext()
  const empty = await context.newPage()
  await empty.route('http://example.test/**', async (route) => {
    const name = decodeURIComponent(new URL(route.request().url()).pathname.slice(1))
    if (name === '') return route.fulfill({ contentType: 'text/html', body: html })
    asked.push(name)
    return route.fulfill({ body: await readFile(path.join(project.root, "a photo's.jpg")) })
  })
  await empty.goto('http://example.test/', { waitUntil: 'networkidle' })
  await context.close()
  return asked.filter((name) => name !== 'favicon.ico').join(' ')
}

/** Findings of axe-core, which the page's own policy keeps out of the page: it comes through the debugger. */
async function faults(of: Page): Promise<string[]> {
  await of.evaluate(axe.source)
  return of.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run()
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`)
  })
}

/** Lists the targets that are less than 44 pixels high or wide. */
function smallTargets(of: Page): Promise<string[]> {
  return of.evaluate(() => {
    const top = document.querySelector('dialog[open]') ?? document
    const targets = [...top.querySelectorAll<HTMLElement>('button, a, select, summary, input:not([type=file]), .drop')]
    return targets
      .filter((each) => {
        const { width, height } = each.getBoundingClientRect()
        return width > 0 && Math.min(width, height) < 43.5
      })
      .map(({ outerHTML }) => outerHTML.slice(0, 90))
  })
}
