import { createProject, photo, naming } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { build, buildOrThrow } from './build.ts'
import type { Bundler } from './capabilities.ts'

/** A script that has one image with several queries. */
const main = (...queries: readonly string[]): string =>
  [
    ...queries.map((query, at) => `import photo${at} from './photo.png${query}'`),
    `globalThis.site = { images: { ${queries.map((_, at) => `photo${at}`).join(', ')} } }`,
  ].join('\n')

/** Describes that every bundler says of its images what it delivers, and what it would deliver. */
export function describeTruth(bundler: Bundler): void {
  describe('what is said of a build', () => {
    let project: Project | undefined
    afterEach(async () => {
      await project?.dispose()
      project = undefined
    })

    const create = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<Project> => {
      project = await createProject(`truth-${bundler}`, {
        // webpack brings browserslist, without which the project's browsers are unknown.
        packages: ['webpack'],
        files: { 'src/photo.png': await photo(120, 90, 11).png(), ...files },
      })
      return project
    }
    it('is what the lock has: a size that no build asks for any more leaves it, unless a build fails', async () => {
      const site = await create({ 'src/main.js': main('', '?w=60') })
      const widths = async (): Promise<(number | undefined)[]> => {
        const [, ...rows] = (await site.read('pixpress.lock')).toString().trimEnd().split('\n')
        const lines = rows.map((row) => JSON.parse(row) as { operations: { resize?: { width: number } } })
        return lines.map(({ operations }) => operations.resize?.width).sort()
      }
      await buildOrThrow(site, bundler, { lock: true })
      expect(await widths()).toEqual([60, undefined])
      await site.write('src/main.js', `${main('')}\nimport './missing.js'\n`)
      expect((await build(site, bundler, { lock: true })).ok).toBe(false)
      expect(await widths()).toEqual([60, undefined])
      await site.write('src/main.js', main('?w=60'))
      await buildOrThrow(site, bundler, { lock: true })
      expect(await widths()).toEqual([60])
    })

    it('names the directive that is meant by a query that is nearly one', async () => {
      const site = await create({ 'src/main.js': main('?size=300') })
      const { ok, warnings, error } = await build(site, bundler, {})
      // Some look for a file of that name, and end there.
      expect(ok, error).toBe(!['rollup', 'rolldown', 'bun'].includes(bundler))
      const said = warnings.filter((text) => text.includes('nothing is done'))
      expect(said).toEqual([naming('src/photo.png?size=300', "'size'", "'?w=300'")])
    })
  })
}
