import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createReport, writeReportPage } from '@pixpress/core/report'
import type { ReportImage } from '@pixpress/core/report'
import { bytesText } from '../../packages/face/src/figures.ts'
import { createProject, requireTool, naming } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import axe from 'axe-core'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from './chromium.ts'

const IMAGES = path.resolve(import.meta.dirname, '../../examples/images')
const HOSTILE = 'src/<img src=x onerror=document.title=1>.png'

/** One is below the promise, and one is exact. */
const SCORES = [80.4, 0, 86, 0, 100, 0, 73.2, 0]

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
  const real = image('src/icon.png', before!.length, after!.length, {
    score: 81.5,
    promise: 80,
    duplicates: ['src/copy.png'],
  })
  const made = Array.from({ length: 998 }, (_, at) =>
    image(`src/many/${at}.png`, 90_000 + at, 10_000 + at * 7, {
      ...(at % 9 === 0 && { reason: 'smallest' }),
      ...(at % 2 === 0 && { score: SCORES[at % 8]!, promise: 80 }),
    }),
  )
  const all = [real, image(HOSTILE, 70_000, 69_000, { notes: ['A <b>remark</b>.'] }), ...made]
  const report = createReport(
    new Map(all.map((each, at) => [`${at}`, each])),
    [
      { source: 'src/torn.png', code: 'DECODE_FAILED', message: 'The image cannot be decoded.' },
      { source: 'src/clear.png', code: 'BACKGROUND_REQUIRED', message: 'The image has transparency.' },
    ],
    4200,
  )
  const older = createReport(new Map(all.slice(1).map((each, at) => [`${at}`, each])), [], 4200)
  await writeReportPage(path.join(project.root, 'dist/report.html'), report, project.root, older)
  const few = createReport(new Map(all.slice(0, 40).map((each, at) => [`${at}`, each])), [], 4200)
  await writeReportPage(path.join(project.root, 'dist/few.html'), few, project.root)
  const one = createReport(new Map([['0', real]]), [], 4200)
  await writeReportPage(path.join(project.root, 'dist/one.html'), one, project.root)
  // Settings of an encoder make no promise.
  const plain = createReport(
    new Map([['0', real] as const, ['1', image('src/plain.png', 90_000, 10_000, { score: 33 })] as const]),
    [],
    4200,
  )
  await writeReportPage(path.join(project.root, 'dist/plain.html'), plain, project.root)
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

const images = (): Locator => page.locator('table:has(caption:text-is("Images"))')

const names = (): Promise<string[]> => images().locator('tbody .name').allInnerTexts()

const heading = (name: string): Locator => images().locator('th', { hasText: name })

const find = (): Locator => page.getByRole('searchbox')

/** Pixels by which the page is too wide, and targets of less than 24 pixels. */
const misfits = (): Promise<{ over: number; small: string[] }> =>
  page.evaluate(() => {
    const targets = [...document.querySelectorAll<HTMLElement>('button, a, input, select')]
    const tight = targets.filter((each) => {
      const { width: wide, height: high } = each.getBoundingClientRect()
      return wide > 0 && (wide < 24 || high < 24)
    })
    return {
      over: document.documentElement.scrollWidth - innerWidth,
      small: tight.map(({ outerHTML }) => outerHTML.slice(0, 80)),
    }
  })

