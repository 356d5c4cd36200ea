import { createProject, decode, detect, expectSimilar, photo, WORKSPACE } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NEWEST_AND_OLDEST, buildProject } from './build.ts'

const WEBP = `convert: { type: 'image/webp' }`
const IMAGES = ['one.png', 'deep/two.jpg'] as const

describe.each(NEWEST_AND_OLDEST)('public images, %s', (vite) => {
  let project: Project
  beforeAll(async () => {
    project = await createProject('vite-public', {
      packages: ['unplugin-pixpress', ...NEWEST_AND_OLDEST],
      files: {
        'index.html': `<img src="/one.png"><script type="module" src="/src/main.js"></script>`,
        'src/main.js': `console.log('/deep/two.jpg')`,
        'src/server.js': `export const page = '/one.png'`,
        'public/one.png': await photo(80, 60, 1).png(),
        'public/deep/two.jpg': await photo(80, 60, 2).jpeg(100),
        'public/notes.txt': 'text',
      },
    })
  })
  afterAll(() => project.dispose())

  async function isCompressed(folder: string): Promise<boolean[]> {
    return Promise.all(
      IMAGES.map(async (file) => {
        const [source, copy] = [await project.read(`public/${file}`), await project.read(`${folder}/${file}`)]
        expect(detect(copy)).toBe(detect(source))
        await expectSimilar(copy, source)
        return copy.length < source.length
      }),
    )
  }

  it('are compressed in place, in their own type, beside a converted copy of what a page shows', async () => {
    const before = await project.read('public/one.png')
    const { error, warnings } = await buildProject(project, { vite, options: `{ ${WEBP} }` })
    expect({ error, warnings }).toEqual({ error: undefined, warnings: [] })
    expect(await isCompressed('dist')).toEqual([true, true])
    expect((await project.read('public/one.png')).equals(before)).toBe(true)
    expect((await project.list('dist')).filter((file) => !/\.(?:html|js)$/.test(file))).toEqual([
      expect.stringMatching(/^assets\/one-[\w-]{8}\.webp$/),
      'deep/two.jpg',
      'notes.txt',
      'one.png',
    ])
  })

  it('are compressed over an output that was not emptied, in any folder', async () => {
    const config = `{ build: { outDir: 'out/site', emptyOutDir: false } }`
    await buildProject(project, { vite, config })
    const first = await project.read('out/site/one.png')
    await buildProject(project, { vite, config })
    expect(await isCompressed('out/site')).toEqual([true, true])
    expect((await project.read('out/site/one.png')).equals(first)).toBe(true)
  })

  it('are not added where Vite does not copy them', async () => {
    await buildProject(project, { vite, config: `{ build: { outDir: 'none', copyPublicDir: false } }` })
    expect((await project.list('none')).filter((file) => !/\.(?:html|js)$/.test(file))).toEqual([])
  })

  it('stay as they are where that is wished, or excluded', async () => {
    await buildProject(project, { vite, options: `{ publicDir: false }` })
    expect(await isCompressed('dist')).toEqual([false, false])
    await buildProject(project, { vite, options: `{ exclude: 'public/deep/**' }` })
    expect(await isCompressed('dist')).toEqual([true, false])
  })

  it('keep every pixel where a library loads them or a model names them', async () => {
    const logo = await readFile(path.join(WORKSPACE, 'examples/images/logo.png'))
    const scene = await createProject('vite-textures', {
      packages: ['unplugin-pixpress', ...NEWEST_AND_OLDEST],
      files: {
        'package.json': '{"type":"module","dependencies":{"three":"^0.180.0"}}',
        'index.html': `<img src="/shown.png"><script type="module" src="/src/main.js"></script>`,
        'src/main.js': `export const wall = (loader) => loader.load('/tex/wall.png')`,
        'public/shown.png': logo,
        'public/tex/wall.png': logo,
        'public/tex/listed.png': logo,
        'public/models/a.gltf': JSON.stringify({ images: [{ uri: 'maps/a.png' }] }),
        'public/models/maps/a.png': logo,
      },
    })
    const lossless = async (options?: string): Promise<string[]> => {
      const { error } = await buildProject(scene, { vite, ...(options && { options }) })
      expect(error).toBeUndefined()
      const files = ['shown.png', 'tex/wall.png', 'tex/listed.png', 'models/maps/a.png']
      const exact = await Promise.all(
        files.map(async (file) => {
          const pixels = await decode(await scene.read(`dist/${file}`))
          return Buffer.compare(pixels.pixels, (await decode(logo)).pixels) === 0
        }),
      )
      return files.filter((_, index) => exact[index])
    }
    expect(await lossless()).toEqual(['tex/wall.png', 'tex/listed.png', 'models/maps/a.png'])
    expect(await lossless(`{ overrides: [{ include: 'public/tex/**', lossless: false }] }`)).toEqual([
      'models/maps/a.png',
    ])
    await scene.dispose()
  })

  const report = async (): Promise<{ images: { source: string; notes: string[] }[] }> =>
    JSON.parse(await project.readText('kept.json')) as { images: { source: string; notes: string[] }[] }

  it('are named in the report where nothing names them', async () => {
    await project.write('public/old.jpg', await photo(100, 75, 5).jpeg(96))
    for (const options of [`{ report: { json: 'kept.json' } }`, `{ convert: 'auto', report: { json: 'kept.json' } }`]) {
      const { error } = await buildProject(project, { vite, options })
      expect(error).toBeUndefined()
      const unnamed = (await report()).images.filter(({ notes }) =>
        notes.some((note) => note.startsWith('No page, stylesheet, script or model')),
      )
      expect(unnamed.map(({ source }) => source)).toEqual(['public/old.jpg'])
    }
    await project.remove('public/old.jpg')
  })

  it('are scaled down to the width that their folder may have, and never up', async () => {
    const options = `{ overrides: [{ include: 'public/deep/**', maxWidth: 60 }, { include: 'public/one.png', maxWidth: 90 }], report: { json: 'kept.json' } }`
    const { error } = await buildProject(project, { vite, options })
    expect(error).toBeUndefined()
    const widths = await Promise.all(
      IMAGES.map(async (file) => (await decode(await project.read(`dist/${file}`))).width),
    )
    expect(widths).toEqual([80, 60])
    const scaled = (await report()).images.filter(({ notes }) => notes.some((note) => note.includes('`maxWidth`')))
    expect(scaled.map(({ source }) => source)).toEqual(['public/deep/two.jpg'])
  })

  if (vite !== 'vite5')
    it('are compressed for client and server alike', async () => {
      const config = `{ builder: {}, environments: {
      client: { build: { outDir: 'app/client' } },
      ssr: { build: { outDir: 'app/server', copyPublicDir: true, rollupOptions: { input: 'src/server.js' } } },
    } }`
      const { error } = await buildProject(project, {
        vite,
        config,
        run: 'await (await createBuilder(config)).buildApp()',
      })
      expect(error).toBeUndefined()
      expect(await isCompressed('app/client')).toEqual([true, true])
      expect(await isCompressed('app/server')).toEqual([true, true])
    })
})
