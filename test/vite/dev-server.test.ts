import { createProject, decode, detect, graphic, photo, naming } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ViteDevServer } from 'vite'
import { VITES } from './build.ts'
import { serve } from './serve.ts'
import type { DevServer } from './serve.ts'

const WEBP = { convert: { type: 'image/webp' } } as const
// A type that depends on what is smaller is not known before encoding: the name keeps the source's extension.
const PLANNED = /^\/@pixpress\/[\da-f]{16}\/a\.png$/

/** The channel through which a server talks to its browsers; Vite 5 has no environments. */
const channel = (server: ViteDevServer): Pick<ViteDevServer['ws'], 'send'> =>
  (server.environments as typeof server.environments | undefined)?.client.hot ?? server.ws

const planned = (name: string): unknown => expect.stringMatching(`/@pixpress/[\\da-f]{16}/${name}$`)

describe.each(VITES)('dev server, %s', (vite) => {
  let project: Project
  let source: Buffer
  let dev: DevServer

  beforeAll(async () => {
    source = await photo(240, 180, 1).png()
    project = await createProject('vite-dev', {
      packages: ['unplugin-pixpress', ...VITES, 'sass'],
      files: {
        'index.html': `<link rel="icon" href="./src/a.png"><style>b { background: url(./src/a.png) }</style>
<img src="./src/a.png" srcset="/src/a.png?w=80 80w"><p style="background: url(./src/a.png)"><script type="module" src="/src/main.js"></script>`,
        'src/main.js': `import './style.scss'\nimport a from './a.png'
export default new URL('./a.png', import.meta.url).href\nexport const server = a\nimport.meta.hot?.accept()`,
        'src/style.scss': `@use './deep/part';\n.a { background: image-set(url(./a.png) 1x) }`,
        // Before 7, Vite looks for images of partials beside the file that uses them.
        'src/deep/_part.scss': `.b { background: url(${['vite5', 'vite6'].includes(vite) ? './a.png' : '../a.png'}) }`,
        'src/a.png': source,
        'src/b b.png': await graphic(64, 48, 2).png(),
        'src/broken.png': 'no image',
        'public/p.png': source,
        'secret/s.png': source,
      },
    })
    dev = await serve(project, vite, { options: WEBP })
  })
  afterAll(async () => {
    await dev.close()
    await project.dispose()
  })

  /** A server of one test, with another configuration. */
  async function serveApart(settings: Parameters<typeof serve>[2] = {}): Promise<DevServer> {
    const apart = await serve(project, vite, settings)
    onTestFinished(() => apart.close())
    return apart
  }

  it('encodes nothing before an image is asked for, then once', async () => {
    const url = String(await dev.load('/src/a.png?import'))
    expect(url).toMatch(PLANNED)
    await dev.load('/src/a.png?import&w=80;120&format=avif;webp&as=picture')
    await dev.ask('/index.html')
    await dev.ask('/src/style.scss')
    await dev.ask('/src/main.js')
    expect(await dev.encoded()).toBe(0)

    const first = await dev.ask(url)
    expect(first.status).toBe(200)
    expect(first.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(first.body.length),
    })
    expect(detect(first.body)).toBe('webp')
    const encoded = await dev.encoded()
    expect(encoded).toBeGreaterThan(0)
    expect((await dev.ask(url)).body.equals(first.body)).toBe(true)
    expect(await dev.encoded()).toBe(encoded)
  })

  it('prints the address of the inspector, which answers there', async () => {
    const info = vi.spyOn(dev.server.config.logger, 'info')
    dev.server.printUrls()
    const lines = info.mock.calls.map(([line]) => line)
    info.mockRestore()
    const [, address] = /pixpress: (http:\S+\/__pixpress\/)$/.exec(lines.at(-1)!) ?? []
    expect((await fetch(address!)).status).toBe(200)
  })

  it('answers validators and HEAD', async () => {
    const url = String(await dev.load('/src/a.png?import'))
    for (const asked of [url, '/src/a.png', '/p.png']) {
      const full = await dev.ask(asked)
      const etag = full.headers.etag!
      expect(etag).toMatch(/^"[\da-f]{16}"$/)
      expect(await dev.ask(asked, { 'if-none-match': `"other", W/${etag}` })).toMatchObject({
        status: 304,
        headers: { etag },
      })
      const head = await dev.ask(asked, {}, 'HEAD')
      expect(head.status).toBe(200)
      expect(head.body.length).toBe(0)
      expect(head.headers['content-length']).toBe(String(full.body.length))
    }
  })

  it('answers plain URLs with processed bytes, to be asked for again each time', async () => {
    const plain = await dev.ask('/src/a.png')
    expect(plain.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'no-cache' })
    expect(detect(plain.body)).toBe('webp')
    const resized = await dev.ask('/src/a.png?w=80&format=png')
    expect(await decode(resized.body)).toMatchObject({ type: 'png', width: 80, height: 60 })
    expect(detect((await dev.ask(`/@fs${project.path('src/a.png')}`)).body)).toBe('webp')
    expect((await dev.ask('/src/b%20b.png')).headers['content-type']).toBe('image/webp')
    // Files that are copied keep their type.
    const inPublic = await dev.ask('/p.png')
    expect(detect(inPublic.body)).toBe('png')
    expect(inPublic.body.length).toBeLessThan(source.length)
  })

  it('leaves the flags, and other plugins’ queries, to Vite', async () => {
    expect(await dev.load('/src/a.png?import&raw')).toBe(source.toString('utf8'))
    expect(await dev.load('/src/a.png?import&url')).toMatch(PLANNED)
    expect(await dev.load('/src/a.png?import&inline')).toMatch(/^data:image\/webp;base64,/)
    const original = String(await dev.load('/src/a.png?import&original'))
    expect(original).toBe('/src/a.png?original')
    expect((await dev.ask(original)).body.equals(source)).toBe(true)
    expect((await dev.ask('/src/a.png?foo=1')).body.equals(source)).toBe(true)
  })

  it('leaves to Vite the URLs that scripts put together for others, and says so of wrong directives', async () => {
    const outside = `/@fs${project.path('src/a.png')}?origWidth=240&origHeight=180&origFormat=png`
    const others = [outside, '/src/a.png?widht=200', '/src/a.png?w=abc', '/src/a.png?w=80&foo=1', '/p.png?format=tiff']
    for (const url of others) {
      for (let repeat = 0; repeat < 2; repeat++) {
        const { status, body } = await dev.ask(url)
        expect({ url, status, isSource: body.equals(source) }).toEqual({ url, status: 200, isSource: true })
      }
    }
    const said = dev.warnings.filter((warning) => warning.includes('.png?'))
    expect(said.map((warning) => /\S+\.png\?\S+(?=: )/.exec(warning)?.[0])).toEqual(others.slice(1))
  })

  it('names the directive that is meant by the query of a URL that a script has put together, and leaves it to Vite', async () => {
    for (let repeat = 0; repeat < 2; repeat++) {
      expect((await dev.ask('/src/a.png?size=300')).body.equals(source)).toBe(true)
    }
    expect(dev.warnings.filter((warning) => warning.includes('?size=300'))).toEqual([
      naming('src/a.png', '300', "'size'", "'?w=300'"),
    ])
  })

  it('gives shapes without encoding, and the size where it is asked for', async () => {
    const encoded = await dev.encoded()
    const picture = await dev.load('/src/a.png?import&w=80;120&format=webp;png&as=picture')
    expect(picture).toMatchObject({ img: { src: planned('a-120.png'), w: 120, h: 90 } })
    expect(await dev.encoded()).toBe(encoded)
    const metadata = (await dev.load('/src/a.png?import&w=80&format=webp&as=metadata')) as Record<string, unknown>
    expect(metadata).toMatchObject({ format: 'webp', width: 80, height: 60, src: planned('a-80.webp') })
    expect(metadata.size).toBe((await dev.ask(String(metadata.src))).body.length)
  })

  it('rewrites pages, stylesheets and new URL()', async () => {
    const { body } = await dev.ask('/index.html', { accept: 'text/html' })
    const html = body.toString()
    expect(html).toMatch(
      /<img src="\/@pixpress\/[\da-f]{16}\/a\.png" srcset="\/@pixpress\/[\da-f]{16}\/a-80\.png 80w">/,
    )
    expect(html).toMatch(/<link rel="icon" href="\/@pixpress\/[\da-f]{16}\/a\.png">/)
    expect(html.match(/url\(\/@pixpress\/[\da-f]{16}\/a\.png\)/g)).toHaveLength(2)
    const css = (await dev.ask('/src/style.scss')).body.toString()
    expect(css.match(/\/@pixpress\/[\da-f]{16}\/a\.png/g)).toHaveLength(2)
    const js = (await dev.ask('/src/main.js')).body.toString()
    expect(js).toMatch(/new URL\(\/\* @vite-ignore \*\/ "\/@pixpress\/[\da-f]{16}\/a\.png"/)
    for (const url of new Set([...html.matchAll(/\/@pixpress[^" )]+/g)].map(String))) {
      expect((await dev.ask(url)).status).toBe(200)
    }
  })

  it('honours base, server.origin and server.headers', async () => {
    const apart = await serveApart({
      config: { base: '/app/', server: { origin: 'http://assets.example', headers: { 'x-site': 'yes' } } },
    })
    const url = String(await apart.load('/app/src/a.png?import'))
    expect(url).toMatch(/^http:\/\/assets\.example\/app\/@pixpress\/[\da-f]{16}\/a\.png$/)
    expect((await apart.ask('/app/index.html')).body.toString()).toContain('src="http://assets.example/app/@pixpress/')
    const answer = await apart.ask(url.slice('http://assets.example'.length))
    expect(answer).toMatchObject({ status: 200, headers: { 'x-site': 'yes' } })
    expect(detect((await apart.ask('/app/src/a.png')).body)).toBe('png')
    expect(detect((await apart.ask('/app/p.png')).body)).toBe('png')
    expect((await apart.ask('/src/a.png')).headers['content-type']).not.toBe('image/png')
  })

  it('serves no file that Vite would not', async () => {
    const apart = await serveApart({
      config: { server: { fs: { strict: true, allow: [project.path('src')], deny: ['b b.png'] } } },
    })
    const refused = [
      `/@fs${project.path('secret/s.png')}`,
      '/secret/s.png',
      '/src/../secret/s.png',
      '/src/%2e%2e/secret/s.png',
      '/src/b%20b.png',
      '/@pixpress/0123456789abcdef/a.png',
      '/@pixpress/../../secret/s.png',
    ]
    for (const path of refused) {
      const { status, headers } = await apart.ask(path)
      expect([path, status === 200 && headers['content-type']?.startsWith('image/')]).toEqual([path, false])
    }
    expect((await apart.ask('/@pixpress/0123456789abcdef/a.png')).status).toBe(404)
    expect((await apart.ask('/src/%00.png')).status).not.toBe(500)
    expect((await apart.ask('/src/%E0%A4%A.png')).status).not.toBe(200)
    expect((await apart.ask('/src/a.png')).headers['content-type']).toBe('image/png')
  })

  it('serves a broken image as it is, with one warning', async () => {
    const url = String(await dev.load('/src/broken.png?import'))
    for (const asked of [url, '/src/broken.png', url]) {
      const { status, body, headers } = await dev.ask(asked)
      expect([status, body.toString(), headers['content-type']]).toEqual([200, 'no image', 'image/png'])
    }
    expect(dev.warnings.filter((warning) => warning.includes('src/broken.png'))).toHaveLength(1)
  })

  it('gives the server the same URLs as the client', async () => {
    const client = await dev.load('/src/a.png?import')
    const { server } = (await dev.server.ssrLoadModule('/src/main.js')) as { server: string }
    expect(server).toBe(client)
  })

  it('takes up an image that changes', async () => {
    const { server, load, ask } = await serveApart()
    const before = String(await load('/src/a.png?import'))
    const style = async (): Promise<string> =>
      /\/@pixpress[^)\\"]+/.exec((await ask('/src/style.scss')).body.toString())![0]
    const stylesBefore = await style()
    await ask('/src/main.js')
    const plainBefore = (await ask('/src/a.png')).headers.etag!
    const send = vi.spyOn(channel(server), 'send')
    await project.write('src/a.png', await photo(240, 180, 9).png())
    await vi.waitFor(() => expect(send).toHaveBeenCalledWith(expect.objectContaining({ type: 'update' })), 60_000)

    const after = String(await load('/src/a.png?import'))
    expect(after).toMatch(/^\/@pixpress/)
    expect(after).not.toBe(before)
    expect(await style()).not.toBe(stylesBefore)
    const image = await ask(after)
    expect(image.headers['cache-control']).toContain('immutable')
    const plain = await ask('/src/a.png', { 'if-none-match': plainBefore })
    expect(plain.status).toBe(200)
    // The old URL shows the new image, and must not be kept.
    expect((await ask(before)).headers['cache-control']).toBe('no-cache')
  })

  it('reloads a page when an image changes that only pages refer to', async () => {
    await project.write('index.html', `<img src="./src/b b.png">`)
    const apart = await serveApart()
    await apart.ask('/index.html', { accept: 'text/html' })
    const send = vi.spyOn(channel(apart.server), 'send')
    await project.write('src/b b.png', await graphic(64, 48, 5).png())
    await vi.waitFor(() => expect(send).toHaveBeenCalledWith({ type: 'full-reload' }), 60_000)
  })
})
