import { createProject, danglingReferences, detect, graphic, photo, readReferences } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VITES, buildProject, emitted, emittedText } from './build.ts'
import type { BuildOutcome } from './build.ts'

const NAMES = [
  'static',
  'lazy',
  'globbed',
  'url-flag',
  'new-url',
  'dynamic-x',
  'dynamic-y',
  'css',
  'imported-css',
  'sass-partial',
  'css-module',
  'set-url',
  'set-string',
  'src',
  'srcset',
  'poster',
  'attribute',
  'style-element',
  'aliased',
  'vue',
  'part',
] as const

const PAGE = `<!doctype html>
<html>
  <head>
    <link rel="icon" href="./src/icon.png">
    <meta property="og:image" content="/src/og.png">
    <meta itemprop="image" content="/src/og.png">
    <style>.page { background: url(./src/style-element.png) }</style>
  </head>
  <body>
    <img src="./src/src.png" srcset="./src/src.png 1x, ./src/srcset.png 2x">
    <img vite-ignore src="./src/src.png?w=10">
    <video poster="./src/poster.png"></video>
    <!-- part -->
    <div style="background: url('./src/attribute.png')"></div>
    <script type="module" src="/src/main.js"></script>
  </body>
</html>
`

const MAIN = `import image from './static.png'
import flagged from './url-flag.png?url'
import aliased from '@/aliased.png'
import Component from './Component.vue'
import styles from './classes.module.css'
import './style.css'
import './style.scss'
const globbed = import.meta.glob('./globbed.png', { eager: true, import: 'default' })
const one = new URL('./new-url.png', import.meta.url).href
const some = (name) => new URL(\`./dynamic-\${name}.png\`, import.meta.url).href
globalThis.lazy = () => import('./lazy.png')
console.log(image, flagged, aliased, Component, styles, globbed, one, some('x'))
`

const FILES = {
  'index.html': PAGE,
  'src/main.js': MAIN,
  'src/Component.vue': `<template><img src="./vue.png"></template>`,
  'src/style.css': `@import './deep/imported.css';
.a { background: url(./css.png) }
.b { background-image: image-set(url("./set-url.png") 1x, "./set-string.png" 2x) }`,
  'src/deep/imported.css': `.i { background: url('../imported-css.png') }`,
  'src/style.scss': `@use './deep/partial';\n.s { color: red }`,
  'src/deep/_partial.scss': `.p { background: url('../sass-partial.png') }`,
  'src/classes.module.css': `.m { background: url(./css-module.png) }`,
}

/** Puts pages together from parts before Vite looks for images. */
const PARTS = `{
  name: 'test:parts',
  transformIndexHtml: { order: 'pre', handler: (html) => html.replace('<!-- part -->', '<img src="./src/part.png">') },
}`

const CONFIG = `{
  plugins: [(await import('@vitejs/plugin-vue')).default(), ${PARTS}],
  resolve: { alias: { '@': process.cwd() + '/src' } },
  build: { assetsInlineLimit: 0, manifest: true, rollupOptions: { external: ['vue'] } },
}`

