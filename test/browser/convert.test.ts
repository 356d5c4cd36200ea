import { EventEmitter, once } from 'node:events'
import { createProject, photo, requireTool } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildOrThrow } from '../contract/build.ts'
import { borrowResults, lendResults } from '../contract/shared-cache.ts'
import { launch } from './chromium.ts'
import { serveFolder } from './servers.ts'
import type { Server } from './servers.ts'
import { openWithoutTypes, typeOf } from './without-types.ts'

/** Sources; the page has each of them at several places. */
const SOURCES = Array.from({ length: 14 }, (_, index) => `p${index}`)

const STYLES = `
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.4 sans-serif }
img { max-width: 100% }
.row { display: flex; gap: 8px } .row img { flex: 1 1 0; min-width: 0 }
.column { display: flex; flex-direction: column; width: 300px }
.grid { display: grid; grid-template-columns: repeat(3, 1fr); gap: 4px } .grid img { width: 100%; height: 60px; object-fit: cover }
.narrow { width: 50px } .float img { float: left; margin: 4px }
.card > img { display: block; width: 120px }
.stack > * + * { margin-top: 20px } .first img:first-child { border: 5px solid }
.cover { height: 90px; background: #eee url(./images/p10.png) center / cover no-repeat }
.several { height: 40px; background: url(./images/p11.png) left no-repeat, url(./images/p12.png) right no-repeat }
.list { list-style: url(./images/p13.png) inside } :root { --hero: url(./images/p9.png) }
.variable { height: 50px; background-image: var(--hero) }
.before::before { content: url(./images/p8.png) }
`

/** CSS of an article, `&`, with an image in it. */
const LAYOUTS = [
  '& img { width: 100% }',
  '& img { width: 50%; height: auto }',
  '& img { height: 50px }',
  '& { display: flex; flex-direction: column }',
  '& { display: grid } & img { width: 100%; object-fit: cover }',
  '& img { aspect-ratio: 1; width: 80px }',
  '@layer base { & img { aspect-ratio: 2; width: 80px } }',
  '& img { float: left; width: 33% } &::after { content: ""; display: block; clear: both }',
  '& { columns: 2 } & img { width: 100% }',
  '& img { box-sizing: border-box; width: 90px; padding: 5px }',
  '& img { max-width: 100%; height: auto }',
  '& img { max-width: 50px }',
]

const VIEWPORT = { width: 900, height: 700 }

interface Arrival {
  readonly before: readonly number[]
  readonly after: readonly number[]
}

