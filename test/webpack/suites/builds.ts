import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { WORKSPACE, expectSimilar, photo, readReferences, danglingReferences } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { build, createBundlerProject, drive, emittedImages } from '../build.ts'
import type { Bundler, BuildResult } from '../build.ts'

const WEBP = `{ convert: { type: 'image/webp' } }`
const REPORTED = `{ convert: { type: 'image/webp' }, report: { json: 'report.json' } }`

export function testBuilds(bundler: Bundler): void {
  describe(`${bundler}: whole builds`, () => {
    let project: Project
    let files: Record<string, string | Uint8Array>
    beforeAll(async () => {
      const logo = await readFile(path.join(WORKSPACE, 'examples/images/logo.png'))
      files = {
        // Its name is part of the addresses of source maps.
        'package.json': '{ "name": "site", "type": "module" }',
        'src/main.js': `import './style.css'\nimport image from './image.png'
import picture from './image.png?w=60&format=webp;png&as=picture'\nglobalThis.result = { image, picture }`,
        'src/style.css': '.a { background: url(./style.png) } .b { background: url("./image.png?w=30&format=png") }',
        'src/image.png': await photo(120, 90, 1).png(),
        'src/style.png': await photo(120, 90, 2).png(),
        'src/misspelt.css': `.a { background: url('./image.png?w=60&fromat=webp') }`,
        'src/misspelt-css.js': `import './misspelt.css'`,
        'src/several.js': `console.log(new URL('./image.png?w=30;60', import.meta.url).href)`,
        'src/logo.png': logo,
        'public/copied-logo.png': logo,
        'public/logo-opacity.png': logo,
        'public/models/logo.png': logo,
        'public/models/scene.gltf': JSON.stringify({ images: [{ uri: 'logo.png' }] }),
        'public/copied.jpg': await photo(240, 180, 3).jpeg(),
        'public/torn.jpg': (await photo(120, 90, 4).jpeg()).subarray(0, 700),
        'src/page.html': `<!doctype html><link rel="icon" href="./image.png"><img src="./image.png"><img src="./style.png?w=40&format=webp">`,
      }
      project = await createBundlerProject(bundler, 'builds', files)
    })
    afterAll(() => project.dispose())

    it('encodes once for client and server, and gives both the same addresses', async () => {
      const compilers = `[
        configuration(tools, ${REPORTED}, { name: 'client', output: { path: process.cwd() + '/dist/client' } }),
        configuration(tools, ${REPORTED}, { name: 'server', target: 'node', output: { path: process.cwd() + '/dist/server' } })]`
      const result = await drive<BuildResult>(
        project,
        bundler,
        `const result = await run(bundler(${compilers}))
        result.result = { client: await evaluate('dist/client/main.js'), server: await evaluate('dist/server/main.js') }
        return result`,
      )
      expect(result.errors).toEqual([])
      const { client, server } = result.result as Record<string, unknown>
      expect(client).toEqual(server)
      const report = JSON.parse(await project.readText('report.json')) as { totals: Record<string, number> }
      expect(report.totals).toMatchObject({ images: 5, encoded: 5, cached: 0 })
    })

    it('gives the same output in another folder', async () => {
      const other = await createBundlerProject(bundler, 'builds-in-a-longer-folder', files)
      try {
        const config = `{ devtool: 'source-map' }`
        await build(project, bundler, { options: WEBP, config })
        await build(other, bundler, { options: WEBP, config })
        const names = await project.list('dist')
        expect(await other.list('dist')).toEqual(names)
        for (const name of names) {
          const bytes = await project.read(`dist/${name}`)
          expect(bytes.equals(await other.read(`dist/${name}`)), name).toBe(true)
          expect(bytes.includes(project.root), name).toBe(false)
        }
      } finally {
        await other.dispose()
      }
    })

    it('fails for misspelt directives in a stylesheet, naming the file and the right spelling', async () => {
      const { errors } = await build(project, bundler, { options: WEBP, config: `{ entry: './src/misspelt-css.js' }` })
      const told = errors.join('\n')
      expect(told).toContain('src/image.png?w=60&fromat=webp')
      expect(told).toContain(`'fromat'`)
      expect(told).toContain(`'format'`)
    })

    it('fails where several images are asked for in the place of one URL', async () => {
      const { errors } = await build(project, bundler, { config: `{ entry: './src/several.js' }` })
      expect(errors.join('\n')).toContain('src/image.png?w=30;60')
      expect(errors.join('\n')).toContain('can stand here')
    })

    it('has a copied file named by the hash of its compressed bytes, where the copy plugin says which part is the hash', async () => {
      const hash = '0123456789abcdef'
      const copy = `{ apply: (compiler) => compiler.hooks.thisCompilation.tap('Copy', (compilation) => {
        compilation.hooks.processAssets.tap({ name: 'Copy', stage: -2000 }, () =>
          compilation.emitAsset('copied.${hash}.jpg', new compiler.webpack.sources.RawSource(fs.readFileSync('public/copied.jpg')),
            { copied: true, sourceFilename: 'public/copied.jpg', immutable: true, contenthash: '${hash}' })) }) }`
      const config = `{ mode: 'production', plugins: [${copy}], output: { clean: true } }`
      const { errors } = await build(project, bundler, { options: WEBP, config })
      expect(errors).toEqual([])
      const [name] = (await project.list('dist')).filter((file) => file.includes('copied.'))
      expect(name).toMatch(/copied\.[\da-f]+\.jpg$/)
      expect(name).not.toContain(hash)
    })

    it('compresses copied images and those of other plugins in place', async () => {
      const copy =
        bundler === 'rspack' ? `new bundler.CopyRspackPlugin({ patterns: [{ from: 'public' }] })` : COPY_PLUGIN
      const late = `{ apply: (compiler) => compiler.hooks.thisCompilation.tap('Emit', (compilation) => {
        compilation.hooks.processAssets.tap({ name: 'Emit', stage: 100 }, () =>
          compilation.emitAsset('emitted.png', new compiler.webpack.sources.RawSource(fs.readFileSync('src/image.png'))))
        compilation.hooks.processAssets.tap({ name: 'Emit', stage: 100 }, () =>
          compilation.emitAsset('logo.png', new compiler.webpack.sources.RawSource(fs.readFileSync('src/logo.png')))) }) }`
      const config = `{ plugins: [${copy}, ${late}], output: { clean: true } }`
      const { errors, warnings } = await build(project, bundler, { options: WEBP, config })
      expect(errors).toEqual([])
      for (const [emitted, source] of [
        ['copied.jpg', 'public/copied.jpg'],
        ['emitted.png', 'src/image.png'],
      ] as const) {
        const bytes = await project.read(`dist/${emitted}`)
        const original = await project.read(source)
        expect(bytes.length).toBeLessThan(original.length)
        await expectSimilar(bytes, original)
      }
      // All are in fewer colours, except what a name or a model says to hold data.
      const isExact = async (file: string): Promise<boolean> =>
        (
          await sharp(await project.read(`dist/${file}`))
            .raw()
            .toBuffer()
        ).equals(
          await sharp(await project.read('src/logo.png'))
            .raw()
            .toBuffer(),
        )
      const exact: boolean[] = []
      for (const file of ['logo.png', 'copied-logo.png', 'logo-opacity.png', 'models/logo.png'])
        exact.push(await isExact(file))
      expect(exact).toEqual([false, false, true, true])
      const torn = await project.read('dist/torn.jpg')
      expect(torn.equals(await project.read('public/torn.jpg'))).toBe(true)
      expect(warnings.filter((message) => message.includes('torn.jpg'))).toHaveLength(1)
      const off = await build(project, bundler, { options: `{ publicDir: false }`, config })
      expect(off.errors).toEqual([])
      expect((await project.read('dist/copied.jpg')).equals(await project.read('public/copied.jpg'))).toBe(true)
    })

    it('gives an icon its own type and the page another', async () => {
      const config = `{
        rules: [{ test: /\\.html$/, loader: 'html-loader' }],
        plugins: [new (await import('html-webpack-plugin')).default({ template: './src/page.html' })] }`
      const { errors } = await build(project, bundler, { options: WEBP, config })
      expect(errors).toEqual([])
      const html = await project.readText('dist/index.html')
      expect(html).toMatch(/<link rel="icon" href="\/[\da-f]+\.png">/)
      expect(html).toMatch(/<img src="\/[\da-f]+\.(webp|png)"><img src="\/[\da-f]+\.webp">/)
      const references = await readReferences(project.path('dist'))
      expect(danglingReferences(references)).toEqual([])
    })

    it('follows the public path', async () => {
      for (const [publicPath, expected] of [
        ['auto', /^http:\/\/localhost\/scripts\/[\da-f]+\.webp$/],
        ['https://cdn.example/x/', /^https:\/\/cdn\.example\/x\/[\da-f]+\.webp$/],
      ] as const) {
        const { errors, result } = await build(project, bundler, {
          options: WEBP,
          config: `{ output: { publicPath: '${publicPath}' } }`,
          evaluate: true,
        })
        expect(errors).toEqual([])
        expect((result as { image: string }).image).toMatch(expected)
        expect(await emittedImages(project)).toHaveLength(5)
      }
    })

    it('reads stylesheets without a loader', async () => {
      const native = bundler === 'webpack' ? `experiments: { css: true }` : ''
      const { errors } = await build(project, bundler, {
        options: WEBP,
        config: `{ module: { rules: [{ test: /\\.css$/, type: 'css/auto' }] }, ${native} }`,
      })
      expect(errors).toEqual([])
      const css = await project.readText('dist/main.css')
      const urls = [...css.matchAll(/url\("?\/([^")]+)"?\)/g)].map(([, url]) => url!)
      expect(urls.map((url) => url.replace(/.*\./, ''))).toEqual(['webp', 'png'])
      await expectSimilar(await project.read(`dist/${urls[0]}`), await project.read('src/style.png'))
    })

    it('can be required', async () => {
      const type = await drive(
        project,
        bundler,
        `const { createRequire } = await import('node:module')
        return typeof createRequire(process.cwd() + '/x.cjs')('unplugin-pixpress/${bundler}')`,
      )
      expect(type).toBe('function')
    })
  })
}

/** Adds assets like copy-webpack-plugin. */
const COPY_PLUGIN = `{ apply: (compiler) => compiler.hooks.thisCompilation.tap('Copy', (compilation) => {
  compilation.hooks.processAssets.tap({ name: 'Copy', stage: bundler.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL }, () => {
    for (const name of fs.readdirSync('public', { recursive: true }).filter((each) => each.includes('.'))) compilation.emitAsset(name, new bundler.sources.RawSource(fs.readFileSync('public/' + name)), { copied: true, sourceFilename: 'public/' + name })
  }) }) }`
