import type { InlineConfig } from 'vite'
import { describe, expect, it } from 'vitest'
import { namesIn } from '../../../src/bundlers/vite/looked-up-urls.ts'
import type { Options } from '../../../src/vite.ts'
import { usePublicSite } from './public-site.ts'

const site = usePublicSite()

describe('names of images in a script', () => {
  it.each<[string, string[]]>([
    [`const a = '/img/a.png', b = "b.JPG", c = \`/c.webp\``, ['/img/a.png', 'b.JPG', '/c.webp']],
    ['const a = `${base}/img/a.png`', ['/img/a.png']],
    [`const a = JSON.parse('{"url":"/img/a.png"}')`, ['/img/a.png']],
    [String.raw`const a = JSON.parse("{\"url\":\"/img/a.png\"}")`, ['/img/a.png']],
    [`const html = '<img src="/img/a.png">'`, ['/img/a.png']],
    [`const a = '/img/a.png', b = '/img/a.png'`, ['/img/a.png']],
    [`import a from './a.png'\nexport { default } from "./b.png"\nimport './c.png'\nimport('./d.png')\nimport(\`./e.png\`)`, []],
    [`const a = '/img/a.png?v=1', b = '/a.pngs', c = '.png', d = a.png`, []],
    [`// it's /img/a.png`, []],
  ])('of %s', (code, names) => {
    expect(namesIn(code)).toEqual(names)
  }) // prettier-ignore
})

const MAIN = { 'index.html': '<script type="module" src="/src/main.js"></script>' }
const DATA = `export const urls = ['/hero.png', '/tiny.png', '/scene.svg', '/none.png']`

/** A component as React's compiler leaves it. */
const component = (src: string): string =>
  `import { jsx } from './runtime.js'\nimport { urls } from './data.js'\nconsole.log(jsx('img', { src: ${src} }))`
const RUNTIME = { 'src/runtime.js': `export const jsx = (type, props) => [type, props]` }

/** The lines of the table: URLs and the names of files. */
const table = (script: string): string[][] =>
  [...script.matchAll(/"(\/[^"]*)":\s*(?:new URL\()?"([^"]*)"/g)].map(([, from, to]) => [
    from!,
    to!.replace(/-[\w-]{8}(?=\.)/, ''),
  ])

