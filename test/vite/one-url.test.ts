import path from 'node:path'
import { createProject, danglingReferences, detect, expectSimilar, photo, readReferences } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NEWEST_AND_OLDEST, VITES, buildProject, emittedText } from './build.ts'
import type { BuildOutcome, ViteName } from './build.ts'

/** Images beside scripts, stylesheets and pages. */
const OWN = ['imported', 'located', 'worker', 'styled', 'set', 'page', 'source', 'typed', 'icon', 'card'] as const
/** Images of `public/photos`. */
const PUBLIC = [
  'literal',
  'data',
  'joined',
  'json',
  'static',
  'bound',
  'module',
  'shown',
  'lit',
  'backdrop',
  'poster',
  'candidate',
  'early',
  'meta',
  'unnamed',
] as const

/** A site whose author writes URLs of public images with the base. */
const filesFor = (root: string): Record<string, string> => ({
  'index.html': `<!doctype html><html><head><meta charset="utf-8"><title>x</title>
    <link rel="icon" href="./src/icon.png"><meta property="og:image" content="/photos/meta.png">
    <link rel="preload" as="image" href="/photos/early.png"></head><body>
    <img src="/photos/shown.png" alt=""><img srcset="/photos/candidate.png 2x, ./src/page.png 1x" alt="">
    <video poster="/photos/poster.png"></video>
    <picture><source type="image/png" srcset="./src/typed.png"><img src="./src/source.png" alt=""></picture>
    <p style="background: url(/photos/lit.png)"></p><a href="${root}photos/shown.png" download>x</a>
    <script type="module" src="/src/main.js"></script></body></html>`,
  'src/main.js': `import './style.css'\nimport { html } from './app.js'\nglobalThis.html = html
    globalThis.work = () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })`,
  'src/worker.js': `import image from './worker.png'\npostMessage(image)`,
  'src/style.css': `.a { background: url(./styled.png) } .b { background: image-set(url(./set.png) 1x) }
    .c { background: url(/photos/backdrop.png) } .d { background: image-set(url(./card.png) type('image/png')) }`,
  'src/app.js': `import { createElement as h } from 'react'
    import { renderToStaticMarkup } from 'react-dom/server'
    import { createSSRApp } from 'vue'
    import { renderToString } from 'vue/server-renderer'
    import imported from './imported.png'
    import module from '/photos/module.png'
    import { rows } from './data.js'
    import Card from './Card.vue'
    const located = new URL('./located.png', import.meta.url).href
    const image = (alt, src) => h('img', { key: alt, alt, src })
    const App = () => h('main', null, image('imported', imported), image('located', located), image('module', module),
      h('img', { alt: 'literal', src: '${root}photos/literal.png' }), rows.map(({ name, url }) => image(name, url)))
    export const html = async () => renderToStaticMarkup(h(App)) + (await renderToString(createSSRApp(Card)))`,
  'src/data.js': `import more from './more.json'
    export const rows = [{ name: 'data', url: '${root}photos/data.png' }, { name: 'joined', url: ['${root}photos', 'joined.png'].join('/') },
      { name: 'far', url: 'https://example.com/photos/data.png' }, ...more]`,
  'src/more.json': `[{ "name": "json", "url": "${root}photos/json.png" }]`,
  'src/Card.vue': `<script setup>
    const url = '${root}photos/bound.png'
    </script>
    <template><img alt="static" src="/photos/static.png"><img alt="bound" :src="url"></template>`,
})

/** Images that components show, by \`alt\`. */
const IN_COMPONENTS = ['imported', 'located', 'module', 'literal', 'data', 'joined', 'json', 'static', 'bound'] as const

/** Collects the digests of a bundle, and of what is written, as plugins for SRI and compression do. */
const DIGESTS = `{
  name: 'test:digests',
  enforce: 'post',
  generateBundle: { order: 'post', handler(_, bundle) {
    for (const [name, { code, source }] of Object.entries(bundle)) seen.push([name, digest(code ?? source)])
  } },
  writeBundle: { order: 'pre', handler({ dir }, bundle) {
    for (const name of Object.keys(bundle)) seen.push([name, digest(readFileSync(dir + '/' + name))])
  } },
}`

