import { createProject, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildOrThrow, canBuild } from './build.ts'
import { BUNDLERS, carries } from './capabilities.ts'

/** Others find no file for the query of another tool. */
const SHIPS_QUERIES: readonly string[] = ['vite', 'webpack', 'rspack', 'rsbuild']

for (const bundler of BUNDLERS) {
  describe.skipIf(!canBuild(bundler))(`images of the output that nothing works on, with ${bundler}`, () => {
    let project: Project
    const names = ['worked', 'asked', 'copied', 'excluded', ...(SHIPS_QUERIES.includes(bundler) ? ['foreign'] : [])]
    const pictures = new Map<string, Buffer>()

    beforeAll(async () => {
      for (const [at, name] of names.entries()) pictures.set(name, await photo(140 + at * 10, 90, at).png())
      const [worked, asked, copied, excluded, foreign] = [...pictures.values()]
      project = await createProject(`left-alone-${bundler}`, {
        files: {
          'src/main.js': [
            "import worked from './worked.png'",
            ...(carries(bundler, 'js-original') ? ["import asked from './asked.png?original'"] : ['const asked = 0']),
            ...(foreign ? ["import foreign from './foreign.png?fn'"] : ['const foreign = 0']),
            'globalThis.site = { worked, asked, foreign }',
          ].join('\n'),
          'src/worked.png': worked!,
          'src/asked.png': asked!,
          ...(foreign && { 'src/foreign.png': foreign }),
          'static/content/copied.png': copied!,
          'static/content/excluded.png': excluded!,
        },
      })
    })
    afterAll(() => project?.dispose())

    it('names those alone, with the reason that is known', async () => {
      const options = { exclude: '**/content/excluded.png' }
      const { report } = await buildOrThrow(project, bundler, options, { copied: project.path('static') })
      expect(report!.images.map(({ source }) => source)).toEqual(['src/worked.png'])
      const foreign = pictures.get('foreign')
      expect(report!.untouched?.map(({ bytes, query }) => ({ bytes, query }))).toEqual([
        ...(foreign ? [{ bytes: foreign.length, query: '?fn' }] : []),
        { bytes: pictures.get('copied')!.length, query: undefined },
      ])
      expect(report!.untouched!.at(-1)!.file).toBe('dist/content/copied.png')
    })
  })
}
