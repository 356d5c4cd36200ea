import { createProject, requireTool } from '@pixpress/testkit'
import type { ImageFormat, Project } from '@pixpress/testkit'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildOrThrow } from '../contract/build.ts'
import { borrowResults, lendResults } from '../contract/shared-cache.ts'
import { SITE_PRESETS, composeSite } from '../contract/site.ts'
import type { ComposedSite } from '../contract/site.ts'
import { launch, visit } from './chromium.ts'
import type { Visit } from './chromium.ts'
import { serveFolder, startDevServer } from './servers.ts'
import type { Server } from './servers.ts'

const OPTIONS = { presets: SITE_PRESETS, convert: { type: ['image/avif', 'image/webp'] }, effort: 'fast' } as const

const executable = requireTool('chromium')

describe.skipIf(executable === undefined)('in Chromium', () => {
  let browser: Browser
  let project: Project | undefined
  let server: Server | undefined

  beforeAll(async () => {
    browser = await launch(executable!)
  })
  afterAll(() => browser?.close())
  afterEach(async () => {
    await server?.close()
    if (project !== undefined) await lendResults(project)
    await project?.dispose()
    server = project = undefined
  })

  describe.each(['vite', 'webpack'] as const)('%s', (bundler) => {
    it('shows every image of a built page', async () => {
      const site = composeSite(bundler)
      project = await createProject(`browser-${bundler}`, { files: rendered(site) })
      await borrowResults(project)
      await buildOrThrow(project, bundler, OPTIONS)
      server = await serveFolder(project.path('dist'))
      const seen = await visit(browser, server.url)
      expectAllShown(seen, site)
      expectFormats(seen)
      await expectPublicFiles(server.url, site)
    })

    it('shows every image of the dev server', async () => {
      const site = composeSite(bundler)
      project = await createProject(`browser-${bundler}-dev`, { files: rendered(site) })
      // The page waits for its images, which are not there yet.
      server = await startDevServer(bundler, project.root, { ...OPTIONS, convert: { type: 'image/webp' } })
      const seen = await visit(browser, server.url)
      expectAllShown(seen, site)
      expectFormats(seen)
      await expectPublicFiles(server.url, site)
      // From the cache, and with the browser's own question whether anything has changed.
      expectAllShown(await visit(browser, server.url), site)
    })
  })
})

/** The site with a script that puts all it imports onto the page. */
function rendered({ files, kinds }: ComposedSite): Record<string, string | Uint8Array> {
  const sheets = kinds.filter((kind) => kind.startsWith('css-')).map((kind) => `./css/${kind}.css`)
  const css = Object.entries(files).filter(([file]) => file.endsWith('.css') && sheets.length > 0)
  const classNames = css.flatMap(([, text]) => [...String(text).matchAll(/^\.([\w-]+) \{/gm)].map(([, name]) => name))
  if (kinds.includes('html-style-element')) classNames.push('html-style-element')
  return {
    ...files,
    'src/main.js': `${String(files['src/main.js'])}\nimport { render } from './render.js'\nrender(globalThis.site, ${JSON.stringify(classNames)})\n`,
  }
}

function expectAllShown({ shown, problems }: Visit, { expectations }: ComposedSite): void {
  expect(problems).toEqual([])
  expect(shown.filter(({ width }) => width === 0)).toEqual([])
  // A srcset shows one of its candidates, an image-set too; raw text and public files are not on the page.
  const places = expectations.filter(({ at, becomes }) => !('file' in at) && becomes !== 'text')
  const choices = places.filter(({ at }) => ('index' in at ? (at.index ?? 0) > 0 : false))
  const srcsets = places.filter(({ at }) => 'attribute' in at && at.attribute === 'srcset' && at.index === 0)
  expect(shown.length).toBeGreaterThanOrEqual(places.length - choices.length - srcsets.length)
  const kinds = new Set(shown.map(({ by }) => by.replace(/^.*\./, '')))
  for (const by of ['img', 'backgroundImage', 'listStyleImage', 'icon', 'og:image', 'poster'])
    expect(kinds).toContain(by)
}

/** The type that a server declares has to be the image's own: browsers do not guess AVIF and SVG. */
function expectFormats({ received }: Visit): void {
  const formats = new Map<ImageFormat | undefined, number>()
  for (const [url, { contentType, format }] of received) {
    expect([url, contentType.split(';')[0]]).toEqual([url, `image/${format === 'svg' ? 'svg+xml' : format}`])
    formats.set(format, (formats.get(format) ?? 0) + 1)
  }
  const modern = (formats.get('webp') ?? 0) + (formats.get('avif') ?? 0)
  expect(received.size).toBeGreaterThan(8)
  expect(modern).toBeGreaterThan(received.size / 2)
}

/** Files that are copied as they are keep their address and type, and are smaller than on disk. */
async function expectPublicFiles(url: string, { expectations, files }: ComposedSite): Promise<void> {
  for (const { at, source } of expectations) {
    if (!('file' in at)) continue
    const response = await fetch(new URL(at.file, url))
    expect([at.file, response.status]).toEqual([at.file, 200])
    expect((await response.arrayBuffer()).byteLength).toBeLessThanOrEqual(files[source]!.length)
  }
}
