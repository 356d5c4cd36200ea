import path from 'node:path'
import { expectSimilar, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { build, createBundlerProject, emittedImages } from '../build.ts'
import type { Bundler, BuildResult } from '../build.ts'

/** The command, of the built packages. */
const COMMAND = path.resolve(import.meta.dirname, '../../../packages/cli/dist/bin.js')

/** The bundler's own cache on the disk: every build is a process of its own. */
export function testCaching(bundler: Bundler): void {
  describe(`${bundler}: the bundler's own cache`, () => {
    let project: Project
    const kind = bundler === 'webpack' ? 'filesystem' : 'persistent'
    const cached = (options: string, extra = ''): Promise<BuildResult> =>
      build(project, bundler, { options, config: `{ cache: { type: '${kind}' }, ${extra} }`, evaluate: true })
    const output = async (): Promise<Map<string, string>> => {
      const files = await project.list('dist')
      const contents = files.map(
        async (file) => [file, (await project.read(`dist/${file}`)).toString('base64')] as const,
      )
      return new Map(await Promise.all(contents))
    }

    beforeAll(async () => {
      project = await createBundlerProject(bundler, 'cache', {
        'src/main.js': `import './style.css'\nimport image from './image.png'
import picture from './image.png?w=60&format=webp;png&as=picture'\nglobalThis.result = { image, picture }`,
        'src/style.css': '.a { background: url(./style.png) }',
        'src/image.png': await photo(120, 90, 1).png(),
        'src/style.png': await photo(120, 90, 2).png(),
        'src/broken.js': `import image from './broken.png'\nglobalThis.result = image`,
        'src/broken.png': (await photo(120, 90, 3).png()).subarray(0, 900),
      })
    })
    afterAll(() => project.dispose())

    it('gives the same from a warm cache, and follows options and sources', async () => {
      const webp = `{ convert: { type: 'image/webp' } }`
      const cold = await cached(webp)
      expect(cold.errors).toEqual([])
      const first = await output()
      expect(await emittedImages(project)).toHaveLength(4)
      const warm = await cached(webp)
      expect(await output()).toEqual(first)
      expect(
        warm.assets
          .map(({ sourceFilename }) => sourceFilename)
          .filter(Boolean)
          .sort(),
      ).toEqual(
        cold.assets
          .map(({ sourceFilename }) => sourceFilename)
          .filter(Boolean)
          .sort(),
      )

      await cached('{}')
      const same = await emittedImages(project)
      expect(same.filter((file) => file.endsWith('.png'))).toHaveLength(3)
      expect(same.filter((file) => file.endsWith('.webp'))).toHaveLength(1)
      expect(await project.readText('dist/main.css')).toMatch(/\.png\)/)

      const changed = await photo(120, 90, 9).png()
      await project.write('src/style.png', changed)
      await cached(webp)
      const url = /url\("?\/([^")]+)/.exec(await project.readText('dist/main.css'))![1]!
      expect(url).toMatch(/\.webp$/)
      await expectSimilar(await project.read(`dist/${url}`), changed)
    })

    it('takes final results in place of drafts once they are made', async () => {
      // Another quality than that of the other tests, whose results are final.
      const options = `{ convert: { type: 'image/webp' }, quality: 77, effort: 'auto', firstBuild: 1 }`
      await cached(options)
      const draft = await emittedImages(project)
      await cached(options)
      expect(await emittedImages(project)).toEqual(draft)
      const refined = await project.exec(process.execPath, { args: [COMMAND, 'refine'] })
      expect(refined).toMatchObject({ code: 0, stdout: expect.stringContaining('drafts refined') as string })
      await cached(options)
      const final = await emittedImages(project)
      expect(final).toHaveLength(draft.length)
      expect(final).not.toEqual(draft)
    })

    it('warns of a broken image once, also from a warm cache, and keeps it', async () => {
      for (const _ of ['cold', 'warm']) {
        const { errors, warnings, result } = await cached('{}', `entry: './src/broken.js'`)
        expect(errors).toEqual([])
        expect(warnings).toHaveLength(1)
        expect(warnings[0]).toContain('src/broken.png')
        const emitted = await project.read(`dist${result as string}`)
        expect(emitted.equals(await project.read('src/broken.png'))).toBe(true)
      }
    })
  })
}
