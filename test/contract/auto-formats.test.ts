import { createProject, photo, naming } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const OPTIONS = `{ convert: 'auto', cache: false }`

const webpackLike = (bundler: string, entry: string): string => `
  import { ${entry} as pack } from '${bundler === 'webpack' ? 'webpack' : '@rspack/core'}'
  import pixpress from 'unplugin-pixpress/${bundler}'
  const compiler = pack({ context: process.cwd(), mode: 'production', entry: './main.js',
    target: ['web', 'browserslist:chrome 80'], plugins: [pixpress(${OPTIONS})],
    module: { rules: [{ test: /\\.png$/, type: 'asset/resource' }] } })
  await new Promise((resolve, reject) => compiler.run((error, stats) =>
    error || stats.hasErrors() ? reject(error ?? stats.toString()) : compiler.close(resolve)))`

/** Builds whose project sets a target that has WebP, but not AVIF. */
const BUILDS: Readonly<Record<string, string>> = {
  webpack: webpackLike('webpack', 'default'),
  rspack: webpackLike('rspack', 'rspack'),
  rsbuild: `
    import { createRsbuild } from '@rsbuild/core'
    import pixpress from 'unplugin-pixpress/rsbuild'
    const rsbuild = await createRsbuild({ config: { source: { entry: { index: './main.js' } }, plugins: [pixpress(${OPTIONS})],
      output: { overrideBrowserslist: ['chrome 80'], dataUriLimit: 0 } } })
    await rsbuild.build()`,
  esbuild: `
    import { build } from 'esbuild'
    import pixpress from 'unplugin-pixpress/esbuild'
    await build({ entryPoints: ['main.js'], bundle: true, outdir: 'dist', target: ['es2020', 'chrome80'],
      loader: { '.png': 'file' }, plugins: [pixpress(${OPTIONS})] })`,
  rolldown: `
    import { build } from 'rolldown'
    import pixpress from 'unplugin-pixpress/rolldown'
    await build({ input: 'main.js', transform: { target: 'chrome80' }, output: { dir: 'dist' }, plugins: [pixpress(${OPTIONS})] })`,
}

describe("formats of convert: 'auto'", () => {
  let project: Project
  beforeAll(async () => {
    project = await createProject('auto-formats', {
      // webpack brings browserslist with it.
      packages: ['unplugin-pixpress', 'webpack', '@rspack/core', '@rsbuild/core', 'esbuild', 'rolldown'],
      files: {
        'main.js': `import url from './a.png'\nconsole.log(url)`,
        'a.png': await photo(240, 180, 1).png(),
      },
    })
  })
  afterAll(() => project.dispose())

  it.each(Object.keys(BUILDS))('follow the target that the project sets for %s', async (bundler) => {
    await project.remove('dist')
    const { code, stdout, stderr } = await project.run(BUILDS[bundler]!)
    expect(code, stderr).toBe(0)
    const images = (await project.list('dist')).filter((file) => /\.(?:png|webp|avif)$/.test(file))
    expect(images).toEqual([expect.stringMatching(/\.webp$/)])
    expect(stdout).toEqual(naming("'auto'", 'WebP', 'chrome 80', 'AVIF'))
  })
})
