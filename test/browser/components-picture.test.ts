import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { WORKSPACE, photo, requireTool } from '@pixpress/testkit'
import { build } from 'esbuild'
import type { Plugin } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from './chromium.ts'

const PACKAGE = path.join(WORKSPACE, 'packages/unplugin')
const NONCE = 'N0NCE'
const STRICT_POLICY = `default-src 'self'; img-src 'self' data:; script-src 'nonce-${NONCE}'; style-src 'nonce-${NONCE}'`
const PLACEHOLDER = 'data:image/webp;base64,UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=='

/** The images of both pages. A file with `404` in its name does not exist. */
const IMAGES = `
  const files = (folder, name) => ({
    sources: { avif: folder + name + '.avif', webp: folder + name + '.webp' },
    img: { src: folder + name.replace('-404', '') + '.png', w: 40, h: 30 },
  })
  const lqip = { placeholder: '${PLACEHOLDER}', color: '#112233' }
  const show = (url) => (event) => { event.currentTarget.src = url }
  const pages = {
    strict: (name) => [
      { src: files('/strict/', 'slotted'), alt: 'slotted', slot: 'image' },
      { src: { ...files('/strict/', 'slow'), ...lqip }, alt: 'opaque' },
      { src: { src: '/strict/slow-too.png', w: 40, h: 30, ...lqip, color: '#11223344' }, alt: 'transparent' },
      { src: files('/strict/', 'early-404'), alt: 'early' },
      { src: { ...files('/strict/', 'gone-404'), img: { src: '/strict/gone-404.png', w: 40, h: 30 } }, alt: 'gone' },
    ],
    free: () => [
      { src: files('/free/', 'slotted'), alt: 'slotted', slot: 'image' },
      { src: files('/free/', 'hovered'), alt: 'hovered', mouseover: '/free/hovered-other.png' },
      { src: files('/free/', 'failed-404'), alt: 'failed', error: '/free/failed-other.png' },
      { src: files('/free/', 'same-404'), alt: 'same', error: '/free/same.png' },
      { src: { src: '/free/sizes.png', w: 40, h: 30, srcset: '/free/small-404.png 20w, /free/large-404.png 2000w' }, alt: 'sizes', error: '/free/sizes-other.png' },
    ],
  }
  export const swaps = (page) => [files('/' + page + '/', 'first-404'), files('/' + page + '/', 'second')]
  export const imagesOf = (page, nameOf) => pages[page]().map(({ error, mouseover, ...rest }) => ({
    ...rest,
    loading: 'eager',
    ...(error && { [nameOf.error]: nameOf.inline ? "this.src='" + error + "'" : show(error) }),
    ...(mouseover && { [nameOf.mouseover]: nameOf.inline ? "this.src='" + mouseover + "'" : show(mouseover) }),
  }))`

