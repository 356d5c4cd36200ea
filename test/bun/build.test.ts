import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createProject, decode, graphic, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUN, buildProject } from './bun.ts'

const WEBP = `{ convert: { type: 'image/webp' } }`
let project: Project

beforeAll(async () => {
  project = await createProject('bun', {
    files: {
      'src/twin.png': await graphic(120, 90).png(),
      'src/twin.jpg': await photo(120, 90).jpeg(),
      'src/white space.png': await photo(100, 80, 3).png(),
      'src/large.jpg': await photo(900, 700, 4).jpeg(),
      'src/torn.png': 'not an image',
    },
  })
})

afterAll(() => project.dispose())

const named = (naming: string): string => `{ entrypoints: ['src/main.ts'], naming: { asset: '${naming}' } }`
const given = (loader: string): string => `{ entrypoints: ['src/main.ts'], loader: { '.png': '${loader}' } }`

let evaluations = 0
const evaluate = <T>(): Promise<T> =>
  import(/* @vite-ignore */ `${pathToFileURL(project.path('dist/main.js')).href}?${evaluations++}`) as Promise<T>

describe.skipIf(BUN === undefined)('Bun.build', () => {
  it('fills [dir], [name] and [ext] from the source and the result, and keeps images apart', async () => {
    await project.write(
      'src/main.ts',
      `import a from './twin.png'; import b from './twin.jpg'; import c from './twin.png?original'
       import d from './twin.png?w=50'; import e from './twin.png?w=50&h=50&fit=cover'; console.log(a, b, c, d, e)`,
    )
    const { files, success } = await buildProject(project, named('img/[dir]/[name].[ext]'), WEBP)
    expect(success).toBe(true)
    const names = [...files.keys()].filter((name) => name !== 'main.js')
    expect(names).toEqual([
      expect.stringMatching(/^img\/twin-50_png-[\da-f]{8}\.png$/),
      'img/twin-50_png.png',
      'img/twin.original.png',
      'img/twin_jpg.webp',
      'img/twin_png.webp',
    ])
    expect(files.get('img/twin.original.png')!.equals(await project.read('src/twin.png'))).toBe(true)
    const cut = await Promise.all(names.slice(0, 2).map(async (name) => decode(files.get(name)!)))
    expect(cut.map(({ type, width, height }) => [type, width, height])).toEqual([
      ['png', 50, 50],
      ['png', 50, 38],
    ])
    for (const [name, bytes] of files) expect([name, bytes.includes(project.root)]).toEqual([name, false])
  })

  it('makes `new URL` lead to the processed file, and gives directives their shapes', async () => {
    await project.write(
      'src/main.ts',
      `import picture from './twin.jpg?w=40;80&format=avif;webp&as=picture'
       import inlined from './twin.png?inline'
       export { picture, inlined }
       export const url: URL = new URL('./white space.png?w=60#top', import.meta.url)`,
    )
    const { files } = await buildProject(project, named('[name]-[hash].[ext]'), WEBP)
    const site = await evaluate<{
      url: URL
      inlined: string
      picture: { sources: Record<string, string>; img: { src: string; w: number } }
    }>()
    expect(site.url.hash).toBe('#top')
    const file = path.relative(project.path('dist'), decodeURI(site.url.pathname))
    expect(await decode(files.get(file)!)).toMatchObject({ type: 'webp', width: 60 })
    expect(Object.keys(site.picture.sources)).toEqual(['avif', 'webp'])
    expect(await decode(files.get(path.normalize(site.picture.img.src))!)).toMatchObject({ type: 'webp', width: 80 })
    const data = site.inlined.slice('data:image/webp;base64,'.length)
    expect(await decode(Buffer.from(data, 'base64'))).toMatchObject({ type: 'webp', width: 120 })
  })

  it('goes by the loader that is set up', async () => {
    await project.write('src/main.ts', `import a from './twin.png'; export default a`)
    const inlined = await buildProject(project, given('dataurl'), WEBP)
    expect([...inlined.files.keys()]).toEqual(['main.js'])
    expect(inlined.files.get('main.js')!.toString()).toContain('data:image/webp;base64,')
    const text = await buildProject(project, given('text'), WEBP)
    expect(text.files.get('main.js')!.toString()).toContain('PNG')
  })

  it('processes the images of pages and stylesheets; icons keep their type', async () => {
    await project.write(
      'src/index.html',
      `<!doctype html><link rel="icon" href="./twin.png"><link rel="stylesheet" href="./style.css"><img src="white%20space.png?w=60"><img src="./large.jpg">`,
    )
    await project.write('src/style.css', `.a { background: url(./large.jpg) }`)
    const { files } = await buildProject(
      project,
      `{ entrypoints: ['src/index.html'], naming: { asset: '[name].[ext]' } }`,
      WEBP,
    )
    const page = files.get('index.html')!.toString()
    expect([...page.matchAll(/(?:src|href)="\.\/([^"]+\.(?:png|webp|jpg))"/g)].map(([, name]) => name)).toEqual([
      'twin.png',
      'white space-60.webp',
      'large.webp',
    ])
    expect(await decode(files.get('twin.png')!)).toMatchObject({ type: 'png' })
    expect(await decode(files.get('white space-60.webp')!)).toMatchObject({ type: 'webp', width: 60 })
    const css = [...files].find(([name]) => name.endsWith('.css'))![1].toString()
    expect(css).toMatch(/url\("?(?:\.\/large\.webp|data:image\/webp)/)
  })

  it('fails for a bad directive, and says file and word', async () => {
    await project.write('src/main.ts', `import a from './twin.png?widht=3'; console.log(a)`)
    const { success, errors } = await buildProject(project, named('[name].[ext]'))
    expect(success).toBe(false)
    expect(errors.join()).toMatch(/src\/twin\.png.*'widht'/)
  })

  it('warns of a broken image once, and keeps it', async () => {
    await project.write(
      'src/main.ts',
      `import a from './torn.png'; console.log(a, new URL('./torn.png', import.meta.url))`,
    )
    const { success, printed, files } = await buildProject(project, named('[name].[ext]'))
    expect(success).toBe(true)
    expect(printed.match(/src\/torn\.png/g)).toHaveLength(1)
    expect(files.get('torn.png')!.toString()).toBe('not an image')
  })
})

describe.skipIf(BUN === undefined)('Bun.serve', () => {
  it('serves processed images of a page with bunfig.toml', async () => {
    await project.write(
      'src/page.html',
      `<!doctype html><img src="./twin.jpg"><script type="module" src="./main.ts"></script>`,
    )
    await project.write('src/main.ts', `import a from './white space.png?w=60'; console.log(a)`)
    await project.write('plugin.mjs', `import pixpress from 'unplugin-pixpress/bun'; export default pixpress(${WEBP})`)
    await project.write('bunfig.toml', `[serve.static]\nplugins = ["./plugin.mjs"]\n`)
    await project.write(
      'serve.mjs',
      `import page from './src/page.html'
       const server = Bun.serve({ port: 0, hostname: '127.0.0.1', development: true, routes: { '/': page }, fetch: () => new Response('', { status: 404 }) })
       const text = async (url) => (await fetch(new URL(url, server.url))).text()
       const html = await text('/')
       const script = await text(/<script[^>]* src="([^"]+)"/.exec(html)[1])
       const urls = [/<img src="([^"]+)"/.exec(html)[1], /\\/_bun\\/asset\\/[\\da-f]+\\.webp/.exec(script)[0]]
       const images = []
       for (const url of urls) images.push(Buffer.from(await (await fetch(new URL(url, server.url))).arrayBuffer()).toString('base64'))
       console.log('\\n' + JSON.stringify(images))
       process.exit(0)`,
    )
    const { stdout, stderr } = await project.exec(BUN!, { args: ['serve.mjs'], timeout: 180_000 })
    expect(stdout.trimEnd().split('\n').at(-1), stderr).toMatch(/^\["/)
    const images = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as string[]
    const decoded = await Promise.all(images.map((image) => decode(Buffer.from(image, 'base64'))))
    expect(decoded.map(({ type, width }) => [type, width])).toEqual([
      ['webp', 120],
      ['webp', 60],
    ])
    await project.remove('bunfig.toml')
  })
})
