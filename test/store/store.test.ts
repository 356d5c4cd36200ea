import {
  createProject,
  graphic,
  makeBucket,
  photo,
  requireTool,
  startGcsDouble,
  startRadosgw,
  transparentGraphic,
} from '@pixpress/testkit'
import type { GcsDouble, Project, Radosgw } from '@pixpress/testkit'
import type { Report } from '@pixpress/core/report'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { launch, visit } from '../browser/chromium.ts'
import { serveFolder } from '../browser/servers.ts'
import type { Server } from '../browser/servers.ts'
import { build, buildOrThrow, canBuild, evaluate, readOutput } from '../contract/build.ts'
import type { BuildResult } from '../contract/build.ts'
import { carries } from '../contract/capabilities.ts'
import type { Bundler } from '../contract/capabilities.ts'
import { borrowResults, lendResults } from '../contract/shared-cache.ts'
import { SITE_PRESETS, composeSite } from '../contract/site.ts'
import { leaks } from '../remote/secrets.ts'

const TOKEN = 'ya29.a-token-that-nobody-may-see'
const BUCKET = 'site-images'
const MANIFEST = 'addresses.json'

let project: Project | undefined
let double: GcsDouble | undefined
afterEach(async () => {
  if (project !== undefined) await lendResults(project)
  await project?.dispose()
  await double?.close()
  project = double = undefined
})

/** The places that each bundler can refer to an image from. */
const REFERENCES = {
  vite: ['css', 'html'],
  webpack: ['css', 'html'],
  rspack: ['css', 'html'],
  rsbuild: ['css', 'html'],
  rollup: [],
  rolldown: [],
  esbuild: ['css'],
  bun: ['css', 'html'],
} as const satisfies Record<Bundler, readonly ('css' | 'html')[]>

const PACKAGES: Readonly<Record<Bundler, readonly string[]>> = {
  vite: ['vite'],
  webpack: ['webpack', 'css-loader', 'html-loader'],
  rspack: ['@rspack/core', 'css-loader', 'html-loader'],
  rsbuild: ['@rsbuild/core', 'html-loader'],
  rollup: ['rollup'],
  rolldown: ['rolldown'],
  esbuild: ['esbuild'],
  bun: [],
}

/** Bundlers whose entry is the page. */
const inPages: ReadonlySet<Bundler> = new Set(['vite', 'bun'])

async function createSite(bundler: Bundler): Promise<Project> {
  const kinds: readonly string[] = REFERENCES[bundler]
  // Vite would make data of what is small.
  const script = `import photo from './photo.jpg?no-inline'
import again from './photo.jpg?url&no-inline'
import { srcset } from './sizes.js'
${kinds.includes('css') ? "import './site.css'" : ''}
globalThis.site = { images: { photo, again, srcset, logo: new URL('./logo.png?no-inline', import.meta.url).href } }
`
  const site = await createProject(`store-${bundler}`, {
    packages: ['unplugin-pixpress', ...PACKAGES[bundler]],
    files: {
      'src/main.js': script,
      'src/sizes.js': "export { default as srcset } from './photo.jpg?w=40;80&format=webp&as=srcset&no-inline'\n",
      'src/site.css': '.a { background: url(./cutout.webp?no-inline) }\n',
      'src/photo.jpg': await photo(240, 160).jpeg(95),
      'src/logo.png': await graphic(200, 150).png(),
      'src/cutout.webp': await transparentGraphic(240, 180, 3).webp(),
      ...(kinds.includes('html') && {
        'index.html': `<!doctype html><title>x</title><img src="./src/photo.jpg?no-inline" srcset="./src/logo.png?no-inline 2x">${
          // html-webpack-plugin adds the script itself.
          inPages.has(bundler) ? '<script type="module" src="./src/main.js"></script>' : ''
        }`,
        'public/copied.png': await graphic(200, 100).png(),
      }),
    },
  })
  // This test shows that images are stored, not how they are made.
  await borrowResults(site)
  return site
}

const storeOf = ({ endpoint }: GcsDouble, more: object = {}): object => ({
  service: 'gcs',
  gcp_access_token: TOKEN,
  path: `${BUCKET}/static/`,
  endpoint,
  manifest: MANIFEST,
  ...more,
})

