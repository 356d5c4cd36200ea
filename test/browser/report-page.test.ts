import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createReport, writeReportPage } from '@pixpress/core/report'
import type { ReportImage } from '@pixpress/core/report'
import { createProject, requireTool } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import axe from 'axe-core'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from './chromium.ts'

const IMAGES = path.resolve(import.meta.dirname, '../../examples/images')
const HOSTILE = 'src/<img src=x onerror=document.title=1>.png'

const chromium = requireTool('chromium')
let project: Project
let browser: Browser
let page: Page
const problems: string[] = []
const requested: string[] = []

const image = (source: string, before: number, after: number, rest: Partial<ReportImage> = {}): ReportImage => ({
  source,
  type: 'image/png',
  inputType: 'image/png',
  before,
  after,
  ratio: after / before,
  width: 180,
  height: 180,
  cached: false,
  kept: 'output',
  notes: [],
  ...rest,
})

beforeAll(async () => {
  if (chromium === undefined) return
  project = await createProject('report-page', { packages: [] })
  const [before, after] = await Promise.all(['icon.png', 'logo.png'].map((name) => readFile(path.join(IMAGES, name))))
  await project.write('src/icon.png', before!)
  await project.write('dist/assets/icon-1a2b3c.png', after!)
  const html =
    '<picture><source srcset="/assets/icon-1a2b3c.png"><img src="/none.png" alt=""></picture><img src="/gone.png">'
  await project.write('dist/blog/index.html', html)
  const real = image('src/icon.png', before!.length, after!.length, { score: 81.5, duplicates: ['src/copy.png'] })
  const made = Array.from({ length: 998 }, (_, at) =>
    image(`src/many/${at}.png`, 90_000 + at, 10_000 + at * 7, { reason: at % 9 === 0 ? 'smallest' : undefined! }),
  )
  const all = [real, image(HOSTILE, 70_000, 69_000, { notes: ['A <b>remark</b>.'] }), ...made]
  const report = createReport(
    new Map(all.map((each, at) => [`${at}`, each])),
    [{ source: 'src/torn.png', code: 'DECODE_FAILED', message: 'The image cannot be decoded.' }],
    4200,
  )
  const older = createReport(new Map(all.slice(1).map((each, at) => [`${at}`, each])), [], 4200)
  await writeReportPage(path.join(project.root, 'dist/report.html'), report, project.root, older)
  browser = await launch(chromium)
  page = await browser.newPage({ colorScheme: 'light', viewport: { width: 1280, height: 900 } })
  page.on('request', (request) => requested.push(request.url()))
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => problems.push(message.text()))
  await page.goto(pathToFileURL(path.join(project.root, 'dist/report.html')).href)
})

afterAll(async () => {
  await browser?.close()
  await project?.dispose()
})

const names = (): Promise<string[]> => page.locator('table:has(caption:text-is("Images")) tbody .name').allInnerTexts()

const find = (): Locator => page.getByRole('searchbox')

/** Findings of axe-core, which the page's own policy keeps out of the page: it comes through the debugger. */
async function faults(): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run()
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`)
  })
}

describe.skipIf(chromium === undefined)('the page of a report', () => {
  it('tells what each page of the build delivers', async () => {
    const table = page.locator('table:has(caption:text-is("Pages"))')
    const { length } = await readFile(path.join(project.root, 'dist/assets/icon-1a2b3c.png'))
    const bytes = `${(length / 1000).toFixed(1)} kB`
    expect(await table.locator('thead th').allInnerTexts()).toEqual(
      ['Page', 'Images', '390 px @ 3x', '768 px @ 2x', '1280 px @ 2x'].map((name) => expect.stringContaining(name)),
    )
    expect(await table.locator('tbody tr').first().locator('td, th').allInnerTexts()).toEqual([
      'blog/index.html',
      '2',
      bytes,
      bytes,
      bytes,
    ])
    expect(await page.locator('section[aria-label=Delivered] p').innerText()).toContain('1 picture is elsewhere')
  })

  it('has no fault that axe knows, light or dark', async () => {
    // A fault of one row is a fault of all, and axe looks at each for its colours.
    await find().fill('many/99')
    expect(await names()).toHaveLength(9)
    expect(await faults()).toEqual([])
    const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await ground()
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await ground()).not.toBe(light)
    expect(await faults()).toEqual([])
    await find().fill('')
  })

  it('puts its rows in order, and finds among them, by keyboard', async () => {
    expect(await names()).toHaveLength(1000)
    const heading = page.locator('table:has(caption:text-is("Images")) th', { hasText: 'Before' })
    await heading.locator('button').focus()
    await page.keyboard.press('Enter')
    expect(await heading.getAttribute('aria-sort')).toBe('descending')
    expect((await names())[0]).toBe('src/many/997.png')
    await page.keyboard.press('Enter')
    expect(await heading.getAttribute('aria-sort')).toBe('ascending')
    expect((await names())[0]).toBe('src/icon.png')
    await page.getByLabel('Which').selectOption('under several names')
    expect(await names()).toEqual(['src/icon.png'])
    await page.getByLabel('Which').selectOption('all')
    await find().fill('onerror')
    expect(await names()).toEqual([HOSTILE])
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    await find().fill('')
  })

  it('names what is broken, under several names, and new since the older report', async () => {
    const text = await page.locator('main').innerText()
    expect(text).toContain('src/torn.png: The image cannot be decoded. (DECODE_FAILED)')
    expect(text).toMatch(/src\/copy\.png = src\/icon\.png/)
    expect(text).toMatch(/1 changed, 999 unchanged/)
    expect(await page.locator('.tile').count()).toBe(301)
  })

  it('opens an image before and after, zooms both at once and shows what differs', async () => {
    await find().fill('icon.png')
    await page.locator('.name', { hasText: 'icon.png' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.locator('dialog')
    await dialog.locator('.stage img').first().waitFor()
    expect(await faults()).toEqual([])
    expect(await dialog.innerText()).toMatch(/81\.50 of 100/)
    await dialog.getByLabel('View').selectOption('side by side')
    await dialog.locator('.pane').first().focus()
    for (let press = 0; press < 4; press++) await page.keyboard.press('+')
    const sizes = await dialog.locator('.stage img').evaluateAll((all) => all.map((each) => each.clientWidth))
    expect(sizes).toEqual([1440, 1440])
    const panes = dialog.locator('.pane')
    await panes.first().evaluate((pane) => pane.scrollTo(300, 200))
    await expect
      .poll(() => panes.last().evaluate((pane) => [pane.scrollLeft, pane.scrollTop]), { timeout: 10_000 })
      .toEqual([300, 200])
    await dialog.getByLabel('View').selectOption('heat map of the difference')
    expect(
      await dialog
        .locator('.stage img')
        .last()
        .evaluate((each) => getComputedStyle(each).mixBlendMode),
    ).toBe('difference')
    await page.keyboard.press('Escape')
    expect(await dialog.isVisible()).toBe(false)
  })

  it('asks for nothing but the pictures beside it, and complains of nothing', () => {
    const folder = pathToFileURL(project.root).href
    expect(problems).toEqual([])
    expect(requested.filter((url) => !url.startsWith('data:') && !url.startsWith(folder))).toEqual([])
  })
})
