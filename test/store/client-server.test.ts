import { createProject, photo, startGcsDouble } from '@pixpress/testkit'
import type { GcsDouble, Project } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { APP_VITES, BUILD_APP, VITES, buildProject, emittedText, entryOf, evaluate } from '../vite/build.ts'

const CLIENT = `{ assetsInlineLimit: 0, outDir: 'dist/client', rollupOptions: ${entryOf('src/client.js')} }`
const SERVER = `{ assetsInlineLimit: 0, outDir: 'dist/server', rollupOptions: ${entryOf('src/server.js')} }`
const ENVIRONMENTS = `{ environments: { client: { build: ${CLIENT} }, ssr: { build: ${SERVER} } }`

describe.each(APP_VITES)('client and server with a store, %s', (vite) => {
  let project: Project
  let double: GcsDouble
  beforeEach(async () => {
    double = await startGcsDouble('pictures', { token: 'write' })
    project = await createProject('store-environments', {
      packages: ['unplugin-pixpress', ...VITES],
      files: {
        'src/shared.js': `import a from './a.png'\nimport b from './b.png?w=120&format=webp'\nexport default { a, b }`,
        'src/client.js': `import './style.css'\nexport { default } from './shared.js'`,
        'src/server.js': `export { default } from './shared.js'`,
        'src/style.css': `.a { background: url(./a.png) } .c { background: url(./c.png) }`,
        'src/a.png': await photo(80, 60, 1).png(),
        'src/b.png': await photo(240, 180, 2).png(),
        'src/c.png': await photo(80, 60, 3).png(),
      },
    })
  })
  afterEach(async () => {
    await project.dispose()
    await double.close()
  })

  it.each([
    // Builds that follow each other look again whether the images are there.
    [
      'two builds',
      '{}',
      `await build({ ...config, build: ${CLIENT} }); await build({ ...config, build: { ...${SERVER}, ssr: true } })`,
      5,
    ],
    ['one app, each with its own configuration', `${ENVIRONMENTS} }`, BUILD_APP, 3],
    ['one app with one configuration', `${ENVIRONMENTS}, builder: { sharedConfigBuild: true } }`, BUILD_APP, 3],
    [
      'one app, at the same time',
      `${ENVIRONMENTS}, builder: { buildApp: (b) => Promise.all(Object.values(b.environments).map((e) => b.build(e))) } }`,
      BUILD_APP,
      3,
    ],
  ])('name the same addresses, and each image is uploaded once: %s', async (_, config, run, asked) => {
    const store = {
      service: 'gcs',
      gcp_access_token: 'token',
      path: 'pictures',
      endpoint: double.endpoint,
      manifest: 'images.json',
    }
    const outcome = await buildProject(project, { vite, options: JSON.stringify({ store }), config, run })
    expect(outcome).toMatchObject({ warnings: [], encoded: 3 })
    expect(outcome.error).toBeUndefined()

    const base = `${double.endpoint}/pictures/`
    const client = (await evaluate(project, 'dist/client/entry.mjs')) as Record<'a' | 'b', string>
    expect(client.a.startsWith(`${base}a.`)).toBe(true)
    expect(client.b.startsWith(`${base}b-120.`)).toBe(true)
    expect(await evaluate(project, 'dist/server/entry.mjs')).toEqual(client)
    expect(await emittedText(project, '.css', 'dist/client')).toContain(client.a)
    expect((await project.list('dist')).filter((file) => /\.(?:png|webp)$/.test(file))).toEqual([])

    const times = (method: string): number => double.requests.filter((request) => request.method === method).length
    expect(times('PUT')).toBe(3)
    expect(times('HEAD')).toBe(asked)
    const manifest = JSON.parse(await project.readText('images.json')) as Record<string, string[]>
    expect(manifest).toEqual({
      'src/a.png': [client.a],
      'src/b.png': [client.b],
      'src/c.png': [expect.stringContaining(`${base}c.`)],
    })
  })
})
