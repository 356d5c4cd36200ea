import { expectSimilar, photo } from '@pixpress/testkit'
import sharp from 'sharp'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBundlerProject, drive } from '../build.ts'
import type { Bundler } from '../build.ts'

export function testWatch(bundler: Bundler): void {
  describe(`${bundler}: watch mode`, () => {
    let project: Project
    beforeAll(async () => {
      project = await createBundlerProject(bundler, 'watch', {
        'src/main.js': `import './style.css'\nimport image from './image.png'\nimport crop from './crop.png?w=40&h=40&fit=cover'\nglobalThis.result = [image, crop]`,
        'src/crop.png': await photo(120, 60, 5).png(),
        'src/crop.png.json': '{ "focus": [0, 0.5] }',
        'src/style.css': '.a { background: url(./style.png) }',
        'src/image.png': await photo(120, 90, 1).png(),
        'src/style.png': await photo(120, 90, 2).png(),
        'next-image.png': await photo(120, 90, 3).png(),
        // Smaller than the frame of an AVIF: it stays in its own type, so that the name's extension changes.
        'next-style.png': await photo(4, 3, 4).png(),
      })
    })
    afterAll(() => project.dispose())

    it('picks up changed images of scripts and stylesheets', async () => {
      const seen = await drive<{ images: string[]; css: string; errors: string[] }[]>(
        project,
        bundler,
        `const compiler = bundler(configuration(tools, { convert: { type: 'image/avif' } }))
        const builds = []
        const watching = compiler.watch({ aggregateTimeout: 20 }, (error, stats) => {
          if (error) throw error
          const images = fs.readdirSync('dist').filter((file) => /(png|avif)$/.test(file))
          builds.push({ images, css: fs.readFileSync('dist/main.css', 'utf8'), errors: summary(stats).errors })
        })
        const settled = async (what, test) => {
          const build = await until(() => builds.findLast(test), what)
          return build
        }
        const first = await settled('the first build', () => true)
        // Watchers tell changes apart by whole seconds on some file systems.
        await new Promise((resolve) => setTimeout(resolve, 1100))
        fs.copyFileSync('next-image.png', 'src/image.png')
        const names = (build) => build.images.toSorted().join()
        const second = await settled('the image', (build) => names(build) !== names(first))
        await new Promise((resolve) => setTimeout(resolve, 1100))
        fs.copyFileSync('next-style.png', 'src/style.png')
        const third = await settled('the stylesheet', (build) => build.css !== first.css)
        await new Promise((resolve) => setTimeout(resolve, 1100))
        const known = new Set(builds.flatMap(({ images }) => images))
        fs.writeFileSync('src/crop.png.json', '{ "focus": [1, 0.5] }')
        const focused = await settled('the focal point', (build) => build.images.some((file) => !known.has(file)))
        const fourth = { ...focused, images: focused.images.filter((file) => !known.has(file)) }
        await new Promise((resolve) => watching.close(resolve))
        await new Promise((resolve) => compiler.close(resolve))
        return [first, second, third, fourth]`,
      )
      const [first, second, third, fourth] = seen
      expect(seen.flatMap(({ errors }) => errors)).toEqual([])
      expect(first!.images.filter((file) => file.endsWith('.avif'))).toHaveLength(3)
      const changed = second!.images.find((file) => !first!.images.includes(file))!
      expect(changed).toMatch(/\.avif$/)
      const next = await project.read('next-image.png')
      await expectSimilar(await project.read(`dist/${changed}`), next)
      expect(second!.css).toBe(first!.css)
      const url = /url\("?\/([^")]+)/.exec(third!.css)![1]!
      expect(url).toMatch(/\.png$/)
      expect(third!.images).toContain(url)
      const [right] = fourth!.images
      const source = sharp(await project.read('src/crop.png')).extract({ left: 60, top: 0, width: 60, height: 60 })
      await expectSimilar(await project.read(`dist/${right}`), await source.resize(40).png().toBuffer(), 20)
    })
  })
}
