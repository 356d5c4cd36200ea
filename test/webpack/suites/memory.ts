import fs from 'node:fs'
import path from 'node:path'
import { createProject } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import type { IFs } from 'memfs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SITE_PRESETS, composeSite } from '../../contract/site.ts'
import type { Bundler } from '../build.ts'
import { MEMORY, createMemory, filesIn } from '../memory.ts'

/** Builds the project of a folder: from the disk into the disk, or all in a memory. */
export type BuildIn = (root: string, options: object, memory?: IFs) => Promise<void>

/**
 * A build whose input and output are in memory, as dev middleware has them, beside one of the same files on the disk.
 */
export function describeMemory(bundler: Bundler, build: BuildIn): void {
  describe(`${bundler} in memory`, () => {
    const { files } = composeSite(bundler)
    let project: Project
    let onDisk: Map<string, Buffer>
    let inMemory: Map<string, Buffer>
    let memory: IFs

    beforeAll(async () => {
      project = await createProject(`${bundler}-memory`, { files, packages: [] })
      const cache = { dir: project.path('cache') }
      const options = { presets: SITE_PRESETS, convert: { type: 'image/webp' }, effort: 'fast', report: false, cache }
      await build(project.root, options)
      onDisk = filesIn(fs, project.path('dist'))
      memory = createMemory(files)
      await build(MEMORY, options, memory)
      inMemory = filesIn(memory as unknown as typeof fs, path.join(MEMORY, 'dist'))
    })
    afterAll(() => project?.dispose())

    it('gives the files of a build on the disk', () => {
      expect([...inMemory.keys()].sort()).toEqual([...onDisk.keys()].sort())
      expect([...inMemory.keys()].filter((name) => name.endsWith('.webp')).length).toBeGreaterThan(10)
      // Scripts may number modules by the paths of loaders, which are elsewhere seen from another root.
      const different = [...inMemory].filter(
        ([name, bytes]) => !name.endsWith('.js') && !onDisk.get(name)!.equals(bytes),
      )
      expect(different.map(([name]) => name)).toEqual([])
    })

    it('refers to converted images in scripts, stylesheets and pages', () => {
      for (const name of ['main.js', 'main.css', 'index.html']) {
        const urls = [
          ...inMemory
            .get(name)!
            .toString('utf8')
            .matchAll(/assets\/[^"')\s,]+-[\da-f]+\.(\w+)/g),
        ]
        expect([name, urls.length > 0]).toEqual([name, true])
        const converted = urls.filter((url) => url[1] === 'webp')
        expect([name, converted.length > 0]).toEqual([name, true])
        for (const [url] of urls) expect(inMemory.has(decodeURIComponent(url))).toBe(true)
      }
    })

    it('writes nothing to the disk but its cache', async () => {
      expect(fs.existsSync(MEMORY)).toBe(false)
      const written = (await project.list('.')).filter((name) => !Object.hasOwn(files, name))
      expect(written.filter((name) => !/^(?:cache|dist|node_modules)\//.test(name) && name !== 'package.json')).toEqual(
        [],
      )
    })
  })
}
