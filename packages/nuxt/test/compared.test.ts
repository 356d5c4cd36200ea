import { createProject, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { openSession } from 'unplugin-pixpress/internal'
import { answer } from '../src/engine.ts'
import { holdProject } from '../src/image-project.ts'

const HINT = 'report: { baseline: true } measures that'

let project: Project
let printed: string[]

beforeAll(async () => {
  project = await createProject('nuxt-compared', { packages: [] })
  await project.write('public/photo.jpg', await photo(64, 48).jpeg(95))
  await project.write(
    'public/icon.svg',
    '<svg xmlns="http://www.w3.org/2000/svg"><!-- a --><rect width="5" height="5"/></svg>',
  )
})
afterAll(() => project.dispose())

beforeEach(() => {
  printed = []
  vi.spyOn(console, 'log').mockImplementation((...text: unknown[]) => void printed.push(text.join(' ')))
})
afterEach(() => void vi.restoreAllMocks())

it.each([
  ['icon.svg', false],
  ['photo.jpg', true],
])('a build of %s alone is told that ipx can be compared: %s', async (name, isTold) => {
  const { root } = project
  const options = { report: true, cache: false }
  const held = { root, dirs: [project.path('public')], domains: [], alias: {}, base: '/', operations: {} }
  holdProject(held, options)
  expect((await answer(`/_ipx/_/${name}`, { ...held, route: '/_ipx' })).status).toBe(200)
  await openSession(options, root).endBuild()
  expect(printed.join('\n').includes(HINT)).toBe(isTold)
})