const uploads = ({ requests }: GcsDouble): number => requests.filter(({ method }) => method === 'PUT').length

const reportOf = ({ report }: BuildResult): Report => report as unknown as Report

/** Every address below `base` in what was written. */
async function addressesIn(built: Project, base: string): Promise<string[]> {
  const found = new Set<string>()
  for (const [, data] of await readOutput(built)) {
    for (const [address] of data.toString('latin1').matchAll(/https?:\/\/[^\s"'()`<>,\\]+/g)) {
      if (address.startsWith(base)) found.add(address)
    }
  }
  return [...found].sort()
}

const chromium = requireTool('chromium')
const gatewayIsThere = requireTool('radosgw') !== undefined && requireTool('ceph-osd') !== undefined

/** It takes many seconds until it answers, which the other tests use. */
let starting: Promise<Radosgw> | undefined
beforeAll(() => {
  if (chromium === undefined || !gatewayIsThere) return
  starting = startRadosgw()
  // Who waits for it is told of a failure.
  starting.catch(() => undefined)
})
afterAll(async () => {
  const gateway = await starting?.catch(() => undefined)
  await gateway?.stop()
})

/** Bundlers whose adapter is that of another: of webpack, Rspack and Rollup. */
const ofAnother: ReadonlySet<Bundler> = new Set(['rspack', 'rsbuild', 'rolldown'])

/** Builds once more: the same files, and no upload. */
async function expectNothingNew(bundler: Bundler, images: number): Promise<void> {
  const again = await buildOrThrow(project!, bundler, { store: storeOf(double!) }, { outDir: 'again' })
  expect(uploads(double!)).toBe(images)
  expect(reportOf(again).store).toEqual({ service: 'gcs', uploaded: 0, present: images, bytes: 0 })
  expect(await readOutput(project!, 'again')).toEqual(await readOutput(project!))
  const { stdout, stderr } = again.process
  expect(await leaks(TOKEN, project!, { stdout, stderr })).toEqual([])
}

const bundlers = (Object.keys(REFERENCES) as Bundler[]).filter(canBuild)

describe.each(bundlers)('%s', (bundler) => {
  const inCss = (REFERENCES[bundler] as readonly string[]).includes('css')
  const inHtml = (REFERENCES[bundler] as readonly string[]).includes('html')
  /** The photograph, two sizes of it, the logo, and what the stylesheet shows. */
  const images = inCss ? 5 : 4

  it('refers to images in the store, and puts each there once', async () => {
    double = await startGcsDouble(BUCKET, { [TOKEN]: 'write' })
    project = await createSite(bundler)
    const result = await buildOrThrow(project, bundler, { store: storeOf(double) })
    const base = `${double.endpoint}/${BUCKET}/static/`

    expect(uploads(double)).toBe(images)
    expect(reportOf(result).store).toMatchObject({ service: 'gcs', uploaded: images, present: 0 })
    const addresses = await addressesIn(project, base)
    expect(addresses).toHaveLength(images)
    for (const address of addresses) {
      const response = await fetch(address)
      expect([address, response.status]).toEqual([address, 200])
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(response.headers.get('content-type')).toMatch(/^image\/(?:jpeg|png|webp)$/)
      expect(address.slice(base.length)).toMatch(/^[a-z]+[-\w]*\.[\da-f]{16}\.(?:jpg|png|webp)$/)
    }
    const files = [...(await readOutput(project)).keys()].filter((file) => /\.(?:jpe?g|png|webp)$/.test(file))
    expect(files).toEqual(inHtml && carries(bundler, 'public') ? ['copied.png'] : [])

    const { images: values } = await evaluate(project, result)
    expect(values!['photo']).toMatch(/photo\.[\da-f]{16}\.jpg$/)
    expect(values!['again']).toBe(values!['photo'])
    expect(values!['logo']).toMatch(/logo\.[\da-f]{16}\.png$/)
    const sizes = (values!['srcset'] as string).split(', ').map((each) => each.split(' '))
    expect(sizes.map(([, width]) => width)).toEqual(['40w', '80w'])
    for (const [address] of sizes) expect(addresses).toContain(address)

    const manifest = JSON.parse((await project.read(MANIFEST)).toString()) as Record<string, string[]>
    expect(Object.keys(manifest)).toEqual([...(inCss ? ['src/cutout.webp'] : []), 'src/logo.png', 'src/photo.jpg'])
    expect(Object.values(manifest).flat().toSorted()).toEqual(addresses)

    const { stdout, stderr } = result.process
    expect(await leaks(TOKEN, project, { stdout, stderr })).toEqual([])
    if (!ofAnother.has(bundler)) await expectNothingNew(bundler, images)
  })

  it.skipIf(ofAnother.has(bundler))('fails where an image cannot be stored, and says which and why', async () => {
    double = await startGcsDouble(BUCKET, { [TOKEN]: 'read' })
    project = await createSite(bundler)
    const { ok, error, process } = await build(project, bundler, { store: storeOf(double) })
    expect(ok).toBe(false)
    expect(error).toMatch(/src\/(?:photo\.jpg|logo\.png|cutout\.webp): .*Google Cloud Storage/)
    expect(error).toContain('403')
    expect(await addressesIn(project, double.endpoint)).toEqual([])
    expect(await leaks(TOKEN, project, { error: error!, stdout: process.stdout, stderr: process.stderr })).toEqual([])
  })
})

it('writes the base address of a CDN', async () => {
  double = await startGcsDouble(BUCKET, { [TOKEN]: 'write' })
  project = await createSite('vite')
  await buildOrThrow(project, 'vite', { store: storeOf(double, { baseUrl: 'https://cdn.example.com/i/' }) })
  expect(await addressesIn(project, double.endpoint)).toEqual([])
  expect(await addressesIn(project, 'https://cdn.example.com/i/')).toHaveLength(5)
})

describe.skipIf(chromium === undefined || !gatewayIsThere)('a page with its images in a real S3 server', () => {
  let gateway: Radosgw
  let browser: Browser
  let server: Server | undefined
  beforeAll(async () => {
    gateway = await starting!
    await makeBucket(gateway, BUCKET)
    browser = await launch(chromium!)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
  })
  afterEach(async () => {
    await server?.close()
    server = undefined
  })

  it.each((['vite', 'bun'] as const).filter(canBuild))(
    '%s: shows every one of them, and a second build uploads nothing',
    async (bundler) => {
      const { files } = composeSite(bundler)
      project = await createProject(`store-page-${bundler}`, {
        files: {
          ...files,
          'src/main.js': `${String(files['src/main.js'])}\nimport { render } from './render.js'\nrender(globalThis.site, [])\n`,
        },
      })
      await borrowResults(project)
      const store = {
        service: 's3',
        aws_access_key_id: gateway.accessKeyId,
        aws_secret_access_key: gateway.secretAccessKey,
        region: 'us-east-1',
        endpoint: gateway.endpoint,
        path: `${BUCKET}/${bundler}`,
      }
      const convert = { type: ['image/avif', 'image/webp'] }
      const options = { presets: SITE_PRESETS, convert, effort: 'fast', store }
      const cold = await buildOrThrow(project, bundler, options)
      const used = reportOf(cold).store!
      expect(used.uploaded).toBeGreaterThan(10)
      server = await serveFolder(project.path('dist'))
      const { shown, received, problems } = await visit(browser, server.url)
      expect(problems).toEqual([])
      expect(shown.filter(({ width }) => width === 0)).toEqual([])
      const base = `${gateway.endpoint}/${BUCKET}/${bundler}/`
      expect([...received.keys()].filter((url) => url.startsWith(base)).length).toBeGreaterThan(8)
      for (const [url, { contentType, format }] of received) {
        if (url.startsWith(base))
          expect([url, contentType]).toEqual([url, `image/${format === 'svg' ? 'svg+xml' : format}`])
      }

      const warm = await buildOrThrow(project, bundler, options)
      expect(reportOf(warm).store).toMatchObject({ uploaded: 0, present: used.uploaded })
      expect(reportOf(warm).totals.encoded).toBe(0)
      const { stdout, stderr } = cold.process
      expect(await leaks(gateway.secretAccessKey, project, { stdout, stderr })).toEqual([])
    },
  )
})
