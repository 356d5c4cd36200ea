import { createProject, graphic, photo, startGcsDouble, naming } from '@pixpress/testkit'
import type { GcsDouble, Project } from '@pixpress/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BUN, buildProject } from './bun.ts'
import type { BuildOutcome } from './bun.ts'

const TOKEN = 'ya29.a-token'

let project: Project
let double: GcsDouble

beforeAll(async () => {
  project = await createProject('bun-store', {
    files: {
      'src/small.png': await graphic(120, 90).png(),
      // Without loss it has more bytes than what Bun makes `data:` URLs of in stylesheets.
      'src/large.png': await photo(400, 300, 2).png(),
      'src/local.png': await graphic(80, 60, 3).png(),
    },
  })
})
afterAll(() => project.dispose())

beforeEach(async () => {
  double = await startGcsDouble('pictures', { [TOKEN]: 'write' })
})
afterEach(() => double.close())

const options = (): string =>
  JSON.stringify({
    exclude: 'src/local.png',
    encoder: { 'image/png': {} },
    store: {
      service: 'gcs',
      gcp_access_token: TOKEN,
      path: 'pictures',
      endpoint: double.endpoint,
      baseUrl: 'https://cdn.example.com',
    },
  })

const buildEntry = (entry: string, more = ''): Promise<BuildOutcome> =>
  buildProject(
    project,
    `{ entrypoints: ['src/${entry}'], naming: { entry: '[name].[ext]', chunk: '[name].[ext]', asset: '[name].[ext]' }, ${more} }`,
    options(),
  )

/** The images that were uploaded, without the digits of their bytes. */
const uploaded = (): string[] =>
  double.requests
    .filter(({ method }) => method === 'PUT')
    .map(({ path: url }) => plain(url.replace('/pictures/', '')))
    .toSorted()

/** A text with addresses that do not change with the encoders. */
const plain = (text: string): string => text.replaceAll(/\.[\da-f]{16}\./g, '.')

const text = ({ files }: BuildOutcome, name: string): string => plain(files.get(name)!.toString())

const AT = 'https://cdn.example.com'

