import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { WORKSPACE, photo, requireTool } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from '../browser/chromium.ts'
import { lookAt } from '../browser/component-site.ts'
import { build, copyProject, install, packPackages } from './install.ts'
import type { Tarballs } from './install.ts'

/** Libraries whose compilers this repository does not have itself; `test/browser/components.test.ts` has the others. */
const LIBRARIES = ['preact', 'mdx', 'svelte', 'solid'] as const

/** Images of the public folder. */
const PUBLIC = ['written', 'listed', 'joined', 'short']

const IMAGES = { 'photo.jpg': 'examples/images/temple.jpg', 'hills.png': 'examples/images/logo.png' }

const executable = requireTool('chromium')

describe.skipIf(executable === undefined)('components', () => {
  let tarballs: Tarballs
  beforeAll(async () => {
    tarballs = await packPackages()
  })
  afterAll(() => rm(tarballs.folder, { recursive: true, force: true }))

  it('of Preact, MDX, Svelte and Solid show each image by one URL, in the smallest format', async ({ task, skip }) => {
    const project = await copyProject('components', path.join(import.meta.dirname, 'components'), tarballs)
    const browser = await launch(executable!)
    try {
      for (const [name, source] of Object.entries(IMAGES)) {
        for (const library of LIBRARIES) {
          await project.write(`${library}/src/${name}`, await readFile(path.join(WORKSPACE, source)))
        }
      }
      for (const [at, name] of PUBLIC.entries()) {
        const image = await photo(200, 150, at + 1).png()
        for (const library of LIBRARIES) await project.write(`${library}/public/img/${name}.png`, image)
      }
      const reason = await install(project)
      if (reason !== undefined) {
        task.meta.summary = `untried: ${reason}`
        skip(reason)
      }
      await build(project)
      const saved: string[] = []
      for (const library of LIBRARIES) {
        const plain = await lookAt(browser, project.path('plain', library))
        const ours = await lookAt(browser, project.path('dist', library))
        expect([library, plain.problems, ours.problems]).toEqual([library, [], []])
        expect([library, plain.clicked, ours.clicked]).toEqual([library, '1', '1'])
        expect([library, ours.boxes]).toEqual([library, plain.boxes])
        const { hills: _, strict: __, ...photographs } = ours.shown
        const names = [
          'hero',
          'joined',
          'listed',
          'photo',
          'written',
          ...(library === 'svelte' ? ['bare', 'short'] : []),
        ]
        expect([library, photographs]).toEqual([library, Object.fromEntries(names.map((name) => [name, 'avif']))])
        expect(ours.bytes).toBeLessThan(plain.bytes / 2)
        saved.push(`${library} ${plain.bytes} → ${ours.bytes} B`)
      }
      task.meta.summary = saved.join(', ')
    } finally {
      await browser.close()
      await project.dispose()
    }
  })
})
