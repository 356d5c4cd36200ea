import { detect, expectSimilar, graphic, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { build, createBundlerProject, emittedImages } from '../build.ts'
import type { Bundler } from '../build.ts'

const WEBP = `{ convert: { type: 'image/webp' } }`

/** The project's own module rules and names. */
export function testRules(bundler: Bundler): void {
  describe(`${bundler}: rules and names`, () => {
    let project: Project
    let large: Buffer
    beforeAll(async () => {
      // Over webpack's usual limit of 8 KiB as it is, far below it when it is compressed.
      large = await photo(120, 90, 1).png()
      expect(large.length).toBeGreaterThan(8192)
      project = await createBundlerProject(bundler, 'rules', {
        'src/main.js': `import image from './large.png'\nglobalThis.result = image`,
        'src/large.png': large,
        'src/stem.png': await photo(120, 80, 2).png(),
        'src/stem.jpg': await photo(120, 80, 3).jpeg(),
        'src/icon.svg':
          '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!-- c --><rect width="9" height="9"/></svg>',
        'src/stems.js': `import png from './stem.png'\nimport jpg from './stem.jpg'\nglobalThis.result = [png, jpg]`,
        'src/queries.js': `import plain from './large.png'
import url from './large.png?url'
import inline from './stem.png?inline'
import original from './large.png?original'
import small from './large.png?w=40&format=webp'
import smaller from './large.png?w=40&format=webp&quality=20'
globalThis.result = { plain, url, inline, original, small, smaller }`,
        'src/limit.js': `import plain from './large.png'
import asked from './large.png?w=40'
globalThis.result = { plain, asked }`,
        'src/foreign.js': `import component from './icon.svg?react'
import image from './icon.svg'
globalThis.result = { component, image }`,
        'loader.cjs': `module.exports = (text) => 'export default ' + JSON.stringify('component of ' + text.length)`,
      })
    })
    afterAll(() => project.dispose())

    const at = (url: string): Promise<Buffer> => project.read(`dist/${url}`)

    it('honours a rule for the source, also for an image that changes its type', async () => {
      const rules = `[{ test: /\\.(png|jpe?g)$/i, type: 'asset/resource', generator: { filename: 'img/[name].[hash:6][ext]' } }]`
      const { errors, result, assets } = await build(project, bundler, {
        options: WEBP,
        config: `{ rules: ${rules} }`,
        evaluate: true,
      })
      expect(errors).toEqual([])
      expect(result).toMatch(/^\/img\/large\.[\da-f]{6}\.webp$/)
      expect(detect(await at(result as string))).toBe('webp')
      await expectSimilar(await at(result as string), large)
      expect(await emittedImages(project)).toHaveLength(1)
      // Manifests go by it.
      expect(assets.find(({ name }) => name.endsWith('.webp'))?.sourceFilename).toBe('src/large.png')
    })

    it('decides by the source whether an image is inlined, and by the result where directives ask for another image', async () => {
      const rules = `[{ test: /\\.png$/, type: 'asset' }]`
      const config = `{ entry: './src/limit.js', rules: ${rules} }`
      const { result } = await build(project, bundler, { options: WEBP, config, evaluate: true })
      const { plain, asked } = result as Record<string, string>
      await expectSimilar(await at(plain!), large)
      expect((await at(plain!)).length).toBeLessThan(8096)
      expect(asked).toMatch(/^data:image\/webp;base64,/)
      expect(await emittedImages(project)).toHaveLength(1)
      const limit = `[{ test: /\\.png$/, type: 'asset', parser: { dataUrlCondition: { maxSize: 10 } } }]`
      const tight = await build(project, bundler, { options: WEBP, config: `{ rules: ${limit} }`, evaluate: true })
      expect(tight.result).toMatch(/\.webp$/)
    })

    it('inlines what a rule inlines, with the media type of the result', async () => {
      const rules = `[{ test: /\\.png$/, type: 'asset/inline' }]`
      const { result } = await build(project, bundler, { options: WEBP, config: `{ rules: ${rules} }`, evaluate: true })
      expect(result).toMatch(/^data:image\/webp;base64,/)
      const same = await build(project, bundler, { config: `{ rules: ${rules} }`, evaluate: true })
      expect(same.result).toMatch(/^data:image\/png;base64,/)
    })

    it('tells images of one stem apart where names have no hash', async () => {
      const output = `{ assetModuleFilename: '[path][name][ext]' }`
      const { errors, result } = await build(project, bundler, {
        options: WEBP,
        config: `{ entry: './src/stems.js', output: ${output} }`,
        evaluate: true,
      })
      expect(errors).toEqual([])
      expect(result).toEqual(['/src/stem_png.webp', '/src/stem_jpg.webp'])
      await expectSimilar(await at('src/stem_png.webp'), await project.read('src/stem.png'))
      await expectSimilar(await at('src/stem_jpg.webp'), await project.read('src/stem.jpg'))
    })

    it('keeps every way to ask for one image apart where names have no hash', async () => {
      const { errors, result } = await build(project, bundler, {
        config: `{ entry: './src/queries.js', output: { assetModuleFilename: '[name][ext][query]' } }`,
        evaluate: true,
      })
      expect(errors).toEqual([])
      const urls = result as Record<string, string>
      expect(urls).toMatchObject({ plain: '/large.png', url: '/large.png', original: '/large-original.png' })
      expect(urls.inline).toMatch(/^data:image\/png;base64,/)
      expect(urls.small).toMatch(/^\/large-40-[\da-f]{8}\.webp$/)
      expect(urls.smaller).toMatch(/^\/large-40-[\da-f]{8}\.webp$/)
      expect(urls.smaller).not.toBe(urls.small)
      expect((await at(urls.original!)).equals(large)).toBe(true)
      expect((await at(urls.plain!)).length).toBeLessThan(large.length)
    })

    it("leaves other plugins' queries, and images that become code, alone", async () => {
      const rules = `[{ test: /\\.svg$/, oneOf: [
        { resourceQuery: /react/, loader: './loader.cjs', type: 'javascript/auto' }, { type: 'asset/resource' }] }]`
      const { errors, result } = await build(project, bundler, {
        config: `{ entry: './src/foreign.js', rules: ${rules} }`,
        evaluate: true,
      })
      expect(errors).toEqual([])
      const { component, image } = result as { component: string; image: string }
      const svg = await project.read('src/icon.svg')
      expect(component).toBe(`component of ${svg.length}`)
      expect((await at(image)).length).toBeLessThan(svg.length)
      const every = `[{ test: /\\.svg$/, use: './loader.cjs' }]`
      const code = await build(project, bundler, {
        config: `{ entry: './src/foreign.js', rules: ${every} }`,
        evaluate: true,
      })
      expect(code.errors).toEqual([])
      expect(code.result).toEqual({ component, image: component })
    })

    it('needs no rule, and changes none of the project', async () => {
      const config = `{ rules: [Object.freeze({ test: /\\.jpe?g$/, type: 'asset/resource', generator: Object.freeze({ filename: 'j/[name][ext]' }) })], entry: './src/stems.js' }`
      const { errors, result } = await build(project, bundler, { options: WEBP, config, evaluate: true })
      expect(errors).toEqual([])
      expect(result).toEqual([expect.stringMatching(/^\/[\da-f]{16,20}\.webp$/), '/j/stem_jpg.webp'])
    })

    it('leaves excluded images to the bundler', async () => {
      const { result } = await build(project, bundler, {
        options: `{ convert: { type: 'image/webp' }, exclude: 'src/large.*' }`,
        evaluate: true,
      })
      expect((await at(result as string)).equals(large)).toBe(true)
    })

    it('resolves aliases, packages and plain names', async () => {
      await project.write('node_modules/pictures/package.json', '{ "name": "pictures", "version": "1.0.0" }')
      await project.write('node_modules/pictures/one.png', await graphic(50, 40, 4).png())
      await project.write(
        'src/resolve.js',
        `import aliased from '@/large.png'\nimport packaged from 'pictures/one.png'
const plain = new URL('stem.png', import.meta.url).pathname
globalThis.result = [aliased, packaged, plain]`,
      )
      const { errors, result } = await build(project, bundler, {
        options: WEBP,
        config: `{ entry: './src/resolve.js', output: { assetModuleFilename: '[name][ext]' }, resolve: { alias: { '@': process.cwd() + '/src' } } }`,
        evaluate: true,
      })
      expect(errors).toEqual([])
      expect(result).toEqual(['/large.webp', '/one.webp', '/stem_png.webp'])
    })

    it('keeps names and bytes together where a request does not look like an image', async () => {
      await project.write('src/hidden.js', `import image from 'hidden'\nglobalThis.result = image`)
      const { errors, result } = await build(project, bundler, {
        options: WEBP,
        config: `{ entry: './src/hidden.js', resolve: { alias: { hidden: process.cwd() + '/src/large.png' } } }`,
        evaluate: true,
      })
      expect(errors).toEqual([])
      const bytes = await at(result as string)
      expect(`.${detect(bytes)}`).toBe((result as string).replace(/.*(?=\.)/, ''))
      expect(bytes.length).toBeLessThan(large.length)
    })
  })
}
