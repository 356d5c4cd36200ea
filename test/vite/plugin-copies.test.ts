import { createProject, expectSimilar, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VITES, buildProject } from './build.ts'

/** Source text of a plugin that copies a file into the output past the bundler, as vite-plugin-static-copy does. */
const copying = (hook: string, name: string, from: string, to: string): string => `{
  name: '${name}',
  async ${hook}() {
    const { cp } = await import('node:fs/promises')
    await cp('${from}', 'dist/${to}')
  },
}`

const PLUGINS = [
  copying('writeBundle', 'vite-plugin-static-copy:build', 'src/photo.png', 'content/photo.png'),
  copying('closeBundle', 'copy', 'assets/large.jpg', 'large.jpg'),
  copying('writeBundle', 'vite-plugin-copy', 'src/drawing.svg', 'content/drawing.svg'),
  copying('writeBundle', 'rollup-plugin-copy', 'node_modules/of-a-package.png', 'of-a-package.png'),
]

describe.each(VITES)('images that another plugin copies, %s', (vite) => {
  let project: Project
  beforeAll(async () => {
    project = await createProject(`copies-${vite}`, {
      packages: ['unplugin-pixpress', vite],
      files: {
        'index.html': '<!doctype html><html><body><script type="module" src="/src/main.js"></script></body></html>',
        'src/main.js': "import original from './original.png?original'\ndocument.body.append(original)",
        'src/original.png': await photo(80, 60, 3).png(),
        'src/photo.png': await photo(120, 90, 1).png(),
        'assets/large.jpg': await photo(320, 240, 2).jpeg(98),
        'src/drawing.svg':
          '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><!-- a comment --><rect width="9" height="9"/><rect x="20" width="9" height="9"/></svg>',
        'node_modules/of-a-package.png': await photo(60, 40, 4).png(),
      },
    })
    const config = `{ build: { assetsInlineLimit: 0 }, plugins: [${PLUGINS.join(',')}] }`
    const { error } = await buildProject(project, { vite, config })
    expect(error).toBeUndefined()
  })
  afterAll(() => project.dispose())

  it.each([
    ['src/photo.png', 'content/photo.png'],
    ['assets/large.jpg', 'large.jpg'],
  ])('are compressed in place: %s', async (from, to) => {
    const [source, copy] = [await project.read(from), await project.read(`dist/${to}`)]
    expect(copy.length).toBeLessThan(source.length)
    await expectSimilar(copy, source)
  })

  it('keep the elements of SVG, as nothing says who reads them', async () => {
    const copy = await project.readText('dist/content/drawing.svg')
    expect(copy).not.toContain('a comment')
    expect(copy.split('<rect')).toHaveLength(3)
  })

  it('stay where a reference asks for the original, and where no file of the project is the source', async () => {
    const original = (await project.list('dist')).find((file) => file.includes('original'))!
    expect((await project.read(`dist/${original}`)).equals(await project.read('src/original.png'))).toBe(true)
    const packed = await project.read('node_modules/of-a-package.png')
    expect((await project.read('dist/of-a-package.png')).equals(packed)).toBe(true)
  })
})