describe('a script that names images of the public folder', () => {
  it('brings their converted copies, where these save enough for a line', async () => {
    await site.write({ ...MAIN, ...RUNTIME, 'src/main.js': component('urls[0]'), 'src/data.js': DATA })
    const { modules, script, images } = await site.build()
    expect(modules.get('main.js')).toContain('{ src: __pixpress_url(urls[0]) }')
    expect(table(script)).toEqual([['/hero.png', '/assets/hero.avif']])
    expect(images).toEqual(['hero.avif'])
  })

  it('brings no copy to the report that saves too little for a line', async () => {
    await site.write({ ...MAIN, ...RUNTIME, 'src/main.js': component('urls[0]'), 'src/data.js': DATA })
    await site.build({ report: { json: 'report.json' } })
    const { images } = JSON.parse(await site.read('report.json')) as { images: { source: string }[] }
    expect(images.map(({ source }) => source)).toEqual(['public/hero.png'])
  })

  it('names them by the end of a URL, which any folder may come before', async () => {
    await site.write({ ...MAIN, 'src/main.js': `for (const folder of ['a', 'b']) console.log(folder + '/card.png')` })
    expect(table((await site.build()).script).map(([url]) => url)).toEqual(['/a/card.png', '/b/card.png'])
  })

  it('names them with the base, and with spaces as browsers write them', async () => {
    await site.write({ ...MAIN, 'src/main.js': `console.log('/sub/white space.png', '/sub/hero.png')` })
    const { script } = await site.build({}, { base: '/sub/' })
    expect(table(script)).toEqual([
      ['/sub/hero.png', '/sub/assets/hero.avif'],
      ['/sub/white space.png', '/sub/assets/white%20space.avif'],
      ['/sub/white%20space.png', '/sub/assets/white%20space.avif'],
    ])
  })

  it('names them with a base of another host', async () => {
    const base = 'https://cdn.example.com/x/'
    await site.write({ ...MAIN, 'src/main.js': `console.log('${base}hero.png')` })
    expect((await site.build({}, { base })).script).toMatch(/"https:[^"]*x\/hero\.png": ?"https:[^"]*\/assets\/hero-/)
  })

  it('names them from the root where the base is relative', async () => {
    await site.write({ ...MAIN, 'src/main.js': `console.log('/hero.png')` })
    const { script } = await site.build({}, { base: './' })
    expect(script).toMatch(/"\/hero\.png":\s*(?:""\s*\+\s*)?new URL\([^)]*hero-[\w-]{8}\.avif/)
  })

  it.each([`'use client'`, `"use client";`, `/* @license */ 'use client'`, `'use strict'; 'use client'`])(
    'begins with its directives: %s',
    async (begin) => {
      await site.write({ ...MAIN, 'src/main.js': `${begin}\nconsole.log('/hero.png')` })
      const { modules } = await site.build()
      expect(modules.get('main.js')).toMatch(/^[^_]*['"]use client['"];*__pixpress_add\(/)
    },
  )

  it('stays unchanged where it names images only to import them', async () => {
    await site.write({ ...MAIN, 'src/main.js': `import hero from '/hero.png'\nconsole.log(hero)` })
    const { modules, images } = await site.build()
    expect(modules.get('main.js')).not.toContain('__pixpress')
    expect(images).toEqual(['hero.avif'])
  })

  it.each<[string, Options, InlineConfig]>([
    ['without convert', { convert: false }, {}],
    ['in a library', {}, { build: { lib: { entry: 'src/main.js', formats: ['es'] } } }],
    ["without Vite's public folder", {}, { publicDir: false }],
    ['where public files are left alone', { publicDir: false }, {}],
    ['where they are excluded', { exclude: 'public/**' }, {}],
    ['where an override keeps their format', { overrides: [{ include: 'public/**', convert: false }] }, {}],
    ['where no format is smaller', { convert: { type: 'image/png' } }, {}],
  ])('stays unchanged %s', async (_, options, config) => {
    await site.write({ ...MAIN, ...RUNTIME, 'src/main.js': component('urls[0]'), 'src/data.js': DATA })
    const { script, images } = await site.build(options, config)
    expect(table(script)).toEqual([])
    expect(images).toEqual([])
  })
})

/** A compiler as that of Svelte 4, for components with `<img src={url}>`: types in a script are an error. */
const OLDER_SVELTE = `exports.VERSION = '4.2.20'
exports.parse = (text) => {
  if (text.includes(': string')) throw new Error('Unexpected token')
  const at = (part) => ({ start: text.indexOf(part), end: text.indexOf(part) + part.length })
  const value = { type: 'MustacheTag', ...at('{url}'), expression: { type: 'Identifier', name: 'url', ...at('url}'), end: at('url}').end - 1 } }
  const src = { type: 'Attribute', name: 'src', ...at('src={url}'), value: [value] }
  const html = { type: 'Element', name: 'img', ...at('<img'), attributes: [src] }
  const start = text.indexOf('>') + 1
  return { html, instance: { type: 'Script', start: 0, end: 0, content: { type: 'Program', start, end: start, body: [] } } }
}`

describe('a component of Svelte 4', () => {
  it.each(['export let url', 'export let url: string'])('has its source looked up: %s', async (script) => {
    await site.write({
      ...MAIN,
      'node_modules/svelte/package.json': '{"name":"svelte"}',
      'node_modules/svelte/compiler.js': OLDER_SVELTE,
      'src/main.js': `import component from './a.svelte'\nconsole.log(component, '/hero.png')`,
      'src/a.svelte': `<script lang="ts">${script}</script>\n<img src={url}>`,
    })
    const compiler = {
      name: 'test:svelte',
      transform: (code: string, id: string) =>
        id.endsWith('.svelte') ? `export default ${JSON.stringify(code)}` : undefined,
    }
    const { modules } = await site.build({}, { plugins: [compiler] })
    const rewritten = JSON.parse(modules.get('a.svelte')!.slice('export default '.length)) as string
    expect(rewritten).toMatch(/^<script lang="ts">\nimport \{ url as __pixpress_url \} from '[^']*';\nexport let url/)
    expect(rewritten).toContain('<img src={__pixpress_url(url)}>')
  })
})