describe.each(VITES)('every kind of reference, %s', (vite) => {
  // Before 7, Vite looks for what a Sass partial refers to beside the file that uses the partial.
  const isPartialsFolder = vite !== 'vite5' && vite !== 'vite6'
  // Before 6, it knows neither `vite-ignore` nor social cards.
  const isWholePage = vite !== 'vite5'
  const icons = isWholePage ? ['icon', 'og'] : ['icon']
  const left = ['/src/og.png']
  let project: Project
  let outcome: BuildOutcome

  beforeAll(async () => {
    const images = [...NAMES, 'icon', 'og'].map(async (name, seed) => [
      `src/${name}.png`,
      await photo(80, 60, seed + 1).png(),
    ])
    project = await createProject('vite-references', {
      packages: ['unplugin-pixpress', ...VITES, 'sass', '@vitejs/plugin-vue'],
      files: {
        ...FILES,
        ...(!isWholePage && { 'index.html': PAGE.replace(/<img vite-ignore.*/, '') }),
        ...(!isPartialsFolder && { 'src/deep/_partial.scss': `.p { background: url('./sass-partial.png') }` }),
        ...(Object.fromEntries(await Promise.all(images)) as Record<string, Buffer>),
      },
    })
    outcome = await buildProject(project, { vite, config: CONFIG, options: `{ convert: { type: 'image/webp' } }` })
  })
  afterAll(() => project.dispose())

  it('builds without a word', () => {
    expect(outcome.error).toBeUndefined()
    // Before 7, Vite looks for an image of a stylesheet that it has taken up a second time, and says that it is not
    // there.
    const warnings = outcome.warnings.filter((warning) => isPartialsFolder || !warning.includes('\n__VITE_ASSET__'))
    expect(warnings).toEqual([])
    expect(outcome).toMatchObject({ encoded: NAMES.length + 2, reports: 1 })
  })

  it.each(NAMES)('converts %s', async (name) => {
    expect(detect(await emitted(project, `assets/${name}-`))).toBe('webp')
  })

  it.each(icons)('keeps the type of %s', async (name) => {
    const bytes = await emitted(project, `assets/${name}-`)
    expect(detect(bytes)).toBe('png')
    expect(bytes.length).toBeLessThan((await project.read(`src/${name}.png`)).length)
  })

  it('leaves no reference behind', async () => {
    const references = await readReferences(project.path('dist'))
    // The end of the dynamic URL's template names no file by itself.
    const dangling = danglingReferences(references).flatMap(({ url }) => (url === '.png' ? [] : [url]))
    // References that Vite does not take up keep the URL that the page has.
    expect(dangling.sort()).toEqual([...(isWholePage ? ['./src/src.png?w=10'] : []), ...left])
    const targets = new Set(references.map(({ target }) => target))
    const images = (await project.list('dist')).filter((file) => /\.(?:png|webp)$/.test(file))
    expect(images.filter((file) => !targets.has(file))).toEqual([])
  })

  it('keeps paths of the cache and of the machine out of what it emits', async () => {
    const texts = (await project.list('dist')).filter((file) => /\.(?:js|css|html|json)$/.test(file))
    expect(texts.length).toBeGreaterThan(3)
    for (const file of texts) {
      const text = await project.readText(`dist/${file}`)
      expect(text).not.toContain('.cache')
      expect(text).not.toContain(project.root)
    }
  })

  it('has a manifest keyed by the sources', async () => {
    const manifest = JSON.parse(await project.readText('dist/.vite/manifest.json')) as Record<string, { src?: string }>
    const images = Object.keys(manifest).filter((key) => key.endsWith('.png'))
    expect(images).toEqual([...NAMES, ...icons].map((name) => `src/${name}.png`).sort())
    expect(images.map((key) => manifest[key]?.src)).toEqual(images)
  })

  it('names the classes of CSS modules as without the plugin', async () => {
    const css = async (): Promise<string> => /_m_\w+/.exec(await emittedText(project, '.css'))![0]
    const withPlugin = await css()
    await project.run(
      `const { build } = await import('${vite}')\nawait build({ configFile: false, logLevel: 'silent', ...${CONFIG} })`,
    )
    expect(await css()).toBe(withPlugin)
  })
})

const withLimit = (value: string): string =>
  `{ build: { assetsInlineLimit: ${value}, rollupOptions: { input: 'src/main.js', preserveEntrySignatures: 'strict' } } }`

it('decides on inlining by the source, and by the result where directives ask for another image', async () => {
  const image = await graphic(400, 300, 3).png()
  const project = await createProject('vite-inline', {
    packages: ['unplugin-pixpress', 'vite'],
    files: {
      'src/a.png': image,
      'src/b.png': image,
      'src/main.js': `import './a.css'\nexport { default as module } from './a.png'
export { default as kept } from './b.png?no-inline'
export { default as asked } from './b.png?w=40'
export const located = new URL('./a.png', import.meta.url).href`,
      'src/a.css': '.a { background: url(./a.png) } .b { background: url(./b.png?w=38) }',
    },
  })
  try {
    const limit = image.length - 1
    await buildProject(project, { config: withLimit(String(limit)) })
    const images = async (): Promise<string[]> =>
      (await project.list('dist')).filter((file) => file.endsWith('.png')).map((file) => file.replace(/-[^/]*$/, ''))
    // The other image has the same bytes.
    expect(await images()).toEqual(['assets/a'])
    expect((await emitted(project, 'assets/a-')).length).toBeLessThan(limit)
    const references = await readReferences(project.path('dist'))
    expect(references.filter(({ inlined }) => inlined !== undefined)).toHaveLength(2)

    const calls = `(file, content) => (customLogger.warn(file.slice(process.cwd().length) + ' ' + content.length), false)`
    const { warnings } = await buildProject(project, { config: withLimit(calls) })
    const asked = (name: string): number[] =>
      warnings.filter((line) => line.startsWith(`/src/${name} `)).map((line) => Number(line.split(' ')[1]))
    expect(asked('a.png')).toEqual([image.length, image.length, image.length])
    expect(asked('b.png')).toHaveLength(2)
    for (const size of asked('b.png')) expect(size).toBeLessThan(image.length)
    expect(warnings).toHaveLength(5)
  } finally {
    await project.dispose()
  }
})
