import { createProject, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { APP_VITES, BUILD_APP, VITES, buildProject, entryOf, evaluate } from './build.ts'

const ENVIRONMENTS = `{
  client: { build: { outDir: 'dist/client', rollupOptions: ${entryOf('src/client.js')} } },
  ssr: { build: { outDir: 'dist/server', rollupOptions: ${entryOf('src/server.js')} } },
}`
const OPTIONS = `{ convert: { type: 'image/webp' } }`

describe.each(APP_VITES)('client and server, %s', (vite) => {
  let project: Project
  beforeEach(async () => {
    project = await createProject('vite-environments', {
      packages: ['unplugin-pixpress', ...VITES],
      files: {
        'src/shared.js': `import a from './a.png'\nimport b from './b.png?w=120&format=webp'\nexport default { a, b }`,
        'src/client.js': `import './style.css'\nexport { default } from './shared.js'`,
        'src/server.js': `export { default } from './shared.js'`,
        'src/style.css': `.a { background: url(./c.png) }`,
        'src/a.png': await photo(80, 60, 1).png(),
        'src/b.png': await photo(240, 180, 2).png(),
        'src/c.png': await photo(80, 60, 3).png(),
      },
    })
  })
  afterEach(() => project.dispose())

  async function urlsOfBoth(): Promise<unknown[]> {
    const client = await evaluate(project, 'dist/client/entry.mjs')
    expect(client).toEqual({
      a: expect.stringMatching(/^\/assets\/a-[\w-]{8}\.webp$/),
      b: expect.stringMatching(/^\/assets\/b-120-[\w-]{8}\.webp$/),
    })
    return [client, await evaluate(project, 'dist/server/entry.mjs')]
  }

  it.each([
    ['each with its own configuration', '{}'],
    ['with one configuration', '{ sharedConfigBuild: true }'],
    [
      'one after the other',
      '{ buildApp: async (b) => { for (const e of Object.values(b.environments)) await b.build(e) } }',
    ],
    ['at the same time', '{ buildApp: (b) => Promise.all(Object.values(b.environments).map((e) => b.build(e))) }'],
  ])('are built as one app, %s: encoded once, reported once, same URLs', async (_, builder) => {
    const config = `{ builder: ${builder}, build: { assetsInlineLimit: 0 }, environments: ${ENVIRONMENTS} }`
    const outcome = await buildProject(project, { vite, options: OPTIONS, config, run: BUILD_APP })
    expect(outcome).toEqual({ warnings: [], encoded: 3, images: 3, reports: 1 })
    const [client, server] = await urlsOfBoth()
    expect(server).toEqual(client)
    expect((await project.list('dist/server')).filter((file) => file.endsWith('.webp'))).toEqual([])
  })

  it('share the plugins of the first, where others are asked for the configuration of each', async () => {
    const file = `
      import pixpress from 'unplugin-pixpress/vite'
      export default {
        plugins: [pixpress({ report: { json: 'report.json' }, ...${OPTIONS} })],
        builder: { sharedPlugins: true },
        build: { assetsInlineLimit: 0 },
        environments: ${ENVIRONMENTS},
      }`
    await project.write('vite.config.mjs', file)
    const run = `await (await createBuilder({ configFile: 'vite.config.mjs', customLogger })).buildApp()`
    const outcome = await buildProject(project, { vite, run })
    expect(outcome).toEqual({ warnings: [], encoded: 3, images: 3, reports: 1 })
    const [client, server] = await urlsOfBoth()
    expect(server).toEqual(client)
  })

  it('are reported when the command line builds but one of them', async () => {
    const config = `{ build: { assetsInlineLimit: 0, rollupOptions: ${entryOf('src/client.js')} } }`
    const run = 'await (await createBuilder(config, null)).buildApp()'
    const outcome = await buildProject(project, { vite, options: OPTIONS, config, run })
    expect(outcome).toEqual({ warnings: [], encoded: 3, images: 3, reports: 1 })
  })

  it('are built by separate commands: the second takes all from the cache', async () => {
    const common = `assetsInlineLimit: 0`
    const client = `{ build: { ${common}, outDir: 'dist/client', rollupOptions: ${entryOf('src/client.js')} } }`
    const server = `{ build: { ${common}, outDir: 'dist/server', ssr: true, rollupOptions: ${entryOf('src/server.js')} } }`
    expect(await buildProject(project, { vite, options: OPTIONS, config: client })).toMatchObject({
      encoded: 3,
      images: 3,
    })
    expect(await buildProject(project, { vite, options: OPTIONS, config: server })).toMatchObject({
      encoded: 0,
      images: 2,
    })
    const [first, second] = await urlsOfBoth()
    expect(second).toEqual(first)
  })
})
