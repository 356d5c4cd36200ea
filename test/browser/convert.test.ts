import { createProject, photo, requireTool } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildOrThrow } from '../contract/build.ts'
import { borrowResults, lendResults } from '../contract/shared-cache.ts'
import { buildProject } from '../vite/build.ts'
import { launch } from './chromium.ts'
import { openPage, typeOf } from './opened-page.ts'
import { serveFolder } from './servers.ts'
import type { Server } from './servers.ts'

const PACKAGE = '{}'

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

const VIEWPORT = { width: 900, height: 700 }

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

const page = (head: string, body: string): string =>
  `<!doctype html><html><head><meta charset="utf-8"><title>x</title><link rel="icon" href="data:,">${head}</head><body>${body}</body></html>`

/** Pages that wrapped images have broken: slots, a strict policy, and handlers that set \`src\`. */
const PAGES: Readonly<Record<string, string>> = {
  'slots.html': page(
    '',
    `<x-card><img slot="image" src="./src/photo.jpg" alt="slotted"><p>text</p></x-card>
     <x-avatar><img src="./src/photo.jpg" alt="avatar"></x-avatar>
     <x-compare><img slot="first" src="./src/photo.jpg" alt="first"><img slot="second" src="/a.jpg" alt="second"></x-compare>
     <script type="module" src="./src/main.js"></script>`,
  ),
  'policy.html': page(
    `<meta http-equiv="Content-Security-Policy" content="style-src 'self'"><link rel="stylesheet" href="./src/row.css">`,
    `<div class="row"><img class="pic" src="./src/photo.jpg" alt="in a row"><p>text</p></div><div class="hero"></div>`,
  ),
  'handlers.html': page(
    '',
    `<img alt="hovered" src="/a.jpg" onmouseover="this.src='/b.png'" onmouseout="this.src='/a.jpg'">
     <img alt="failed" src="/gone.jpg" onerror="this.src='/b.png'">`,
  ),
}

const ELEMENTS = `import './lazy.css'
const define = (name, html) => customElements.define(name, class extends HTMLElement {
  constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = html } })
define('x-card', '<style>:host{display:block;width:300px;border:1px solid}.img ::slotted(img){display:block;width:100%}</style><div class="img"><slot name="image"></slot></div><slot></slot>')
define('x-avatar', '<style>:host{display:block;width:64px;height:64px}::slotted(img){width:100%;height:100%;object-fit:cover}</style><slot></slot>')
define('x-compare', '<style>:host{display:flex;width:300px}div{width:150px;overflow:hidden}</style><div><slot name="first"></slot></div><div><slot name="second"></slot></div>')`

const CSS = `.row { display: flex; height: 200px; width: 600px } .pic { flex: 0 0 50%; object-fit: cover; min-width: 0 }
.hero { background: url(./photo.jpg); width: 100px; height: 100px }`

/** Adds digests of scripts and stylesheets to pages, as vite-plugin-sri3 does. */
const SRI = String.raw`{ name: 'test:sri', enforce: 'post', generateBundle: { order: 'post', handler(_, bundle) {
  const digest = (text) => process.getBuiltinModule('crypto').createHash('sha384').update(text).digest('base64')
  for (const page of Object.values(bundle)) if (page.fileName.endsWith('.html'))
    page.source = String(page.source).replace(/<(?:script|link)\b[^>]*?(?:src|href)="\/([^"]+\.(?:js|css))"/g, (tag, name) =>
      tag + ' integrity="sha384-' + digest(bundle[name].code ?? bundle[name].source) + '"')
} } }`

