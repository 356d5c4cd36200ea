import { createProject, photo, naming } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entryOf } from './build.ts'

const VERSIONS = ['vite5', 'vite6', 'vite7', 'vite'] as const
type Version = (typeof VERSIONS)[number]

const targetOf = (target: string): string =>
  `build: { target: ${target}, assetsInlineLimit: 0, emptyOutDir: true, rollupOptions: ${entryOf('main.js')} }`

describe("formats of convert: 'auto' without a browserslist", () => {
  let project: Project
  beforeAll(async () => {
    project = await createProject('vite-browsers', {
      packages: ['unplugin-pixpress', ...VERSIONS],
      files: {
        'main.js': `export { default } from './a.png'\nnew Worker(new URL('./worker.js', import.meta.url))`,
        'worker.js': `import url from './a.png'\nconsole.log(url)`,
        'a.png': await photo(240, 180, 1).png(),
      },
    })
  })
  afterAll(() => project.dispose())

  async function build(
    vite: Version,
    settings: string = '',
    plugin: string = '',
  ): Promise<{ said: readonly string[]; images: readonly string[] }> {
    // Package managers may put folders with a browserslist into NODE_PATH.
    const options = { env: { NODE_PATH: '' } }
    const { code, stdout, stderr } = await project.run(
      `
      import pixpress from 'unplugin-pixpress/vite'
      import { build } from '${vite}'
      await build({ configFile: false, logLevel: 'error', plugins: [${plugin} pixpress({ convert: 'auto', cache: false })],
        build: { assetsInlineLimit: 0, emptyOutDir: true, rollupOptions: ${entryOf('main.js')} }, ${settings} })`,
      options,
    )
    expect(code, stderr).toBe(0)
    const files = await project.list('dist')
    const images = files.filter((file) => /\.(?:png|webp|avif)$/.test(file)).map((file) => file.split('.').at(-1)!)
    return {
      images,
      said: `${stdout}\n${stderr}`.split('\n').filter((line) => line.startsWith("pixpress: convert: 'auto'")),
    }
  }

  it.each(VERSIONS)('are those of Baseline with the default target of %s, in workers as well', async (vite) => {
    expect(await build(vite)).toEqual({
      images: ['avif'],
      said: [naming("'auto'", 'AVIF', 'WebP', 'Baseline', 'package.json')],
    })
  })

  it.each(['vite5', 'vite'] as const)('follow a target that the project sets in %s', async (vite) => {
    expect(await build(vite, targetOf(`['es2020', 'edge111', 'safari16.4']`))).toEqual({
      images: ['webp'],
      said: [naming("'auto'", 'WebP', 'edge111, safari16.4', "['es2020', 'edge121', 'safari16.4']")],
    })
  })

  it('follow the target of pages, in builds for a server as well', async () => {
    const settings = `environments: { client: { build: { target: 'safari16' } } }, builder: {}`
    expect((await build('vite', settings)).images).toEqual(['webp'])
    expect((await build('vite', `${settings}, build: { ssr: 'main.js', ssrEmitAssets: true }`)).images).toEqual([
      'webp',
    ])
  })

  it('do not follow the target that another plugin sets', async () => {
    const other = `{ name: 'other', enforce: 'pre', config: () => ({ build: { target: 'safari14' } }) },`
    expect((await build('vite', '', other)).images).toEqual(['avif'])
  })

  it('are the original ones where the project has a browserslist that nothing can read', async () => {
    await project.write('.browserslistrc', 'defaults\n')
    try {
      const { images, said } = await build('vite')
      expect(images).toEqual(['png'])
      expect(said).toEqual([naming('(.browserslistrc)', 'npm install --save-dev browserslist')])
    } finally {
      await project.remove('.browserslistrc')
    }
  })
})