const COMMON = `
  const { createHash } = await import('node:crypto')
  const seen = []
  const digest = (data) => createHash('sha256').update(data).digest('hex')
  const client = { ...config, build: { ...config.build, outDir: 'dist', rollupOptions: { ...shared,
    input: { index: 'index.html', app: 'src/app.js' }, preserveEntrySignatures: 'strict',
    output: { entryFileNames: (chunk) => chunk.name === 'app' ? 'app.mjs' : 'assets/[name]-[hash].js' } } } }
  const server = { ...config, build: { ...config.build, outDir: 'server', ssr: 'src/app.js',
    rollupOptions: { ...shared, output: { entryFileNames: 'app.mjs' } } } }
  const check = () => {
    for (const [name, known] of seen) if (digest(readFileSync('dist/' + name)) !== known) outcome.warnings.push(name + ' was changed')
  }`

interface Site {
  readonly base?: string
  readonly vite: ViteName
  /** Default: the client first. */
  readonly run?: string
  /** Source text of further configuration. */
  readonly more?: string
}

let project: Project
beforeAll(async () => {
  project = await createProject('vite-one-url', {
    packages: ['unplugin-pixpress', ...VITES, 'react', 'react-dom', 'vue', '@vitejs/plugin-vue'],
    files: {
      'package.json': '{"type":"module"}',
      ...Object.fromEntries(
        await Promise.all(
          OWN.map(async (name, at) => [`src/${name}.png`, await photo(200, 150, at + 1).png()] as const),
        ),
      ),
      ...Object.fromEntries(
        await Promise.all(
          PUBLIC.map(async (name, at) => [`public/photos/${name}.png`, await photo(200, 150, at + 40).png()] as const),
        ),
      ),
      'public/photos/photo.jpg': await photo(200, 150, 30).jpeg(95),
    },
  })
})
afterAll(() => project.dispose())

/** Builds the site for browsers and for a server. */
async function buildSite({ base = '/', vite, run = CLIENT_FIRST, more = '' }: Site): Promise<BuildOutcome> {
  const root = base === './' ? '/' : base
  for (const [name, text] of Object.entries(filesFor(root))) await project.write(name, text)
  for (const folder of ['dist', 'server']) await project.remove(folder)
  const outcome = await buildProject(project, {
    vite,
    options: `{ convert: 'auto' }`,
    config: `{ base: '${base}', plugins: [(await import('@vitejs/plugin-vue')).default()], build: { assetsInlineLimit: 0, emptyOutDir: true }, worker: { format: 'es' }, ${more} }`,
    run: `const shared = { external: [/^(?:react|vue)/] }\n${COMMON}\n${run}`,
  })
  expect(outcome.error).toBeUndefined()
  // Vite 6 looks for an image of a stylesheet a second time, and says that it is not there.
  expect(outcome.warnings.filter((each) => !each.includes('\n__VITE_ASSET__'))).toEqual([])
  return outcome
}

const CLIENT_FIRST = 'await build(client); await build(server)'
const SERVER_FIRST = 'await build(server); await build(client)'

/** URLs that components show as a build renders them, by \`alt\`. */
async function shownBy(folder: string): Promise<Record<string, string>> {
  const script = `const { html } = await import('./${folder}/app.mjs')\nconsole.log(await html())`
  const { code, stdout, stderr } = await project.run(script)
  expect(code, stderr).toBe(0)
  const images = [...stdout.matchAll(/<img\b[^>]*>/g)].map(([tag]) => [
    /alt="([^"]*)"/.exec(tag)![1]!,
    /src="([^"]*)"/.exec(tag)![1]!,
  ])
  return Object.fromEntries(images) as Record<string, string>
}

const filesOf = (shown: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(shown).map(([alt, url]) => [alt, path.posix.basename(url)]))

/** The files that components have to show, and one of another server. */
const CONVERTED = Object.fromEntries([
  ...IN_COMPONENTS.map((name) => [name, expect.stringMatching(new RegExp(`^${name}-[\\w-]{8}\\.avif$`))]),
  ['far', 'data.png'],
]) as Record<string, unknown>

/** Every file of the public folder is there under its name, in its format, and no other has its name. */
async function expectPublicFiles(): Promise<void> {
  const sources = await project.list('public')
  for (const name of sources) {
    const [source, copy] = [await project.read(`public/${name}`), await project.read(`dist/${name}`)]
    expect([name, detect(copy)]).toEqual([name, detect(source)])
    await expectSimilar(copy, source)
  }
  const others = (await project.list('dist')).filter((name) => name.startsWith('photos/'))
  expect(others.toSorted()).toEqual(sources.toSorted())
}