const POLICY = "style-src 'self' 'nonce-N0NCE'"

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

  async function serve(folder: string): Promise<string> {
    const server = await serveFolder(project!.path(folder))
    servers.push(server)
    return server.url
  }

  it.each(['vite', 'webpack'] as const)('draws every image of a page of %s in its place', async (bundler) => {
    const sources = await Promise.all(
      SOURCES.map(async (name, index) => [`src/images/${name}.png`, await photo(96, 72, 40 + index).png()] as const),
    )
    const html = bundler === 'webpack' ? PAGE.replace(/<script.*<\/script>|<div style=.*<\/div>/g, '') : PAGE
    project = await createProject(`browser-convert-${bundler}`, {
      files: {
        ...Object.fromEntries(sources),
        'package.json': PACKAGE,
        'index.html': html,
        'src/main.js': "import './style.css'",
        'src/style.css': STYLES,
      },
    })
    await borrowResults(project)
    await buildOrThrow(project, bundler, {}, { outDir: 'plain' })
    await buildOrThrow(project, bundler, { convert: 'auto' }, { outDir: 'auto' })
    await lendResults(project)
    const plain = await openPage(browser, await serve('plain'), { viewport: VIEWPORT }, look)
    const seen = await openPage(browser, await serve('auto'), { viewport: VIEWPORT }, look)
    expect([plain.problems, seen.problems]).toEqual([[], []])
    expect(plain.images.length).toBeGreaterThanOrEqual(34)
    expect(seen.boxes).toEqual(plain.boxes)
    expect(seen.images.filter(({ width }) => width === 0)).toEqual([])
    // Some are put into the page or stylesheet.
    const shown = [...seen.images.map(({ source }) => source), ...seen.received]
    expect(shown.filter((url) => /\.png$|^data:image\/png/.test(url))).toEqual([])
    expect(shown.some((url) => /\.avif$|^data:image\/avif/.test(url))).toBe(true)
  })

  it('leaves slots, strict policies, digests and handlers as they are without it', async () => {
    project = await createProject('browser-pages', {
      packages: ['unplugin-pixpress', 'vite'],
      files: {
        ...PAGES,
        'package.json': PACKAGE,
        'src/main.js': ELEMENTS,
        'src/row.css': CSS,
        'src/lazy.css': '.lazy { background: url(./photo.jpg) }',
        'src/photo.jpg': await photo(450, 300, 1).jpeg(95),
        'public/a.jpg': await photo(300, 200, 2).jpeg(95),
        'public/b.png': await photo(300, 200, 3).png(),
      },
    })
    const input = JSON.stringify(Object.keys(PAGES))
    const builds = {
      plain: `{ include: /^$/, publicDir: false }`,
      first: `{ convert: 'auto' }`,
      last: `{ convert: 'auto' }`,
    }
    for (const [outDir, options] of Object.entries(builds)) {
      const { error, warnings } = await buildProject(project, {
        options,
        config: `{ html: { cspNonce: 'N0NCE' }, plugins: [${outDir === 'first' ? '' : SRI}],
          build: { outDir: '${outDir}', assetsInlineLimit: 0, modulePreload: false, rollupOptions: { input: ${input} } } }`,
        run: `${outDir === 'first' ? `config.plugins.push(${SRI});` : ''} await build(config)`,
      })
      expect({ error, warnings }).toEqual({ error: undefined, warnings: [] })
    }
    const [plain, ...others] = await Promise.all(Object.keys(builds).map(serve))
    for (const name of Object.keys(PAGES)) {
      const settings = { viewport: VIEWPORT, ...(name === 'policy.html' && { policy: POLICY }) }
      const before = await openPage(browser, plain! + name, settings, lookAndHover)
      for (const url of others) {
        const seen = await openPage(browser, url + name, settings, lookAndHover)
        expect([name, seen.problems.map(pathOf)]).toEqual([name, before.problems.map(pathOf)])
        expect(seen.boxes).toEqual(before.boxes)
        expect(seen.hovered).toBe(before.hovered)
        expect(seen.images.map(({ width }) => width)).toEqual(before.images.map(({ width }) => width))
        // One image that another script sets is the public file.
        const types = seen.images.map(({ source }) => typeOf(source))
        expect(types).toEqual(before.images.map(({ source }) => (source.endsWith('/b.png') ? 'png' : 'avif')))
      }
      expect(before.hovered).toBe(name === 'handlers.html' ? '/b.png' : undefined)
      if (name === 'slots.html') expect(before.images).toHaveLength(4)
    }
  })
})

/** The path of a URL in a message. */
const pathOf = (text: string): string => text.replace(/http:\/\/127\.0\.0\.1:\d+/, '')

interface Look {
  readonly boxes: readonly (readonly [name: string, ...edges: number[]])[]
  readonly images: readonly { readonly source: string; readonly width: number }[]
}

/** Runs inside the page. */
function look(opened: Page): Promise<Look> {
  return opened.evaluate(() => {
    const elements = [...document.body.querySelectorAll('*')].filter(({ localName }) => localName !== 'script')
    const boxes = elements.map((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect()
      return [`${element.localName}.${element.className}`, left, top, right, bottom] as [string, ...number[]]
    })
    const shown = [...document.images].map(({ currentSrc, naturalWidth }) => ({
      source: currentSrc,
      width: naturalWidth,
    }))
    return { boxes, images: shown }
  })
}

/** Looks at the page, and then at what its handler shows. */
async function lookAndHover(opened: Page): Promise<Look & { hovered: string | undefined }> {
  const seen = await look(opened)
  const shown = opened.locator('[alt=hovered]')
  if ((await shown.count()) === 0) return { ...seen, hovered: undefined }
  await shown.dispatchEvent('mouseover')
  await opened.waitForFunction(() => document.querySelector<HTMLImageElement>('[alt=hovered]')!.complete)
  return { ...seen, hovered: await shown.evaluate((each: HTMLImageElement) => new URL(each.currentSrc).pathname) }
}