describe.skipIf(BUN === undefined)('Bun.build with a store', () => {
  it('gives scripts addresses, however they ask, and leaves inline images inline', async () => {
    await project.write(
      'src/main.js',
      `import a from './small.png'
       import inlined from './small.png?inline'
       import picture from './large.png?w=40;80&as=srcset'
       import local from './local.png'
       const required = require('./small.png')
       const { default: later } = await import('./large.png')
       const url = new URL('./small.png?original#top', import.meta.url)
       console.log(JSON.stringify({ a, inlined, picture, local, required, later, url }))`,
    )
    const { success, errors } = await buildEntry('main.js')
    expect([success, errors]).toEqual([true, []])
    const { stdout } = await project.run('dist/main.js')
    const { inlined, ...others } = JSON.parse(plain(stdout)) as Record<string, string>
    expect(inlined).toMatch(/^data:image\/png;base64,/)
    expect(others).toEqual({
      a: `${AT}/small.png`,
      picture: `${AT}/large-40.png 40w, ${AT}/large-80.png 80w`,
      local: './local.png',
      required: `${AT}/small.png`,
      later: `${AT}/large.png`,
      url: `${AT}/small.png#top`,
    })
    expect(await project.list('dist')).toEqual(['local.png', 'main.js'])
    expect(uploaded()).toEqual(['large-40.png', 'large-80.png', 'large.png', 'small.png', 'small.png'])
  })

  it('stores the images of stylesheets that Bun makes no data of', async () => {
    await project.write(
      'src/main.css',
      `.large { background: url(./large.png#top) }
       .asked { background: image-set(url(./small.png?no-inline) 1x, './large.png' 2x) }
       .small { background: url(./small.png) }
       .local { background: url(./local.png) }`,
    )
    const outcome = await buildEntry('main.css', `minify: true`)
    const rules = text(outcome, 'main.css').split('}')
    expect(rules[0]).toBe(`.large{background:url(${AT}/large.png#top)`)
    expect(rules[1]).toContain(`image-set("${AT}/small.png" 1x,"${AT}/large.png" 2x)`)
    expect(rules[2]).toMatch(/^\.small{background:url\("?data:image\/png;base64,/)
    expect(rules[3]).toMatch(/^\.local{background:url\("?data:image\/png;base64,/)
    expect([...outcome.files.keys()]).toEqual(['main.css'])
    expect(uploaded()).toEqual(['large.png', 'small.png'])
  })

  it('gives pages addresses where Bun itself sees no images, too', async () => {
    await project.write(
      'src/index.html',
      `<!doctype html><meta property="og:image" content="./large.png"><link rel="icon" href="small.png">
<style>a { background: url(./small.png) }</style><img src="./small.png#top" srcset="./small.png 1x, ./large.png?w=80 2x">
<p style="background: url('./small.png')"></p><img src="./small.png?inline"><img src="./local.png">`,
    )
    const outcome = await buildEntry('index.html')
    const page = text(outcome, 'index.html')
    for (const part of [
      `content="${AT}/large.png"`,
      `href="${AT}/small.png"`,
      `a { background: url(${AT}/small.png) }`,
      `src="${AT}/small.png#top" srcset="${AT}/small.png 1x, ${AT}/large-80.png 2x"`,
      `style="background: url('${AT}/small.png')"`,
      'src="data:image/png;base64,',
      'src="./local.png"',
    ]) {
      expect(page).toContain(part)
    }
    expect([...outcome.files.keys()].filter((name) => name.endsWith('.png'))).toEqual(['local.png'])
    expect(uploaded()).toEqual(['large-80.png', 'large.png', 'small.png'])
  })

  it('fails where a srcset would lose an image that is not stored', async () => {
    await project.write('src/index.html', `<!doctype html><img srcset="./small.png 1x, ./local.png 2x">`)
    const { success, errors } = await buildEntry('index.html')
    expect(success).toBe(false)
    expect(errors.join()).toEqual(naming('src/index.html', "'./local.png'"))
  })

  it('has the pages of a server in the store, and leaves HTML alone that is imported as text', async () => {
    await project.write('src/page.html', `<!doctype html><img src="./small.png">`)
    await project.write('src/part.html', `<img src="./small.png">`)
    await project.write(
      'src/server.js',
      `import page from './page.html'
       import part from './part.html' with { type: 'text' }
       console.log(page.index, part)`,
    )
    const server = await buildEntry('server.js', `target: 'bun'`)
    expect(server.errors).toEqual([])
    expect(text(server, 'page.html')).toContain(`src="${AT}/small.png"`)
    expect(text(server, 'server.js')).toContain('<img src="./small.png">')

    await project.write('src/main.js', `import part from './part.html' with { type: 'text' }; console.log(part)`)
    const client = await buildEntry('main.js')
    expect(client.errors).toEqual([])
    expect(text(client, 'main.js')).toContain('<img src="./small.png">')
  })
})

describe.skipIf(BUN === undefined)('Bun.serve with a store', () => {
  it.each([true, false])('serves the images itself (development: %s)', async (development) => {
    await project.write('src/index.html', `<!doctype html><img src="./small.png"><script src="./main.js"></script>`)
    await project.write('src/main.js', `import a from './large.png'; console.log(a)`)
    await project.write(
      'plugin.mjs',
      `import pixpress from 'unplugin-pixpress/bun'; export default pixpress({ report: false, ...${options()} })`,
    )
    await project.write('bunfig.toml', `[serve.static]\nplugins = ["./plugin.mjs"]\n`)
    await project.write(
      'serve.mjs',
      `import page from './src/index.html'
       const server = Bun.serve({ port: 0, hostname: '127.0.0.1', development: ${development}, routes: { '/': page }, fetch: () => new Response('', { status: 404 }) })
       const get = (url) => fetch(new URL(url, server.url))
       const html = await (await get('/')).text()
       const script = await (await get(/<script[^>]* src="([^"]+)"/.exec(html)[1])).text()
       const urls = [/<img src="([^"]+)"/.exec(html)[1], /"(\\/[^"]+\\.png)"/.exec(script)[1]]
       console.log('\\n' + JSON.stringify(await Promise.all(urls.map(async (url) => (await get(url)).headers.get('content-type')))))
       process.exit(0)`,
    )
    const { stdout, stderr } = await project.exec(BUN!, { args: ['serve.mjs'], timeout: 180_000 })
    await project.remove('bunfig.toml')
    expect(stdout.trimEnd().split('\n').at(-1), stderr).toBe('["image/png","image/png"]')
    expect(double.requests).toEqual([])
  })
})
