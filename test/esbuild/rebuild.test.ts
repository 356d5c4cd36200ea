import { rename } from 'node:fs/promises'
import { createProject, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { context } from 'esbuild'
import type { BuildContext, Plugin } from 'esbuild'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { settings } from './bundle.ts'

const NAMES = ['imported', 'directive', 'located', 'style'] as const
let project: Project

beforeEach(async () => {
  const files: Record<string, string | Buffer> = {
    'src/main.js': `import './main.css'; import a from './imported.png'; import b from './directive.png?w=20;40'; import c from './cropped.png?w=40&h=40&fit=cover'
console.log(a, b, c, new URL('./located.png', import.meta.url).href)`,
    'src/main.css': `.a { background: url(./style.png) }`,
  }
  files['src/cropped.png'] = await photo(120, 60, 9).png()
  files['src/cropped.png.json'] = '{ "focus": [0, 0.5] }'
  for (const [seed, name] of NAMES.entries()) files[`src/${name}.png`] = await photo(120, 90, seed + 1).png()
  project = await createProject('esbuild-rebuild', { files })
})

afterEach(() => project.dispose())

/** Names of the images that the output refers to. */
async function referred(): Promise<string[]> {
  const text = (await project.readText('dist/main.js')) + (await project.readText('dist/main.css'))
  // With what stands before it: comments name modules, whose digests may look like esbuild's.
  return [...new Set(text.match(/(?<=\.\/)[\w-]+-[A-Z\d]{8}\.webp/g))].sort()
}

async function expectEachChangeTakenUp(rebuilt: (change: () => Promise<void>) => Promise<unknown>): Promise<void> {
  let before = await referred()
  expect(before).toHaveLength(6)
  for (const [seed, name] of NAMES.entries()) {
    await project.write('changed.png', await photo(120, 90, seed + 11).png())
    // In one step: a watcher may see the half of a file that is being written.
    await rebuilt(() => rename(project.path('changed.png'), project.path(`src/${name}.png`)))
    const after = await referred()
    const added = after.filter((file) => !before.includes(file))
    expect([name, added.length]).toEqual([name, name === 'directive' ? 2 : 1])
    expect(added.every((file) => file.startsWith(name))).toBe(true)
    before = after
  }
  await rebuilt(() => project.write('src/cropped.png.json', '{ "focus": [1, 0.5] }').then(() => undefined))
  expect((await referred()).filter((file) => !before.includes(file))).toEqual([expect.stringMatching('^cropped')])
}

describe('incremental builds', () => {
  let running: BuildContext | undefined

  afterEach(() => running?.dispose())

  it('takes up every image that changes', async () => {
    running = await context(settings(project, { options: { convert: { type: 'image/webp' } } }))
    await running.rebuild()
    await expectEachChangeTakenUp(async (change) => {
      await change()
      await running!.rebuild()
    })
  })

  it('is started by every image that changes, in watch mode', async () => {
    let ended: (() => void) | undefined
    const signal: Plugin = { name: 'signal', setup: (build) => build.onEnd(() => ended?.()) }
    const nextEnd = (): Promise<void> => new Promise((resolve) => void (ended = resolve))
    const given = settings(project, { options: { convert: { type: 'image/webp' } } })
    running = await context({ ...given, plugins: [...given.plugins!, signal] })
    const first = nextEnd()
    await running.watch()
    await first
    await expectEachChangeTakenUp(async (change) => {
      const next = nextEnd()
      await change()
      await next
    })
  })
})
