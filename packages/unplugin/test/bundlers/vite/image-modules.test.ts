import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { photo } from '@pixpress/testkit'
import { build, createServer } from 'vite'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import pixpress from '../../../src/vite.ts'

const counts = vi.hoisted(() => ({ queries: [] as string[], probes: 0 }))

vi.mock('../../../src/directives/query.ts', async (original) => {
  const real = await original<typeof import('../../../src/directives/query.ts')>()
  const parseQuery = (query: string): ReturnType<typeof real.parseQuery> => {
    counts.queries.push(query)
    return real.parseQuery(query)
  }
  return { ...real, parseQuery }
})

vi.mock('@pixpress/core', async (original) => {
  const real = await original<typeof import('@pixpress/core')>()
  const createOptimizer: typeof real.createOptimizer = (options) => {
    const optimizer = real.createOptimizer(options)
    return { ...optimizer, probe: (...args) => (counts.probes++, optimizer.probe(...args)) }
  }
  return { ...real, createOptimizer }
})

const QUERY = '?w=8;16&format=webp;png&as=picture'

let root: string
beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pixpress-vite-')))
  await writeFile(path.join(root, 'photo.png'), await photo(32, 24).png())
  await writeFile(path.join(root, 'main.js'), `import photo from './photo.png${QUERY}'\nconsole.log(photo)`)
})
afterAll(() => rm(root, { recursive: true, force: true }))
beforeEach(() => {
  counts.queries.length = 0
  counts.probes = 0
})

const plugins = (): ReturnType<typeof pixpress> => pixpress({ cache: false, report: false })
const settings = { configFile: false, logLevel: 'silent' } as const

describe('an import with directives', () => {
  it('is parsed once and probed once in a build', async () => {
    await build({
      ...settings,
      root,
      plugins: plugins(),
      build: { write: false, rollupOptions: { input: path.join(root, 'main.js') } },
    })
    expect(counts).toEqual({ queries: [QUERY], probes: 1 })
  })

  it('is parsed once and probed once by the dev server', async () => {
    const server = await createServer({
      ...settings,
      root,
      plugins: plugins(),
      server: { middlewareMode: true, ws: false },
      optimizeDeps: { noDiscovery: true },
    })
    const module = await server.environments.client.transformRequest(`/photo.png${QUERY}`)
    await server.close()
    expect(module?.code).toContain('sources')
    expect(counts).toEqual({ queries: [QUERY], probes: 1 })
  })
})