describe.each(VITES)('one URL for each image, %s', (vite) => {
  it('is the same for browsers and a server, with a cold cache, whichever is built first', async () => {
    await project.remove('.cache')
    await buildSite({ vite })
    const first = { client: await shownBy('dist'), server: await shownBy('server') }
    expect(filesOf(first.client)).toEqual(CONVERTED)
    // Vite leaves `new URL` to the server.
    expect(first.server).toEqual({ ...first.client, located: expect.any(String) })

    await project.remove('.cache')
    await buildSite({ vite, run: SERVER_FIRST })
    expect({ client: await shownBy('dist'), server: await shownBy('server') }).toEqual(first)
  })

  it('is of an image that is there, in a page, a stylesheet, a script and a worker', async () => {
    await buildSite({ vite })
    const references = (await readReferences(project.path('dist'))).filter(({ target }) => target !== undefined)
    expect(danglingReferences(references)).toEqual([])
    const emitted = (await project.list('dist'))
      .filter((file) => file.startsWith('assets/') && /\.(?:png|avif)$/.test(file))
      .map((file) => path.basename(file).replace(/-[\w-]{8}(?=\.)/, ''))
    const kept = ['icon', 'typed', 'source', 'card']
    const notShown = new Set<string>(['meta', 'unnamed'])
    expect(emitted.toSorted()).toEqual(
      [
        ...OWN.map((name) => `${name}.${kept.includes(name) ? 'png' : 'avif'}`),
        ...PUBLIC.filter((name) => !notShown.has(name)).map((name) => `${name}.avif`),
      ].toSorted(),
    )
    await expectPublicFiles()
    const html = await emittedText(project, '.html')
    expect(html).toContain('content="/photos/meta.png"')
    expect(html).toContain('<a href="/photos/shown.png" download>')
    expect(html).not.toContain('data-pixpress')
    for (const [place, name] of [
      [/<img src="([^"]*)"/, 'shown'],
      [/srcset="([^ "]*) 2x/, 'candidate'],
      [/poster="([^"]*)"/, 'poster'],
      [/rel="preload" as="image" href="([^"]*)"/, 'early'],
      [/background: ?url\(([^)]*)\)/, 'lit'],
    ] as const)
      expect(place.exec(html)?.[1]).toMatch(new RegExp(`^/assets/${name}-[\\w-]{8}\\.avif$`))
  })

  it.each(['config.plugins.unshift', 'config.plugins.push'])(
    'is decided before other plugins digest the output: %s',
    async (add) => {
      const run = `${add}(${DIGESTS}); await build(client); if (seen.length < 20) outcome.warnings.push('nothing was seen'); check()`
      await buildSite({ vite, run: run.replaceAll('config.plugins', 'client.plugins') })
    },
  )
})

const CDN = 'https://cdn.example.com/x/'

describe.each(NEWEST_AND_OLDEST)('one URL for each image below a base, %s', (vite) => {
  it.each(['/sub/', './', CDN])('%s', async (base) => {
    await buildSite({ vite, base })
    const client = await shownBy('dist')
    expect(filesOf(client)).toEqual(CONVERTED)
    expect(filesOf(await shownBy('server'))).toEqual({ ...CONVERTED, located: expect.any(String) })
    if (base !== './')
      for (const name of IN_COMPONENTS.filter((each) => each !== 'located'))
        expect(client[name]).toMatch(new RegExp(`^${base}assets/`))
    const html = await emittedText(project, '.html')
    expect(html).toMatch(new RegExp(`<img src="${base === './' ? '\\./' : base}assets/shown-[\\w-]{8}\\.avif"`))
    expect(await emittedText(project, '.css')).toMatch(/backdrop-[\w-]{8}\.avif/)
    const references = (await readReferences(project.path('dist'))).filter(({ target }) => target !== undefined)
    expect(danglingReferences(references)).toEqual([])
    await expectPublicFiles()
  })

  it('is what `renderBuiltUrl` says', async () => {
    const more = `experimental: { renderBuiltUrl: (name, { type, hostType }) =>
      type === 'public' ? '/' + name : hostType === 'js' ? { runtime: \`globalThis.at(\${JSON.stringify(name)})\` } : '${CDN}' + name }`
    await buildSite({ vite, more })
    await project.write('dist/at.mjs', `globalThis.at = (name) => '${CDN}' + name`)
    const app = await project.readText('dist/app.mjs')
    await project.write('dist/app.mjs', `import './at.mjs'\n${app}`)
    const client = await shownBy('dist')
    expect(filesOf(client)).toEqual(CONVERTED)
    for (const name of IN_COMPONENTS) expect(client[name]).toMatch(new RegExp(`^${CDN}assets/`))
    expect(await emittedText(project, '.html')).toMatch(new RegExp(`<img src="${CDN}assets/shown-[\\w-]{8}\\.avif"`))
  })
})
