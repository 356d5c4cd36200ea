import { createProject, detect, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveImages } from './server.ts'
import type { ImageHost } from './server.ts'

/** Source text of a build by each bundler, into `dist/<bundler>`, with `options` of the plugin in scope. */
const BUILDS: Readonly<Record<string, string>> = {
  rollup: `
    const bundle = await rollup.rollup({ input: 'images.js', plugins: [pixpress(options)], onwarn: ({ message }) => warnings.push(message) })
    await bundle.write({ dir: 'dist/rollup', format: 'es', entryFileNames: '[name].mjs' })`,
  rolldown: `
    await rolldown.build({ input: 'images.js', plugins: [pixpress(options)], onLog: (_, { message }) => warnings.push(message), output: { dir: 'dist/rolldown', entryFileNames: '[name].mjs' } })`,
  esbuild: `
    const { warnings: all } = await esbuild.build({ entryPoints: ['images.js', 'style.css'], bundle: true, format: 'esm', outdir: 'dist/esbuild', outExtension: { '.js': '.mjs' }, plugins: [pixpress(options)], logLevel: 'silent' })
    warnings.push(...all.map(({ text }) => text))`,
  webpack: `
    console.warn = (message) => warnings.push(message)
    const { default: webpack } = await import('webpack')
    await new Promise((resolve, reject) => webpack({ mode: 'production', entry: './images.js', experiments: { outputModule: true }, output: { path: process.cwd() + '/dist/webpack', filename: 'images.mjs', library: { type: 'module' }, publicPath: '' }, plugins: [pixpress(options)], optimization: { minimize: false } }, (error, stats) => error ?? stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve()))`,
}

let host: ImageHost
let project: Project

beforeAll(async () => {
  host = await serveImages({
    '/photos/plain.jpg': await photo(200, 150, 1).jpeg(98),
    '/photos/sized': await photo(80, 60, 2).jpeg(98),
    '/photos/ground.png': await photo(80, 60, 3).png(),
  })
  const { origin } = host
  project = await createProject('remote-bundlers', {
    packages: ['unplugin-pixpress', 'rollup', 'rolldown', 'esbuild', 'webpack'],
    files: {
      'images.js': `
        import plain from '${origin}/photos/plain.jpg'
        import sized from '${origin}/photos/sized?w=800#?w=40&format=webp&as=metadata'
        import gone from '${origin}/photos/gone.png'
        export { plain, sized, gone }`,
      'style.css': `.a { background: url(${origin}/photos/ground.png) } .b { background: url(${origin}/other.png) }`,
    },
  })
})
afterAll(async () => {
  await project?.dispose()
  await host?.close()
})

describe('imports of remote images', () => {
  it.each(Object.keys(BUILDS))(
    'are files of the output of %s, or stay URLs where they cannot be fetched',
    async (name) => {
      const script = `
      import pixpress from 'unplugin-pixpress/${name}'
      ${/^(?:rollup|rolldown|esbuild)$/.test(name) ? `import * as ${name} from '${name}'` : ''}
      const warnings = []
      const options = { remoteImages: ['${host.origin}/photos/**'], report: false }
      ${BUILDS[name]!}
      const { plain, sized, gone } = await import('./dist/${name}/images.mjs')
      console.log('\\n' + JSON.stringify({ plain, sized, gone, warnings }))
      process.exit()`
      const { stdout, stderr, code } = await project.run(script, { timeout: 120_000 })
      expect(code, stderr).toBe(0)
      const { plain, sized, gone, warnings } = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as {
        plain: string
        sized: { width: number; format: string }
        gone: string
        warnings: string[]
      }
      const files = await project.list(`dist/${name}`)
      const file = files.find((each) => each === plain.replace(/^.*\//, '') || plain.endsWith(`/${each}`))
      expect(file, plain).toBeDefined()
      const data = await project.read(`dist/${name}/${file}`)
      expect(detect(data)).toBe('jpeg')
      expect(data.length).toBeLessThan((await photo(200, 150, 1).jpeg(98)).length)
      expect(sized).toMatchObject({ width: 40, format: 'webp' })
      expect(gone).toBe(`${host.origin}/photos/gone.png`)
      expect(warnings.filter((each) => each.includes('/photos/gone.png does not answer with an image'))).toHaveLength(1)
    },
  )

  it('are files of the stylesheets of esbuild', async () => {
    const css = await project.readText('dist/esbuild/style.css')
    expect(css).toMatch(/url\("?\.\/ground-[\w]{8}\.png"?\)/)
    expect(css).toContain(`${host.origin}/other.png`)
  })
})
