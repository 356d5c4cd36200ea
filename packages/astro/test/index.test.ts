import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createProject } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { openSession } from 'unplugin-pixpress/internal'
import type { Options } from 'unplugin-pixpress/vite'
import type { Plugin } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeImage } from '../src/engine.ts'
import pixpress from '../src/index.ts'
import { compressOriginals, originals } from '../src/originals.ts'

const ICON = path.resolve(import.meta.dirname, '../../../examples/images/icon.png')

let project: Project
beforeAll(async () => {
  project = await createProject('astro', { packages: [] })
})
afterAll(() => project.dispose())

/** Returns the integration's changes of a configuration, and its messages. */
function setUp(
  entrypoint: string,
  options = {},
  command = 'build',
): { updates: object[]; warnings: string[]; scripts: string[] } {
  const updates: object[] = []
  const warnings: string[] = []
  const scripts: string[] = []
  pixpress(options).hooks['astro:config:setup']({
    command,
    injectScript: (_, content) => scripts.push(content),
    config: {
      base: '/site',
      publicDir: pathToFileURL(`${project.path('public')}/`),
      vite: {},
      root: pathToFileURL(`${project.root}/`),
      image: { service: { entrypoint, config: { kernel: 'cubic' } } },
    },
    updateConfig: (update) => updates.push(update),
    logger: { info: () => {}, warn: (message) => warnings.push(message) },
  })
  return { updates, warnings, scripts }
}

describe('the integration', () => {
  it("takes the place of Astro's service and adds the plugin, and hands on no credentials", () => {
    const engine = { endpoint: 'https://images.example.com', key: 'secret-key' }
    const { updates, warnings } = setUp('astro/assets/services/sharp', { quality: 70, engine })
    expect(updates).toMatchObject([
      {
        image: {
          service: { entrypoint: '@pixpress/astro/service', config: { kernel: 'cubic', pixpress: { quality: 70 } } },
        },
        vite: { ssr: { external: ['@pixpress/astro/engine'] } },
      },
    ])
    expect(JSON.stringify((updates[0] as { image: object }).image)).not.toContain('secret-key')
    expect(warnings).toEqual([])
  })

  it("leaves another's service in its place, and says so", () => {
    const { updates, warnings } = setUp('./src/my-service.ts')
    expect(updates).toEqual([{ vite: expect.anything() }])
    expect(warnings).toEqual([expect.stringContaining('./src/my-service.ts')])
  })

  it('puts the overlay into pages in dev alone', () => {
    const service = 'astro/assets/services/sharp'
    expect(setUp(service, {}, 'dev').scripts).toEqual(["import('/site/__pixpress/overlay.js')"])
    expect(setUp(service).scripts).toEqual([])
  })

  it('refuses an option that there is not, with the right one', () => {
    expect(() => pixpress({ qualty: 70 } as object)).toThrow(/quality/)
  })
})

/** Builds a site whose page shows an original; returns the bytes of its copy in the output. */
async function built(buildOutput: 'static' | 'server', options: Options): Promise<Buffer> {
  const [source, copy] = ['src/own.png', 'dist/_astro/own.aBc.png']
  await project.write(source, await readFile(ICON))
  await project.write(copy, await readFile(ICON))
  await project.write('dist/index.html', '<img src="/_astro/own.aBc.png">')
  const { hooks } = pixpress({ report: false, ...options })
  const plugins: Plugin[] = []
  const logger = { info: () => {}, warn: () => {} }
  hooks['astro:config:setup']({
    command: 'build',
    injectScript: () => {},
    config: {
      base: '/',
      publicDir: pathToFileURL(`${project.path('public')}/`),
      vite: {},
      root: pathToFileURL(`${project.root}/`),
      image: { service: { entrypoint: 'astro/assets/services/sharp', config: {} } },
    },
    updateConfig: (update) => plugins.push(...(update as { vite: { plugins: Plugin[] } }).vite.plugins.flat()),
    logger,
  })
  hooks['astro:config:done']({ buildOutput })
  hooks['astro:build:start']()
  const { transform } = plugins.find(({ name }) => name === 'pixpress:astro-originals')!
  await (transform as (this: unknown, code: string, id: string) => unknown).call({}, '', project.path(source))
  await hooks['astro:build:done']({ dir: pathToFileURL(`${project.path('dist')}/`), logger })
  return project.read(copy)
}

