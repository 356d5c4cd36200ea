import { createProject, decode, detect, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUN, buildProject } from './bun.ts'

const AUTO = `{ convert: 'auto' }`
let project: Project

beforeAll(async () => {
  project = await createProject('bun-fallbacks', {
    files: {
      // Above what Bun puts into stylesheets.
      'src/large.png': await photo(1000, 800, 4).png(),
      'src/small.png': await photo(120, 90, 5).png(),
      'src/style.css': `.large { background: url(./large.png) } .small { background: url(./small.png) }`,
      'index.html': `<link rel="stylesheet" href="./src/style.css"><video poster="./src/small.png"></video><img src="./src/small.png">`,
    },
  })
})
afterAll(() => project?.dispose())

const NAMING = `naming: { chunk: '[name]-[hash].[ext]', asset: '[name]-[hash].[ext]' }`
const build = `{ entrypoints: ['index.html'], ${NAMING} }`

const stylesheetsOf = async (options: string): Promise<string[]> =>
  [...(await buildProject(project, build, options)).files.keys()].filter((name) => name.endsWith('.css'))

describe.skipIf(BUN === undefined)("convert: 'auto' with Bun", () => {
  it('offers large images of stylesheets in several types, and inlines small ones in their own', async () => {
    const { files, success } = await buildProject(project, build, AUTO)
    expect(success).toBe(true)
    const css = [...files].find(([name]) => name.endsWith('.css'))![1].toString()
    const [, own = '', set = ''] =
      /url\("?\.\/([^")]+\.png)"?\)[^;]*;\s*background:\s*(image-set[^;}]*)/.exec(css) ?? []
    expect(await decode(files.get(own)!)).toMatchObject({ type: 'png', width: 1000 })
    const offered = [...set.matchAll(/url\("\.\/([^"]+)"\) type\("image\/(\w+)"\)/g)]
    expect(offered.map(([, , type]) => type)).toEqual(['avif', 'webp', 'png'])
    for (const [, name, type] of offered) expect(detect(files.get(name!)!)).toBe(type)
    expect(css).toMatch(/url\("?data:image\/png/)
  })

  it('names the stylesheet by what is offered in it', async () => {
    const [both] = await stylesheetsOf(AUTO)
    const [webp] = await stylesheetsOf(`{ convert: { type: ['image/webp'] }, fallback: 'picture' }`)
    expect(await stylesheetsOf(AUTO)).toEqual([both])
    expect(webp).not.toBe(both)
  })

  it('keeps an image of a page in its own type at every place, and wraps the <img>', async () => {
    const { files } = await buildProject(project, build, AUTO)
    const html = files.get('index.html')!.toString()
    expect(html).toMatch(/<video poster="[^"]+\.png">/)
    expect(html).toMatch(
      /<picture data-pixpress style="display:contents"><source type="image\/avif".*<img src="[^"]+\.png"><\/picture>/,
    )
  })

  it('changes what stays in memory, and lists what it adds', async () => {
    await project.write(
      'memory.mjs',
      `import pixpress from 'unplugin-pixpress/bun'
       const { outputs } = await Bun.build({ ...${build}, plugins: [pixpress({ report: false, ...${AUTO} })] })
       const page = await outputs.find(({ path }) => path.endsWith('.html')).text()
       const images = outputs.filter(({ path }) => /\\.(?:avif|webp)$/.test(path))
       const sizes = await Promise.all(images.map(async (image) => (await image.bytes()).length))
       console.log('\\n' + JSON.stringify({ page, paths: images.map(({ path }) => path), sizes }))`,
    )
    const { stdout } = await project.exec(BUN!, { args: ['memory.mjs'], timeout: 180_000 })
    const { page, paths, sizes } = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as {
      page: string
      paths: string[]
      sizes: number[]
    }
    const shown = [...page.matchAll(/srcset="([^"]+)"/g)].map(([, url]) => url)
    expect(shown).toHaveLength(2)
    expect(paths).toEqual(expect.arrayContaining(shown))
    expect(sizes.every((size) => size > 0)).toBe(true)
  })
})
