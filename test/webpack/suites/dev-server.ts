import { detect, expectSimilar, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { build, createBundlerProject, drive } from '../build.ts'
import type { Bundler } from '../build.ts'

interface Answer {
  readonly status: number
  readonly type: string | null
  readonly etag: string | null
  readonly caching: string | null
  readonly body: string
}

export function testDevServer(bundler: Bundler): void {
  const serverPackage = bundler === 'webpack' ? 'webpack-dev-server' : '@rspack/dev-server'
  /** Starts a dev server, runs the body with `get(path)` and `encoded()`, and stops it. */
  const serving = (body: string, config = ''): string => `
    const { default: WebpackDevServer, RspackDevServer } = await import('${serverPackage}')
    const own = []
    const devServer = { setupMiddlewares: (middlewares) => (own.push('called'), middlewares) }
    const options = { convert: { type: 'image/webp' }, report: { json: 'report.json' } }
    const compiler = bundler(configuration(tools, options, { mode: 'development', devServer, ${config} }))
    const Server = RspackDevServer ?? WebpackDevServer
    const settings = { port: 0, host: '127.0.0.1', static: false, client: false, hot: false, liveReload: false }
    const server = new Server({ ...compiler.options.devServer, ...settings }, compiler)
    await server.start()
    const origin = 'http://127.0.0.1:' + server.server.address().port
    const get = async (path, init) => {
      const response = await fetch(new URL(path, origin), init)
      const body = Buffer.from(await response.arrayBuffer()).toString('base64')
      const header = (name) => response.headers.get(name)
      return { status: response.status, type: header('content-type'), etag: header('etag'), caching: header('cache-control'), body }
    }
    const text = async (path) => Buffer.from((await get(path)).body, 'base64').toString()
    const stop = async () => {
      await server.stop()
      await new Promise((resolve) => compiler.close(resolve))
    }
    ${body}`

  describe(`${bundler}: dev server`, () => {
    let project: Project
    beforeAll(async () => {
      project = await createBundlerProject(bundler, 'dev', {
        'src/main.js': `import './style.css'\nimport image from './image.png'
import picture from './image.png?w=60&format=webp;png&as=picture'
import original from './image.png?original'\nimport inlined from './style.png?inline'
globalThis.result = { image, picture, original, inlined: inlined.slice(0, 22) }`,
        'src/style.css': '.a { background: url(./style.png) }',
        'src/image.png': await photo(120, 90, 1).png(),
        'src/style.png': await photo(120, 90, 2).png(),
      })
    })
    afterAll(() => project.dispose())

    it('encodes an image when it is asked for', async () => {
      const seen = await drive<Record<'image' | 'again' | 'style' | 'missing' | 'main', Answer> & Seen>(
        project,
        bundler,
        serving(`
        const main = await get('/main.js')
        const css = await text('/main.css')
        const encodedAfterCompile = fs.existsSync('report.json')
          ? JSON.parse(fs.readFileSync('report.json', 'utf8')).images.map(({ source, width }) => source + ' ' + width)
          : []
        fs.writeFileSync('served.mjs', Buffer.from(main.body, 'base64'))
        const result = await evaluate('served.mjs')
        const style = /url\\("?([^")]+)/.exec(css)[1]
        const image = await get(result.image)
        const again = await get(result.image, { headers: { 'If-None-Match': image.etag } })
        const variant = await get(result.picture.img.src)
        const source = Object.values(result.picture.sources)[0].split(' ')[0]
        const other = await get(source)
        const original = await get(result.original)
        const missing = await get('/@pixpress/0123456789abcdef/none.png')
        const answer = { image, again, variant, other, original, style: await get(style), missing, main, result, encodedAfterCompile, own }
        await stop()
        return answer`),
      )
      const { image, again, style, result, encodedAfterCompile, own } = seen
      // Only what is inlined has to be there at once.
      expect(encodedAfterCompile).toEqual(['src/style.png 120'])
      expect(own).toEqual(['called'])
      expect(result.image).toMatch(/^\/@pixpress\/[\da-f]{16}\/image\.png$/)
      expect(result.inlined).toBe('data:image/webp;base64')
      expect(image).toMatchObject({ status: 200, type: 'image/webp', caching: 'public, max-age=31536000, immutable' })
      expect(again).toMatchObject({ status: 304, body: '' })
      const source = await project.read('src/image.png')
      const bytes = Buffer.from(image.body, 'base64')
      expect(detect(bytes)).toBe('webp')
      await expectSimilar(bytes, source)
      await expectSimilar(Buffer.from(style.body, 'base64'), await project.read('src/style.png'))
      expect(seen.variant.type).toBe('image/png')
      expect(seen.other.type).toBe('image/webp')
      expect(Buffer.from(seen.original.body, 'base64').equals(source)).toBe(true)
      expect(seen.missing.status).toBe(404)
    })

    it('says in the inspector what was made of an image, and which modules show it', async () => {
      const { page, images } = await drive<{ page: Answer; images: string }>(
        project,
        bundler,
        serving(`
        await text('/main.js')
        const page = await get('/__pixpress/')
        const images = await text('/__pixpress/images.json')
        await stop()
        return { page, images }`),
      )
      expect(page).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' })
      const shown = JSON.parse(images) as { file: string; asked: string; references: string[] }[]
      const places = new Map(shown.map(({ file, asked, references }) => [`${file} ${asked}`.trim(), references]))
      expect(places.get('src/image.png')).toEqual(['src/main.js'])
      const variants = [...places].filter(([asked]) => asked.startsWith('src/image.png w=60'))
      expect(variants.map(([, references]) => references)).toEqual([['src/main.js'], ['src/main.js']])
      expect(places.get('src/style.png')).toEqual(['src/main.js', 'src/style.css'])
    })

    it('serves a changed image under another address', async () => {
      const next = await photo(120, 90, 5).png()
      await project.write('next.png', next)
      const seen = await drive<{ first: string; second: string; answer: Answer }>(
        project,
        bundler,
        serving(`
        const address = async () => /\\/@pixpress\\/[\\da-f]{16}\\/style\\.png/.exec(await text('/main.css'))?.[0]
          ?? /@pixpress\\/[\\da-f]{16}\\/style\\.png/.exec(await text('/main.css'))?.[0]
        const first = await address()
        await new Promise((resolve) => setTimeout(resolve, 1100))
        fs.copyFileSync('next.png', 'src/style.png')
        const second = await until(async () => {
          const now = await address()
          return now !== first && now
        }, 'the new address')
        const answer = await get(second)
        await stop()
        return { first, second, answer }`),
      )
      expect(seen.second).not.toBe(seen.first)
      await expectSimilar(Buffer.from(seen.answer.body, 'base64'), next)
    })

    it('leaves no lazy address in the cache of builds without a server', async () => {
      const cache = `cache: { type: '${bundler === 'webpack' ? 'filesystem' : 'persistent'}' }`
      await drive(project, bundler, serving(`await text('/main.js'); await stop()`, cache))
      const { errors, result } = await build(project, bundler, {
        options: `{ convert: { type: 'image/webp' } }`,
        config: `{ mode: 'development', ${cache} }`,
        evaluate: true,
      })
      expect(errors).toEqual([])
      expect((result as { image: string }).image).toMatch(/^\/[\da-f]+\.webp$/)
      expect(await project.readText('dist/main.css')).not.toContain('@pixpress')
    })
  })
}

interface Seen {
  readonly variant: Answer
  readonly other: Answer
  readonly original: Answer
  readonly result: { readonly image: string; readonly inlined: string }
  readonly encodedAfterCompile: readonly string[]
  readonly own: readonly string[]
}
