import { readFile } from 'node:fs/promises'
import { createProject, detect, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { buildOrThrow, canBuild, evaluate, readOutput } from './build.ts'
import { BUNDLERS } from './capabilities.ts'
import { follow } from './locate.ts'
import { ADDS_SCRIPT } from './site.ts'

/** Apart from the site of the other formats, which browsers must show: few show JPEG XL yet. */
const SOURCE = new URL('../../packages/core/test/fixtures/jxl/', import.meta.url)

let project: Project | undefined
afterEach(async () => {
  await project?.dispose()
  project = undefined
})

describe('JPEG XL', () => {
  for (const bundler of BUNDLERS)
    it.skipIf(!canBuild(bundler))(`is imported, and made of another type, in ${bundler}`, async () => {
      const source = await readFile(new URL('alpha.jxl', SOURCE))
      const other = await photo(90, 60, 3).png()
      project = await createProject('jxl', {
        files: {
          'index.html':
            '<!doctype html><title>x</title>' +
            (ADDS_SCRIPT.has(bundler) ? '' : '<script type="module" src="./src/main.js"></script>'),
          'src/images/own.jxl': source,
          'src/images/other.png': other,
          'src/main.js': `
            import own from './images/own.jxl'
            import made from './images/other.png?w=45&format=jxl'
            globalThis.site = { images: { own, made } }`,
        },
      })
      const result = await buildOrThrow(project, bundler, {})
      const values = await evaluate(project, result)
      const site = { files: await readOutput(project, result.outDir), page: result.page, values }
      const bytes = (name: string): Buffer => follow(values['images']![name] as string, site, '').bytes
      expect([detect(bytes('own')), detect(bytes('made'))]).toEqual(['jxl', 'jxl'])
      expect(bytes('own').length).toBeLessThanOrEqual(source.length)
      expect(bytes('made').length).toBeLessThan(other.length)
    })
})
