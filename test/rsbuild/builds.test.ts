import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { WORKSPACE, detect, photo, naming } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { createRsbuildProject, drive } from './build.ts'

let project: Project | undefined
afterEach(async () => {
  await project?.dispose()
  project = undefined
})

const BUILD = 'const { close } = await rsbuild.build()\nawait close()'

/** Names of the files below a folder of the output, without hashes. */
const names = async (made: Project, folder: string): Promise<string[]> =>
  (await made.list(folder)).map((file) => file.replace(/\.[\da-f]{8,}\./, '.')).toSorted()

describe('rsbuild: builds', () => {
  it("keep Rsbuild's size limit, on the bytes of the source, and its names", async () => {
    project = await createRsbuildProject('rules', {
      'src/index.js': `
        import small from './small.png'
        import large from './large.png'
        import url from './small.png?url'
        import inlined from './large.png?inline'
        globalThis.result = { small, large, url, inlined }`,
      'src/small.png': await photo(40, 30, 1).png(),
      'src/large.png': await photo(300, 200, 2).png(),
    })
    const made = project
    const { length } = await made.read('src/small.png')
    const built = async (dataUriLimit: number): Promise<string> => {
      await drive(
        made,
        `const rsbuild = await create({ output: { dataUriLimit: ${dataUriLimit}, distPath: { image: 'pictures' } } }, { convert: { type: 'image/webp' } })
        ${BUILD}`,
      )
      expect(await names(made, 'dist/pictures')).toEqual(['large.webp', 'small.webp'])
      const [script] = (await made.list('dist/static/js')).filter((file) => file.endsWith('.js'))
      return made.readText(`dist/static/js/${script}`)
    }
    const text = await built(length)
    // The small one by the limit, the large one by its query.
    expect(text.match(/data:image\/webp;base64,/g)).toHaveLength(2)
    expect(text).not.toContain('data:image/png')
    expect((await built(length - 1)).match(/data:image\/webp;base64,/g)).toHaveLength(1)
  })

  it('compress the copies of several public folders, and leave out what is not copied', async () => {
    const files = {
      'public/a.png': await photo(120, 90, 1).png(),
      'static/deep/b.png': await photo(120, 90, 2).png(),
      'kept/c.png': await photo(120, 90, 3).png(),
    }
    project = await createRsbuildProject('public', { 'src/index.js': 'globalThis.result = 1', ...files })
    const { images } = await drive<{ images: { source: string }[] }>(
      project,
      `const publicDir = [{ name: 'public' }, { name: 'static' }, { name: 'kept', copyOnBuild: false }]
      const rsbuild = await create({ server: { publicDir } })
      ${BUILD}
      return report()`,
    )
    expect(images.map(({ source }) => source)).toEqual(['public/a.png', 'static/deep/b.png'])
    for (const [source, copy] of [
      ['public/a.png', 'dist/a.png'],
      ['static/deep/b.png', 'dist/deep/b.png'],
    ] as const) {
      const bytes = await project.read(copy)
      expect(detect(bytes)).toBe('png')
      expect(bytes.length).toBeLessThan(files[source].length)
    }
    expect(await project.list('dist')).not.toContain('c.png')
  })

  it('compress the icons of pages, which Rsbuild puts over the copies of public files', async () => {
    const icon = await readFile(path.join(WORKSPACE, 'examples/images/icon.png'))
    project = await createRsbuildProject('icons', {
      'src/index.js': 'globalThis.result = 1',
      'public/favicon.png': icon,
      'src/app.png': icon,
    })
    await drive(
      project,
      `const appIcon = { name: 'Site', icons: [{ src: './src/app.png', size: 192 }] }
      const rsbuild = await create({ html: { appIcon } })
      ${BUILD}`,
    )
    for (const name of ['favicon.png', 'static/image/app.png']) {
      const bytes = await project.read(`dist/${name}`)
      expect([name, detect(bytes)]).toEqual([name, 'png'])
      expect([name, bytes.length < icon.length]).toEqual([name, true])
    }
  })

  it("say in one line that public files stay where Rspack's plugin is used", async () => {
    project = await createRsbuildProject('rspack-plugin', {
      'src/index.js': 'globalThis.result = 1',
      'public/a.png': await photo(120, 90, 1).png(),
      'public/b.png': await photo(120, 90, 2).png(),
    })
    const lines = await drive<string[]>(
      project,
      `const { default: rspack } = await import('unplugin-pixpress/rspack')
      const lines = []
      console.warn = (line) => lines.push(line)
      const rsbuild = await createRsbuild({ cwd: process.cwd(), config: {
        source: { entry: { index: './src/index.js' } }, tools: { rspack: { plugins: [rspack()] } } } })
      ${BUILD}
      return lines`,
    )
    expect(lines.filter((line) => line.startsWith('pixpress:'))).toEqual([
      naming('2 images', "'unplugin-pixpress/rsbuild'"),
    ])
  })

  it('share one session between environments', async () => {
    project = await createRsbuildProject('environments', {
      'src/index.js': `import image from './image.png'\nglobalThis.result = image`,
      'src/image.png': await photo(160, 120, 1).png(),
    })
    const { totals } = await drive<{ totals: object }>(
      project,
      `const environments = {
        web: { output: { distPath: { root: 'dist/web' }, dataUriLimit: 0 } },
        node: { output: { target: 'node', distPath: { root: 'dist/node' }, dataUriLimit: 0 } },
      }
      const rsbuild = await create({ environments })
      ${BUILD}
      return report()`,
    )
    expect(totals).toMatchObject({ images: 1, encoded: 1 })
    expect(await names(project, 'dist/web/static/image')).toEqual(['image.png'])
  })

  it("take nothing from Rsbuild's cache that other options have made", async () => {
    project = await createRsbuildProject('cache', {
      'src/index.js': `import './style.css'\nimport image from './image.png'\nglobalThis.result = image`,
      'src/style.css': '.a { background: url(./image.png) }',
      'src/image.png': await photo(160, 120, 1).png(),
    })
    const run = async (options: string): Promise<string[]> => {
      await drive(
        project!,
        `const rsbuild = await create({ performance: { buildCache: true }, output: { dataUriLimit: 0 } }, ${options})
        ${BUILD}`,
      )
      return names(project!, 'dist/static/image')
    }
    expect(await run(`{ convert: { type: 'image/webp' } }`)).toEqual(['image.webp'])
    expect(await run(`{ convert: { type: 'image/webp' } }`)).toEqual(['image.webp'])
    expect(await run('{}')).toEqual(['image.png'])
  })
})