describe('the originals in the output', () => {
  it('are compressed in a static site, and unchanged where a server makes images from them', async () => {
    const source = await readFile(ICON)
    expect((await built('static', {})).length).toBeLessThan(source.length)
    expect((await built('server', {})).equals(source)).toBe(true)
  })

  it('are unchanged where the options exclude them', async () => {
    expect((await built('static', { exclude: '**/own.*' })).equals(await readFile(ICON))).toBe(true)
  })
})

/** Runs the hooks of a build in which Astro asks for two images, and has the service make as many of them as given. */
async function saidOfImages(made: number): Promise<string> {
  const files = ['src/a.png', 'src/b.png']
  const transforms = new Map([['hash', {}]])
  for (const file of files) await project.write(file, await readFile(ICON))
  const staticImages = new Map(
    files.map((file) => [`/_astro/${path.basename(file)}`, { originalSrcPath: project.path(file), transforms }]),
  )
  vi.stubGlobal('astroAsset', { staticImages })
  const { hooks } = pixpress({})
  const logger = { info: () => {}, warn: () => {} }
  const image = { service: { entrypoint: 'astro/assets/services/sharp', config: {} } }
  const publicDir = pathToFileURL(`${project.path('public')}/`)
  const config = { base: '/', root: pathToFileURL(`${project.root}/`), publicDir, vite: {}, image }
  hooks['astro:config:setup']({ command: 'build', injectScript: () => {}, config, updateConfig: () => {}, logger })
  hooks['astro:config:done']({ buildOutput: 'static' })
  hooks['astro:build:start']()
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
  for (const file of files.slice(0, made)) {
    const src = `/_astro/${path.basename(file)}`
    await makeImage(await readFile(ICON), { src, format: 'webp' }, image, () => Promise.reject(new Error('not asked')))
  }
  await hooks['astro:build:done']({ dir: pathToFileURL(`${project.path('none')}/`), logger })
  const said = printed.mock.calls.flat().join('\n')
  printed.mockRestore()
  vi.unstubAllGlobals()
  return said
}

it('the report says how many images Astro took from a cache of its own', async () => {
  expect(await saidOfImages(1)).toMatch(/Astro.* 1 image /)
  expect(await saidOfImages(0)).toMatch(/Astro.* 2 images /)
  expect(await saidOfImages(2)).not.toMatch(/Astro \w+ \d/)
})

it('images of content collections, whose ids have a query, are originals as well', () => {
  const { plugin, files } = originals()
  const ids = ['/p/a.png', '/p/b.png?astroContentImageFlag=&importer=c.md', '/p/c.js?x=d.png', '/p/d.css']
  for (const id of ids) (plugin.transform as (code: string, id: string) => unknown)('', id)
  expect([...files]).toEqual(['/p/a.png', '/p/b.png'])
})

describe('compressOriginals', () => {
  it('compresses in place what is still a source in the output and named there, and nothing else', async () => {
    const source = await readFile(ICON)
    await project.write('src/icon.png', source)
    await project.write('dist/_astro/icon.aBc.png', source)
    await project.write('dist/_astro/two words.dEf.png', source)
    await project.write('dist/_astro/kept.gHi.png', source)
    await project.write('dist/other.png', 'not the source')
    await project.write('dist/a/index.html', '<img src="/_astro/icon.aBc.png"><img src="/_astro/two%20words.dEf.png">')
    await project.write('dist/main.js', 'const other = "../other.png"')
    const session = openSession({ report: false }, project.root)
    await compressOriginals(session, new Set([project.path('src/icon.png')]), project.path('dist'), () => {})
    await session.endBuild()
    expect((await project.read('dist/_astro/icon.aBc.png')).length).toBeLessThan(source.length)
    expect((await project.read('dist/_astro/two words.dEf.png')).length).toBeLessThan(source.length)
    expect((await project.read('dist/_astro/kept.gHi.png')).equals(source)).toBe(true)
    expect(await project.readText('dist/other.png')).toBe('not the source')
    expect((await project.read('src/icon.png')).equals(source)).toBe(true)
  })
})