/** Findings of axe-core, which the page's own policy keeps out of the page: it comes through the debugger. */
async function faults(of = page): Promise<string[]> {
  await of.evaluate(axe.source)
  return of.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run()
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`)
  })
}

describe.skipIf(chromium === undefined)('the page of a report', () => {
  it('tells what each page of the build delivers', async () => {
    const table = page.locator('table:has(caption:text-is("Pages"))')
    const { length } = await readFile(path.join(project.root, 'dist/assets/icon-1a2b3c.png'))
    const bytes = bytesText(length)
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

  it('opens with what was saved, in one sentence', async () => {
    expect(await page.locator('h1').allInnerTexts()).toEqual([expect.stringMatching(/^You saved [\d.]+ MB, \d\d %$/)])
    expect(await page.locator('main').innerText()).toMatch(/1,000 images\s+4.2 s\s+1 broken, 1 failed/)
  })

  it.each(['Pictures', 'Table', 'Map'] as const)(
    'has no fault that axe knows in the view %s, light or dark',
    async (view) => {
      await page.getByRole('button', { name: view, exact: true }).click()
      // A fault of one row is a fault of all, and axe looks at each for its colours.
      await find().fill('many/99')
      expect(await faults()).toEqual([])
      const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
      const light = await ground()
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await ground()).not.toBe(light)
      expect(await faults()).toEqual([])
      await page.emulateMedia({ colorScheme: 'light' })
      await find().fill('')
    },
  )

  it('has no fault that axe knows at 40 images either, nor at 1,000 that are all shown', async () => {
    await page.getByRole('button', { name: 'Table', exact: true }).click()
    expect(await faults()).toEqual([])
    const few = await browser.newPage({ colorScheme: 'dark', viewport: { width: 390, height: 844 } })
    await few.goto(pathToFileURL(path.join(project.root, 'dist/few.html')).href)
    expect(await few.locator('.card').count()).toBe(40)
    expect(await faults(few)).toEqual([])
    await few.close()
  })

  it('has no fault that axe knows with one image, which is not to be found or put in order', async () => {
    const one = await browser.newPage({ colorScheme: 'light', viewport: { width: 390, height: 844 } })
    await one.goto(pathToFileURL(path.join(project.root, 'dist/one.html')).href)
    expect(await faults(one)).toEqual([])
    expect(await one.locator('main :is(select, input)').count()).toBe(0)
    await one.locator('.card-name').click()
    await one.locator('dialog .ruler').waitFor()
    expect(await one.locator('dialog').getByRole('button', { name: 'Next' }).count()).toBe(0)
    expect(await faults(one)).toEqual([])
    await one.close()
  })

  it.each([360, 1280, 2560])('fits a window %i pixels wide, with targets of 24 pixels', async (width) => {
    await page.setViewportSize({ width, height: 900 })
    await page.getByRole('button', { name: 'Pictures', exact: true }).click()
    expect(await misfits()).toEqual({ over: 0, small: [] })
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  it('opens with the table where there are many, and shows some of them at a time', async () => {
    await page.reload()
    expect(await images().isVisible()).toBe(true)
    expect(await names()).toHaveLength(200)
    await page.getByRole('button', { name: 'Show 200 more of 1000' }).click()
    expect(await names()).toHaveLength(400)
  })

  it('puts its rows in order, and finds among them, by keyboard', async () => {
    const before = heading('Before')
    await before.locator('button').focus()
    await page.keyboard.press('Enter')
    expect(await before.getAttribute('aria-sort')).toBe('descending')
    expect((await names())[0]).toBe('src/many/997.png')
    await page.keyboard.press('Enter')
    expect(await before.getAttribute('aria-sort')).toBe('ascending')
    expect((await names())[0]).toBe('src/icon.png')
    await find().fill('onerror')
    expect(await names()).toEqual([HOSTILE])
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    await find().fill('icon.png')
    expect(await page.locator('.number [title]').first().getAttribute('title')).toEqual(naming('81.5', '100'))
    await find().fill('')
  })

  it('puts its pictures in order by what is chosen, which its table follows and tells', async () => {
    const told = page.locator('section[aria-label=Pictures] [role=status]').first()
    await page.getByLabel('Sort').selectOption('bytes saved')
    expect(await told.innerText()).toContain('saved, largest first')
    expect(await heading('Bytes').getAttribute('aria-sort')).toBe('descending')
    expect((await names())[0]).toBe('src/many/0.png')
    await page.getByLabel('Begin with').selectOption('smallest first')
    expect((await names())[0]).toBe('src/icon.png')
    await page.getByRole('button', { name: 'Pictures', exact: true }).click()
    const cards = page.locator('.card-name')
    expect(await cards.first().getAttribute('title')).toBe('src/icon.png')
    await page.getByLabel('Sort').selectOption('score')
    expect(await cards.first().getAttribute('title')).toBe('src/many/102.png')
    await page.getByLabel('Sort').selectOption('name')
    expect(await page.getByLabel('Begin with').locator('option').allInnerTexts()).toEqual(['A to Z', 'Z to A'])
    await page.getByRole('button', { name: 'Table', exact: true }).click()
    await heading('After').getByRole('button').click()
    expect(await page.getByLabel('Sort').locator('option:checked').innerText()).toBe('bytes delivered')
    expect(await told.innerText()).toContain('delivered, largest first')
  })

  it('counts no image without a promise as below it, nor as one that keeps it', async () => {
    const other = await browser.newPage()
    await other.goto(pathToFileURL(path.join(project.root, 'dist/plain.html')).href)
    expect(await other.locator('.scores-say').innerText()).toContain('2 images')
    await other.close()
  })

  it('shows where scores lie beside the promise, and says and shows those of a part', async () => {
    const section = page.locator('section[aria-label=Scores]')
    const says = section.locator('.scores-say')
    expect(await says.innerText()).toEqual(naming('500 images', '1,000', '125', '124 images', '80'))
    const parts = section.getByRole('button')
    expect(await parts.evaluateAll((all) => all.map((each) => (each as HTMLButtonElement).disabled))).toEqual([
      false,
      true,
      false,
      false,
      true,
      true,
      false,
    ])
    await parts.nth(2).focus()
    expect(await says.innerText()).toEqual(naming('80', '85', '126 images', '80.4'))
    await parts.nth(6).hover()
    expect(await says.innerText()).toMatch(/^Score exact: 125 images/)
    await parts.first().focus()
    await page.keyboard.press('Enter')
    expect(await page.getByLabel('Only').locator('option:checked').innerText()).toBe('score under 75 (124)')
    expect(await names()).toHaveLength(124)
    await page.getByLabel('Only').selectOption('everything')
    expect(await says.innerText()).toMatch(/^500 images/)
  })

  it('shows bytes before and after for each type, with their figures', async () => {
    const table = page.locator('table:has(caption:text-is("Bytes by type, before and after"))')
    const row = await table.locator('tbody tr').first().locator('th, td').allInnerTexts()
    expect(row).toEqual([
      'PNG',
      '',
      expect.stringMatching(/ MB$/),
      expect.stringMatching(/ MB$/),
      expect.stringMatching(/^−\d\d %$/),
    ])
    const [before, after] = await table.locator('i').evaluateAll((all) => all.map((each) => each.clientWidth))
    expect(after! / before!).toBeLessThan(0.3)
  })

  it('goes to the image before and the next, by buttons and by the arrow keys', async () => {
    const dialog = page.locator('dialog')
    const title = dialog.locator('h2')
    await find().fill('many/99')
    await page.locator('.name').first().click()
    const next = dialog.getByRole('button', { name: 'Next' })
    expect([await title.innerText(), await dialog.getByRole('status').first().innerText()]).toEqual([
      'src/many/997.png',
      '1 of 9',
    ])
    expect(await dialog.getByRole('button', { name: 'Previous' }).getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('ArrowLeft')
    expect(await title.innerText()).toBe('src/many/997.png')
    await page.keyboard.press('ArrowRight')
    expect(await title.innerText()).toBe('src/many/996.png')
    await next.click()
    await page.keyboard.press('Enter')
    expect(await title.innerText()).toBe('src/many/994.png')
    await page.keyboard.press('ArrowLeft')
    expect(await title.innerText()).toBe('src/many/995.png')
    expect(await next.evaluate((each) => each === document.activeElement)).toBe(true)
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await misfits()).toEqual({ over: 0, small: [] })
    expect(await faults()).toEqual([])
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.keyboard.press('Escape')
    await find().fill('')
  })

  it('says what to do, with a button for each, and names what is broken and new since the older report', async () => {
    const text = await page.locator('main').innerText()
    expect(text).toContain('src/torn.png')
    expect(text).toContain('src/clear.png')
    expect(text).toMatch(/src\/copy\.png = src\/icon\.png/)
    expect(text).toMatch(/1 changed, 999 unchanged/)
    await page.getByRole('button', { name: 'Show it' }).click()
    expect(await names()).toEqual(['src/icon.png'])
    await page.getByLabel('Only').selectOption('everything')
  })

  it('maps bytes in tiles that are shaded by what was saved, the lightest by their folder', async () => {
    await page.getByRole('button', { name: 'Map', exact: true }).click()
    const tiles = page.locator('.tile')
    expect(await tiles.count()).toBe(242)
    expect(await page.locator('.tile.folder b').allInnerTexts()).toEqual(['759 more in src/many/'])
    const hidden = page.locator('.tile.folder:not(:has(b))')
    expect(await hidden.getAttribute('title')).toMatch(/^1 more in src\/\n/)
    const hostile = page.locator('.tile', { hasText: 'onerror' })
    expect(await hostile.getAttribute('data-shade')).toBe('0')
    const shades = await tiles.evaluateAll((all) => [
      ...new Set(all.map((each) => getComputedStyle(each).backgroundColor)),
    ])
    expect(shades.length).toBeGreaterThan(1)
    const outside = await page.locator('.map').evaluate((map) => {
      const whole = map.getBoundingClientRect()
      return [...map.children].filter((each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect()
        return left < whole.left - 1 || right > whole.right + 1 || top < whole.top - 1 || bottom > whole.bottom + 1
      }).length
    })
    expect(outside).toBe(0)
    await page.getByRole('button', { name: 'Table', exact: true }).click()
  })

  it('opens an image before and after, in the view that all pages share', async () => {
    await find().fill('icon.png')
    await page.locator('.name', { hasText: 'icon.png' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.locator('dialog')
    await dialog.locator('.compare-pair img').first().waitFor()
    expect(await faults()).toEqual([])
    expect(await dialog.innerText()).toMatch(/81\.5 of 100/)
    const [title, grip] = [dialog.locator('h2'), dialog.locator('.compare-grip')]
    await grip.focus()
    await page.keyboard.press('ArrowRight')
    expect(await grip.getAttribute('aria-valuenow')).toBe('51')
    expect(await title.innerText()).toBe('src/icon.png')
    expect(await dialog.getByRole('img', { name: /^Score 81\.5 .*80 was promised/ }).isVisible()).toBe(true)
    await dialog.getByRole('button', { name: 'Side by side' }).click()
    await dialog.locator('.compare-pane').first().focus()
    for (let press = 0; press < 3; press++) await page.keyboard.press('+')
    const panes = dialog.locator('.compare-pane')
    const sizes = await panes.locator('img:visible').evaluateAll((all) => all.map((each) => each.clientWidth))
    expect(sizes).toEqual([720, 720])
    await page.setViewportSize({ width: 800, height: 700 })
    await panes.first().evaluate((pane) => pane.scrollTo(90, 60))
    await expect
      .poll(() => panes.last().evaluate((pane) => [pane.scrollLeft, pane.scrollTop]), { timeout: 10_000 })
      .toEqual([90, 60])
    await dialog.getByRole('button', { name: 'Differences' }).click()
    expect(await dialog.locator('.compare-before').evaluate((each) => getComputedStyle(each).mixBlendMode)).toBe(
      'difference',
    )
    await page.keyboard.press('Escape')
    expect(await dialog.isVisible()).toBe(false)
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  it('asks for nothing but the pictures beside it, and complains of nothing', () => {
    const folder = pathToFileURL(project.root).href
    expect(problems).toEqual([])
    expect(requested.filter((url) => !url.startsWith('data:') && !url.startsWith(folder))).toEqual([])
  })
})