/** In each library: `html(page)`, which renders on a server, and `start(page)`, which takes the page over. */
const LIBRARIES: Readonly<Record<string, { readonly app: string; readonly server: string; readonly client: string }>> =
  {
    html: {
      app: `
      import { toHtml } from '${PACKAGE}/src/html.ts'
      import { imagesOf } from 'images'
      const nameOf = { error: 'onerror', mouseover: 'onmouseover', inline: true }
      export const html = (page) => imagesOf(page, nameOf).map(({ src, ...rest }, index) => {
        const tags = toHtml(src, { ...rest, ...(page === 'strict' && { nonce: '${NONCE}' }) })
        return index === 0 ? '<x-card>' + tags + '</x-card>' : '<p>' + tags + '</p>'
      }).join('')
      export const start = () => {}`,
      server: `export { html } from 'app'`,
      client: `export { start } from 'app'`,
    },
    react: {
      app: `
      import { createElement, useState } from 'react'
      import { Picture } from '${PACKAGE}/src/react.ts'
      import { imagesOf, swaps } from 'images'
      const nameOf = { error: 'onError', mouseover: 'onMouseOver' }
      export default function App({ page }) {
        const [index, setIndex] = useState(0)
        globalThis.swap = () => setIndex(1)
        const [slotted, ...others] = imagesOf(page, nameOf)
        return createElement('main', null,
          createElement('x-card', null, createElement(Picture, slotted)),
          others.map((each) => createElement('p', { key: each.alt }, createElement(Picture, each))),
          createElement(Picture, { src: swaps(page)[index], alt: 'swapped', loading: 'eager' }))
      }`,
      server: `
      import { createElement } from 'react'
      import { renderToString } from 'react-dom/server'
      import App from 'app'
      export const html = (page) => renderToString(createElement(App, { page }))`,
      client: `
      import { createElement } from 'react'
      import { hydrateRoot } from 'react-dom/client'
      import App from 'app'
      export const start = (page) => hydrateRoot(document.querySelector('#root'), createElement(App, { page }),
        { onRecoverableError: (error) => console.error('hydration', error) })`,
    },
    vue: {
      app: `
      import { h, ref } from 'vue'
      import { Picture } from '${PACKAGE}/src/vue.ts'
      import { imagesOf, swaps } from 'images'
      const nameOf = { error: 'onError', mouseover: 'onMouseover' }
      export default (page) => ({
        setup() {
          const index = ref(0)
          globalThis.swap = () => (index.value = 1)
          const [slotted, ...others] = imagesOf(page, nameOf)
          return () => h('main', [
            h('x-card', [h(Picture, slotted)]),
            ...others.map((each) => h('p', [h(Picture, each)])),
            h(Picture, { src: swaps(page)[index.value], alt: 'swapped', loading: 'eager' })])
        },
      })`,
      server: `
      import { createSSRApp } from 'vue'
      import { renderToString } from 'vue/server-renderer'
      import App from 'app'
      export const html = (page) => renderToString(createSSRApp(App(page)))`,
      client: `
      import { createSSRApp } from 'vue'
      import App from 'app'
      export const start = (page) => createSSRApp(App(page)).mount('#root')`,
    },
    svelte: {
      app: `
      <script>
        import Picture from '${PACKAGE}/svelte/Picture.svelte'
        import { imagesOf, swaps } from 'images'
        const { page } = $props()
        const [slotted, ...others] = imagesOf(page, { error: 'onerror', mouseover: 'onmouseover' })
        let index = $state(0)
        globalThis.swap = () => (index = 1)
      </script>
      <main>
        <x-card><Picture {...slotted} /></x-card>
        {#each others as each}<p><Picture {...each} /></p>{/each}
        <Picture src={swaps(page)[index]} alt="swapped" loading="eager" />
      </main>`,
      server: `
      import { render } from 'svelte/server'
      import App from 'app'
      export const html = (page) => render(App, { props: { page } }).body`,
      client: `
      import { hydrate } from 'svelte'
      import App from 'app'
      export const start = (page) => hydrate(App, { target: document.querySelector('#root'), props: { page } })`,
    },
    solid: {
      app: `
      import { createComponent, createSignal } from 'solid-js'
      import { Dynamic } from 'solid-js/web'
      import { Picture } from '${PACKAGE}/src/solid.ts'
      import { imagesOf, swaps } from 'images'
      const nameOf = { error: 'onError', mouseover: 'onMouseOver' }
      const element = (component, render) => createComponent(Dynamic, { component, get children() { return render() } })
      export default ({ page }) => {
        const [index, setIndex] = createSignal(0)
        globalThis.swap = () => setIndex(1)
        const [slotted, ...others] = imagesOf(page, nameOf)
        return element('main', () => [
          element('x-card', () => createComponent(Picture, slotted)),
          ...others.map((each) => element('p', () => createComponent(Picture, each))),
          createComponent(Picture, { get src() { return swaps(page)[index()] }, alt: 'swapped', loading: 'eager' })])
      }`,
      server: `
      import { createComponent } from 'solid-js'
      import { generateHydrationScript, renderToString } from 'solid-js/web'
      import App from 'app'
      export const head = generateHydrationScript({ nonce: '${NONCE}' })
      export const html = (page) => renderToString(() => createComponent(App, { page }))`,
      client: `
      import { createComponent } from 'solid-js'
      import { hydrate } from 'solid-js/web'
      import App from 'app'
      export const start = (page) => hydrate(() => createComponent(App, { page }), document.querySelector('#root'))`,
    },
  }

