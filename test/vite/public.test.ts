import { createProject, detect, expectSimilar, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VITES, buildProject } from './build.ts'

const WEBP = `convert: { type: 'image/webp' }`
const IMAGES = ['one.png', 'deep/two.jpg'] as const

describe.each(VITES)('public images, %s', (vite) => {
  let project: Project
  beforeAll(async () => {
    project = await createProject('vite-public', {
      packages: ['unplugin-pixpress', ...VITES],
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

  it('are compressed in place, in their own type, and the sources stay', async () => {
    const before = await project.read('public/one.png')
    const { error, warnings } = await buildProject(project, { vite, options: `{ ${WEBP} }` })
    expect({ error, warnings }).toEqual({ error: undefined, warnings: [] })
    expect(await isCompressed('dist')).toEqual([true, true])
    expect((await project.read('public/one.png')).equals(before)).toBe(true)
    expect((await project.list('dist')).filter((file) => !/\.(?:html|js)$/.test(file))).toEqual([
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

  if (vite === 'vite5') return

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
