import { createProject, photo, requireTool } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from './chromium.ts'
import { serveFolder } from './servers.ts'
import type { Server } from './servers.ts'

const executable = requireTool('chromium')

const MAIN = `
  import { toHtml } from 'unplugin-pixpress/html'
  import photo from './photo.png?w=160;320&format=webp;jpg&as=picture&lqip=thumbhash'
  import logo from './logo.png?w=100&as=img'
  document.querySelector('main').innerHTML =
    toHtml(photo, { alt: 'A photograph', id: 'photo', sizes: '320px', loading: 'eager' }) +
    '<p id="below">below</p>' +
    toHtml(logo, { alt: 'A logo', id: 'logo', loading: 'eager' })
`

const PAGE = `<!doctype html><title>Placeholders</title><style>img { max-width: 100%; height: auto; display: block }</style>
<main></main><script type="module" src="/main.js"></script>`

describe.skipIf(executable === undefined)('placeholders on a slow network', () => {
  let browser: Browser
  let project: Project
  let server: Server
  let page: Page
  let arrive: () => void

  beforeAll(async () => {
    const disc =
      '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="60"><circle cx="50" cy="30" r="25" fill="#c20"/></svg>'
    project = await createProject('placeholders', {
      packages: ['unplugin-pixpress', 'vite'],
      files: {
        'index.html': PAGE,
        'main.js': MAIN,
        'photo.png': await photo(400, 300, 3).png(),
        'logo.png': await sharp(Buffer.from(disc)).png().toBuffer(),
      },
    })
    const built = await project.run(`
      import { build } from 'vite'
      import pixpress from 'unplugin-pixpress/vite'
      await build({ logLevel: 'error', build: { assetsInlineLimit: 0 }, plugins: [pixpress({ lqip: 'blur', report: false })] })`)
    expect(built.code, built.stderr).toBe(0)
    server = await serveFolder(project.path('dist'))
    browser = await launch(executable!)
    page = await browser.newPage({ viewport: { width: 400, height: 600 } })
    const arrived = new Promise<void>((resolve) => (arrive = resolve))
    await page.route(/\.(?:webp|jpg|png)$/, async (route) => {
      await arrived
      await route.continue()
    })
    await page.addInitScript(() => {
      const watched = window as unknown as { shifts: number }
      watched.shifts = 0
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) watched.shifts += (entry as unknown as { value: number }).value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(server.url, { waitUntil: 'domcontentloaded' })
    await page.waitForSelector('#logo', { state: 'attached' })
  })
  afterAll(async () => {
    arrive?.()
    await browser?.close()
    await server?.close()
    await project?.dispose()
  })

  const look = (selector: string): Promise<Buffer> =>
    page
      .locator(selector)
      .screenshot()
      .then((png) => sharp(png).resize(8, 6, { fit: 'fill' }).removeAlpha().raw().toBuffer())
  const states = (): Promise<{ complete: boolean; background: string; width: number; height: number }[]> =>
    page.evaluate(() =>
      [...document.images].map(({ complete, naturalWidth, style, width, height }) => ({
        complete: complete && naturalWidth > 0,
        background: style.background,
        width,
        height,
      })),
    )

  it('are drawn before the images are there, and nothing moves when they come', async () => {
    const before = await states()
    expect(before.map(({ complete }) => complete)).toEqual([false, false])
    expect(before.map(({ width, height }) => [width, height])).toEqual([
      [320, 240],
      [100, 60],
    ])
    const [blurred, blurredLogo] = [await look('#photo'), await look('#logo')]
    // Not the white of the page.
    expect(Math.min(...blurred)).toBeLessThan(200)
    expect(Math.min(...blurredLogo)).toBeLessThan(200)
    const top = await page.locator('#below').boundingBox()

    arrive()
    await page.waitForFunction(() => [...document.images].every((image) => image.complete && image.naturalWidth > 0))
    await page.waitForFunction(() => document.querySelector<HTMLElement>('#logo')!.style.background === '')
    const shown = await look('#photo')
    const difference = shown.reduce((sum, level, at) => sum + Math.abs(level - blurred[at]!), 0) / shown.length
    expect(difference).toBeLessThan(24)
    expect(await page.locator('#below').boundingBox()).toEqual(top)
    expect(await page.evaluate(() => (window as unknown as { shifts: number }).shifts)).toBe(0)
    const after = await states()
    expect(after.map(({ background }) => background === '')).toEqual([false, true])
  })
})