/** Takes the page over, the strict one after its first image has failed. */
const START = `
  import { start } from 'client'
  const page = location.pathname.slice(1)
  const early = document.querySelector('[alt=early]')
  while (early !== null && !early.complete) await new Promise((resolve) => setTimeout(resolve, 50))
  start(page)
  document.body.dataset.started = ''`

const fromPackage = createRequire(path.join(PACKAGE, 'package.json'))

/** The part of `svelte/compiler` in use, which only the package has. */
interface SvelteCompiler {
  compile(source: string, options: { generate: 'server' | 'client'; filename: string }): { js: { code: string } }
}

/** Compiles a component of Svelte, with the package's sources in place of its build. */
async function compile(
  source: string,
  filename: string,
  generate: 'server' | 'client',
): Promise<{ contents: string; resolveDir: string }> {
  const svelte = (await import(fromPackage.resolve('svelte/compiler'))) as SvelteCompiler
  const { js } = svelte.compile(source, { generate, filename })
  return { contents: js.code.replace('../dist/html.js', '../src/html.ts'), resolveDir: path.dirname(filename) }
}

/** Finds the parts of a library's app. */
const parts = (library: string, generate: 'server' | 'client'): Plugin => ({
  name: 'parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:app|images|client)$/ }, ({ path: name }) => ({ path: name, namespace: 'parts' }))
    onLoad({ filter: /./, namespace: 'parts' }, ({ path: name }) => {
      if (name === 'images') return { contents: IMAGES }
      const { app, client } = LIBRARIES[library]!
      if (name === 'client') return { contents: client, resolveDir: PACKAGE }
      return library === 'svelte'
        ? compile(app, path.join(PACKAGE, 'App.svelte'), generate)
        : { contents: app, resolveDir: PACKAGE }
    })
    onLoad({ filter: /\.svelte$/ }, async ({ path: file }) => compile(await readFile(file, 'utf8'), file, generate))
  },
})

async function bundle(library: string, side: 'server' | 'client', outfile: string): Promise<void> {
  await build({
    stdin: { contents: side === 'server' ? LIBRARIES[library]!.server : START, resolveDir: PACKAGE },
    bundle: true,
    format: 'esm',
    platform: side === 'server' ? 'node' : 'browser',
    ...(side === 'server' && {
      banner: { js: `import { createRequire } from 'node:module'; const require = createRequire('${PACKAGE}/')` },
    }),
    // Libraries then report what differs between server and browser.
    define: {
      'process.env.NODE_ENV': '"development"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'true',
    },
    plugins: [parts(library, side)],
    outfile,
    logLevel: 'error',
  })
}

interface Rendered {
  readonly head?: string
  html(page: string): string | Promise<string>
}

/** The script is inside, as browsers wait for few answers of a host at once. */
const documentOf = (head: string, html: string, client: string): string => `<!doctype html>
  <title>x</title><link rel="icon" href="data:,">
  <script nonce="${NONCE}">
    customElements.define('x-card', class extends HTMLElement {
      constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<slot name="image"></slot>' }
    })
  </script>${head}
  <body><div id="root">${html}</div>
  <script type="module" nonce="${NONCE}">${client.replaceAll('</script', String.raw`<\/script`)}</script>`

/** The file that each image shows, by its `alt`. */
const shown = (page: Page): Promise<Record<string, string | undefined>> =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.images].map(({ alt, currentSrc, naturalWidth }) => [
        alt,
        naturalWidth === 0 ? 'broken' : currentSrc.split('/').at(-1),
      ]),
    ),
  )

/** Tells whether the images with a placeholder show it. */
const placeholders = (page: Page): Promise<boolean[]> =>
  page.evaluate(() =>
    ['opaque', 'transparent'].map((alt) =>
      getComputedStyle(document.querySelector(`[alt=${alt}]`)!).backgroundImage.includes('data:'),
    ),
  )

const executable = requireTool('chromium')

