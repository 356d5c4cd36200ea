import { rename } from 'node:fs/promises'
import { createProject, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { watch as watchWithRolldown } from 'rolldown'
import { watch as watchWithRollup } from 'rollup'
import pixpressForRolldown from 'unplugin-pixpress/rolldown'
import pixpressForRollup from 'unplugin-pixpress/rollup'
import { afterEach, describe, expect, it } from 'vitest'
import { BUNDLERS } from './bundle.ts'

let project: Project

afterEach(() => project.dispose())

const NAMES = ['imported', 'directive', 'located'] as const

describe.each(BUNDLERS)('%s in watch mode', (bundler) => {
  it('takes up every image that changes, and nothing else', async () => {
    const files: Record<string, string | Buffer> = {
      'src/main.js': `import a from './imported.png'; import b from './directive.png?w=50'; import c from './imported.png?w=40&h=40&fit=cover'
console.log(a, b, c, new URL('./located.png', import.meta.url).href)`,
    }
    files['src/imported.png.json'] = '{ "focus": [0, 0.5] }'
    for (const [seed, name] of NAMES.entries()) files[`src/${name}.png`] = await photo(120, 90, seed + 1).png()
    project = await createProject('rollup-watch', { files })
    const settings = { root: project.root, report: false }
    const watcher =
      bundler === 'rollup'
        ? watchWithRollup({
            input: project.path('src/main.js'),
            plugins: [pixpressForRollup(settings)],
            output: { dir: project.path('dist') },
            watch: { clearScreen: false },
          })
        : watchWithRolldown({
            input: project.path('src/main.js'),
            plugins: [pixpressForRolldown(settings)],
            output: { dir: project.path('dist') },
          })
    try {
      let settle: { resolve: () => void; reject: (error: unknown) => void } | undefined
      watcher.on('event', (event) => {
        if (event.code === 'BUNDLE_END') void event.result.close()
        if (event.code === 'END') settle?.resolve()
        if (event.code === 'ERROR') settle?.reject(event.error)
      })
      const built = (): Promise<void> => new Promise((resolve, reject) => void (settle = { resolve, reject }))
      const referred = async (): Promise<string[]> =>
        [...new Set((await project.readText('dist/main.js')).match(/assets\/[\w-]+\.png/g))].sort()
      await built()
      let before = await referred()
      expect(before).toHaveLength(4)
      for (const [seed, name] of NAMES.entries()) {
        // Rolldown forgets what a build emitted a moment after its END, and with it what the next has emitted by then.
        await new Promise((resolve) => setTimeout(resolve, 300))
        const rebuilt = built()
        // In one step: a watcher may see the half of a file that is being written.
        await project.write('changed.png', await photo(120, 90, seed + 11).png())
        await rename(project.path('changed.png'), project.path(`src/${name}.png`))
        await rebuilt
        const after = await referred()
        const added = after.filter((file) => !before.includes(file))
        expect([name, added.length]).toEqual([name, name === 'imported' ? 2 : 1])
        expect(added.every((file) => file.startsWith(`assets/${name}`))).toBe(true)
        expect(await project.list('dist')).toContain(after.find((file) => !before.includes(file)))
        before = after
      }
      await new Promise((resolve) => setTimeout(resolve, 300))
      const rebuilt = built()
      await project.write('src/imported.png.json', '{ "focus": [1, 0.5] }')
      await rebuilt
      const cropped = (await referred()).filter((file) => !before.includes(file))
      expect(cropped).toEqual([expect.stringMatching('^assets/imported-40')])
    } finally {
      await watcher.close()
    }
  })
})