const image = (index: number, rest = ''): string => `<img src="./src/images/p${index % 14}.png" alt="" ${rest}>`
const images = (from: number, count: number, rest = ''): string =>
  Array.from({ length: count }, (_, index) => image(from + index, rest)).join('\n')

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Site</title></head><body>
<header class="row">${images(0, 5)}</header>
<div class="column">${images(5, 2)}</div>
<div class="grid">${images(0, 9, 'loading="eager"')}</div>
<p>Text ${image(3)} and ${image(4, 'width="40"')} more ${image(5, 'style="height:30px"')}.</p>
<div class="narrow">${images(6, 2)}</div><div class="float">${images(8, 3)}<p>around</p></div>
<div class="card">${image(1)}</div><div class="stack">${images(2, 3)}</div><div class="first"><span>${images(5, 2)}</span></div>
<picture><source media="(min-width: 1px)" srcset="./src/images/p6.png">${image(7)}</picture>
<img srcset="./src/images/p1.png 1x, ./src/images/p2.png 2x" src="./src/images/p1.png" alt="">
<table><tr><td>${image(9)}</td><td>${image(10)}</td></tr></table><a href="#">${image(11)}</a>
<button>${image(12)}</button><input type="image" alt="" src="./src/images/p3.png"><figure>${image(13)}<figcaption>caption</figcaption></figure>
<div class="cover"></div><div class="several"></div><ul class="list"><li>one</li></ul>
<div class="variable"></div><div class="before"></div>
<div style="height: 30px; background: url(./src/images/p0.png)"></div>
<script type="module" src="./src/main.js"></script></body></html>`

const executable = requireTool('chromium')

describe.skipIf(executable === undefined)("convert: 'auto' in Chromium", () => {
  let browser: Browser
  let project: Project | undefined
  const servers: Server[] = []

  beforeAll(async () => {
    browser = await launch(executable!)
  })
  afterAll(() => browser?.close())
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()))
    await project?.dispose()
    project = undefined
  })

  it.each(['vite', 'webpack'] as const)(
    'draws every image of a page of %s in its place, whatever the browser reads',
    async (bundler) => {
      const sources = await Promise.all(
        SOURCES.map(async (name, index) => [`src/images/${name}.png`, await photo(96, 72, 40 + index).png()] as const),
      )
      const page = bundler === 'webpack' ? PAGE.replace(/<script.*<\/script>|<div style=.*<\/div>/g, '') : PAGE
      project = await createProject(`browser-convert-${bundler}`, {
        files: {
          ...Object.fromEntries(sources),
          'index.html': page,
          'src/main.js': "import './style.css'",
          'src/style.css': STYLES,
        },
      })
      await borrowResults(project)
      await buildOrThrow(project, bundler, {}, { outDir: 'plain' })
      await buildOrThrow(project, bundler, { convert: 'auto' }, { outDir: 'auto' })
      await lendResults(project)
      const plain = await openWithoutTypes(
        browser,
        await serve('plain'),
        { disabled: [], viewport: VIEWPORT },
        boxesAndImages,
      )
      expect(plain.problems).toEqual([])
      expect(plain.images.length).toBeGreaterThanOrEqual(34)
      const url = await serve('auto')
      for (const [disabled, expected] of [
        [[], 'avif'],
        [['avif'], 'webp'],
        [['avif', 'webp'], 'png'],
      ] as const) {
        const seen = await openWithoutTypes(browser, url, { disabled, viewport: VIEWPORT }, boxesAndImages)
        expect(seen.problems).toEqual([])
        expect(seen.boxes.length).toBe(plain.boxes.length)
        for (const [index, box] of seen.boxes.entries()) {
          const distance = box.edges.map((edge, side) => Math.abs(edge - plain.boxes[index]!.edges[side]!))
          expect([box.name, distance.filter((pixels) => pixels > 1)]).toEqual([plain.boxes[index]!.name, []])
        }
        // Every image is drawn, most of them in the first type that the browser reads.
        expect(seen.images.filter(({ width }) => width === 0)).toEqual([])
        const types = seen.images.map(({ source }) => typeOf(source))
        expect(types.filter((type) => type === expected).length).toBeGreaterThan(seen.images.length * 0.6)
        expect(types.every((type) => type === 'png' || type === 'webp' || type === 'avif')).toBe(true)
        // `<input>` has one URL: it gets a format that all browsers of the project support.
        const received = new Set(seen.received.filter((name) => !name.includes('/p3-')).map(typeOf))
        expect(disabled.filter((type) => received.has(type))).toEqual([])
        // Stylesheets choose as pages do.
        expect(seen.received.some((name) => name.includes('p11') && name.endsWith(`.${expected}`))).toBe(true)
      }
    },
  )

  async function serve(folder: string): Promise<string> {
    const server = await serveFolder(project!.path(folder))
    servers.push(server)
    return server.url
  }

  it('keeps the room of images that are to come, and moves nothing that has arrived', async () => {
    const articles = LAYOUTS.map((_, index) => `<article class="l${index}">${image(index)}<p>text</p></article>`)
    project = await createProject('browser-proportions', {
      files: {
        'src/images/p0.png': await photo(96, 72, 40).png(),
        'index.html': `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Site</title><style>
          body { margin: 0; width: 600px } p { margin: 0 } ${LAYOUTS.map((css, index) => css.replaceAll('&', `.l${index}`)).join('\n')}
          </style></head><body>${articles.join('\n').replaceAll(/p\d+\.png/g, 'p0.png')}</body></html>`,
      },
    })
    await borrowResults(project)
    await buildOrThrow(project, 'vite', { convert: 'auto', dimensions: false }, { outDir: 'plain' })
    await buildOrThrow(project, 'vite', { convert: 'auto' }, { outDir: 'auto' })
    await lendResults(project)
    const plain = await arrive(await serve('plain'))
    const told = await arrive(await serve('auto'))
    expect(told.after).toEqual(plain.after)
    // Each article but the last two has an image with one of its dimensions in CSS, and keeps its height from the
    // beginning.
    expect(moved(told)).toEqual(moved(plain).filter((index) => index >= LAYOUTS.length - 2))
    expect(moved(plain).length).toBeGreaterThanOrEqual(LAYOUTS.length - 3)
  })

  /** Heights of a page's articles before any image is there, and when all of them are. */
  async function arrive(url: string): Promise<Arrival> {
    const page = await browser.newPage()
    try {
      const gate = new EventEmitter()
      const arrived = once(gate, 'open')
      await page.route(/\.(?:png|webp|avif)$/, async (route) => {
        await arrived
        await route.continue()
      })
      await page.goto(url, { waitUntil: 'domcontentloaded' })
      const heights = (): Promise<number[]> =>
        page.evaluate(() => [...document.querySelectorAll('article')].map(({ offsetHeight }) => offsetHeight))
      const before = await heights()
      gate.emit('open')
      await page.waitForFunction(() => [...document.images].every(({ complete }) => complete))
      return { before, after: await heights() }
    } finally {
      await page.close()
    }
  }
})

/** Which articles change their height when images arrive. */
const moved = ({ before, after }: Arrival): number[] =>
  after.flatMap((height, index) => (Math.abs(height - before[index]!) > 1 ? [index] : []))

interface Look {
  readonly boxes: readonly { readonly name: string; readonly edges: readonly number[] }[]
  readonly images: readonly { readonly source: string; readonly width: number }[]
}

/** Runs inside the page. Elements that a picture adds have no box. */
function boxesAndImages(page: Page): Promise<Look> {
  return page.evaluate(() => {
    const elements = [...document.body.querySelectorAll('*')].filter(
      ({ localName }) => !['picture', 'source', 'script', 'link'].includes(localName),
    )
    const boxes = elements.map((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect()
      return { name: `${element.localName}.${element.className}`, edges: [left, top, right, bottom] }
    })
    const shown = [...document.images].map(({ currentSrc, naturalWidth }) => ({
      source: currentSrc,
      width: naturalWidth,
    }))
    return { boxes, images: shown }
  })
}