describe.skipIf(executable === undefined)('pictures of components in Chromium', () => {
  let browser: Browser
  let folder: string
  let image: Buffer
  beforeAll(async () => {
    browser = await launch(executable!)
    folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-components-'))
    image = await photo(40, 30).png()
  })
  afterAll(async () => {
    await browser?.close()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  describe.each(Object.keys(LIBRARIES))('%s', (library) => {
    let server: Server
    /** Requests of each image of the page. */
    let requests: Map<string, number>
    let arrive: () => void
    let arrived: Promise<void>

    beforeAll(async () => {
      const files = { server: path.join(folder, `${library}-server.mjs`), client: path.join(folder, `${library}.js`) }
      await bundle(library, 'server', files.server)
      await bundle(library, 'client', files.client)
      const rendered = (await import(files.server)) as Rendered
      const client = await readFile(files.client, 'utf8')
      server = createServer(async (request, response) => {
        const url = request.url!
        if (!url.includes('.')) {
          const page = url.slice(1)
          requests = new Map()
          arrived = new Promise((resolve) => (arrive = resolve))
          if (page === 'strict') response.setHeader('content-security-policy', STRICT_POLICY)
          response.setHeader('content-type', 'text/html')
          return response.end(documentOf(rendered.head ?? '', await rendered.html(page), client))
        }
        requests.set(url, (requests.get(url) ?? 0) + 1)
        if (url.startsWith('/free') || url.includes('slow')) await arrived
        if (url.includes('404')) return response.writeHead(404).end()
        // Browsers look at the bytes, not at the extension.
        return response.setHeader('content-type', 'image/png').end(image)
      }).listen(0, '127.0.0.1')
      await new Promise((resolve) => server.once('listening', resolve))
    })
    afterAll(() => {
      server?.closeAllConnections()
      server?.close()
    })

    /** Opens a page, and waits until its components work. */
    async function open(name: 'strict' | 'free'): Promise<{ page: Page; problems: string[] }> {
      const page = await browser.newPage()
      const problems: string[] = []
      page.on('console', (message) => {
        if (/error|warning/.test(message.type()) && !message.text().includes('404')) problems.push(message.text())
      })
      page.on('pageerror', (error) => problems.push(error.message))
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`, { waitUntil: 'commit' })
      await page.waitForSelector('[data-started]')
      return { page, problems }
    }

    const repeated = (): string[] => [...requests].filter(([, count]) => count > 1).map(([url]) => url)
    it('need no inline style or script, and show the next file where one fails', async () => {
      const { page, problems } = await open('strict')
      expect(await placeholders(page)).toEqual(library === 'html' ? [true, false] : [true, true])
      arrive()
      await page.waitForLoadState('networkidle')
      expect(problems).toEqual([])
      expect((await placeholders(page))[1]).toBe(false)
      expect(await shown(page)).toEqual({
        slotted: 'slotted.avif',
        opaque: 'slow.avif',
        transparent: 'slow-too.png',
        gone: 'broken',
        ...(library === 'html' ? { early: 'broken' } : { early: 'early.png', swapped: 'first.png' }),
      })
      expect(repeated()).toEqual([])
      await page.close()
    })

    it('stand in the slot of a custom element', async () => {
      const { page } = await open('strict')
      const box = await page.locator('[alt=slotted]').boundingBox()
      expect([box?.width, box?.height]).toEqual([40, 30])
      await page.close()
    })

    it('show the src that a handler sets, after one request for each file', async () => {
      const { page, problems } = await open('free')
      arrive()
      await page.waitForLoadState('networkidle')
      expect(await shown(page)).toEqual({
        slotted: 'slotted.avif',
        hovered: 'hovered.avif',
        failed: 'failed-other.png',
        same: 'same.png',
        sizes: 'sizes-other.png',
        ...(library !== 'html' && { swapped: 'first.png' }),
      })
      await page.hover('[alt=hovered]')
      await expect.poll(async () => (await shown(page))['hovered']).toBe('hovered-other.png')
      expect(repeated()).toEqual([])
      expect(problems).toEqual([])
      await page.close()
    })

    it.skipIf(library === 'html')('show the sources of another import, also after a failure', async () => {
      const { page } = await open('free')
      arrive()
      await expect.poll(async () => (await shown(page))['swapped']).toBe('first.png')
      await page.evaluate(() => (globalThis as unknown as { swap(): void }).swap())
      await expect.poll(async () => (await shown(page))['swapped']).toBe('second.avif')
      expect(repeated()).toEqual([])
      await page.close()
    })
  })
})
