import { createReadStream } from 'node:fs'
import { readFile, readdir, rm } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { WORKSPACE, decode, freePort, requireTool } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser } from 'playwright-core'
import { launch } from '../browser/chromium.ts'
import { startReplica } from '../server/replica.ts'
import type { Replica } from '../server/replica.ts'
import { build, copyProject, install, packPackages } from './install.ts'
import type { Tarballs } from './install.ts'

const KEY = '0123456789abcdef0123456789abcdef'
const NAMES = ['fig.jpg', 'chart.png', 'sunrise.jpg']
const WIDTHS = [320, 640, 1280]

/** The examples of docs/delivery.md, and the folder of each one's pages. */
const EXAMPLES = [
  ['plain', 'dist'],
  ['unpic', 'dist'],
  ['astro', 'dist'],
  ['next', 'dist'],
  ['nuxt', '.output/public'],
] as const

const chromium = requireTool('chromium')
let tarballs: Tarballs
let server: Replica
let browser: Browser | undefined
/** Widths of the originals. */
const own = new Map<string, number>()

beforeAll(async () => {
  tarballs = await packPackages()
  const photos = path.join(WORKSPACE, 'examples/images')
  for (const name of NAMES) own.set(name, (await decode(await readFile(path.join(photos, name)))).width)
  const flags = ['--key', 'k'.repeat(32), '--delivery-key', KEY, '--delivery-source', `photos=${photos}`]
  server = await startReplica(await freePort(), [...flags, '--data', path.join(tarballs.folder, 'data')], {})
  if (chromium !== undefined) browser = await launch(chromium)
})
afterAll(async () => {
  await browser?.close()
  server.kill('SIGTERM')
  await server.exited
  await rm(tarballs.folder, { recursive: true, force: true })
})

/** The URLs of pictures in a page, each once. */
function urlsIn(html: string): string[] {
  const text = html.replaceAll('&amp;', '&').replaceAll('\\u0026', '&')
  const found = text.match(new RegExp(`${server.url}/i/[^"'\\s\\\\,]+`, 'g')) ?? []
  // Templates, of which scripts make URLs, are none themselves.
  return [...new Set(found)].filter((url) => !url.includes('w=*') && !url.includes('w=%2A'))
}

interface Asked {
  readonly name: string
  readonly width: number
}

function askedBy(url: string): Asked {
  const [, width, name] = /[/;]w=(\d+)[^/]*\/photos\/([^/?]+)$/.exec(decodeURIComponent(url)) ?? []
  if (width === undefined || name === undefined) throw new Error(`${url} has no width.`)
  return { name, width: Number(width) }
}

/** Serves a folder of pages as a static host does. */
async function serveFolder(folder: string): Promise<{ url: string; close(): void }> {
  const host = http.createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost')
    const file = path.join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname)
    const type = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }[path.extname(file)]
    if (type !== undefined) response.setHeader('Content-Type', type)
    createReadStream(file)
      .once('error', () => response.writeHead(404).end())
      .pipe(response)
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(host.address() as AddressInfo).port}/`,
    close: () => void host.close().closeAllConnections(),
  }
}

/** The URL and the pixels of each picture that a browser shows. */
async function look(project: Project, folder: string): Promise<{ url: string; width: number }[]> {
  const host = await serveFolder(project.path(folder))
  const page = await browser!.newPage({ viewport: { width: 1000, height: 2200 } })
  try {
    await page.goto(host.url, { waitUntil: 'networkidle' })
    await page.screenshot({ path: project.path('page.png') })
    return await page.$$eval('img', (images) =>
      images.map((image) => ({ url: image.currentSrc, width: image.complete ? image.naturalWidth : 0 })),
    )
  } finally {
    await page.close()
    host.close()
  }
}

describe('examples/delivery', () => {
  it.for(EXAMPLES)(
    '%s builds a page of signed URLs, which the server answers and Chromium draws',
    async (row, context) => {
      const [name, folder] = row
      const project = await copyProject(`delivery-${name}`, path.join(WORKSPACE, 'examples/delivery', name), tarballs)
      try {
        const reason = await install(project)
        context.skip(reason !== undefined, `untried: ${reason}`)
        await build(project, { IMAGES_ENDPOINT: server.url, IMAGES_SIGNING_KEY: KEY })
        const urls = urlsIn(await project.readText(path.join(folder, 'index.html')))
        const asked = urls.map((url) => askedBy(url))
        for (const picture of NAMES) {
          const widths = asked.filter((each) => each.name === picture).map(({ width }) => width)
          expect([picture, widths]).toEqual([picture, expect.arrayContaining(WIDTHS)])
        }
        for (const [index, url] of urls.entries()) {
          const answer = await fetch(url, { headers: { accept: 'image/webp,*/*' } })
          expect([url, answer.status]).toEqual([url, 200])
          const { width } = await decode(Buffer.from(await answer.arrayBuffer()))
          // A picture is never made larger than its original.
          expect([url, width]).toEqual([url, Math.min(asked[index]!.width, own.get(asked[index]!.name)!)])
        }
        for (const file of await readdir(project.path(folder), { recursive: true, withFileTypes: true })) {
          if (!file.isFile()) continue
          const bytes = await readFile(path.join(file.parentPath, file.name))
          expect([file.name, bytes.includes(KEY)]).toEqual([file.name, false])
        }
        context.skip(browser === undefined, 'all but the drawing, which needs Chromium')
        const shown = await look(project, folder)
        expect(shown.map(({ url }) => urls.includes(url))).toEqual([true, true, true])
        expect(shown.map(({ width }) => width > 0)).toEqual([true, true, true])
        context.task.meta.summary = `${urls.length} URLs`
      } finally {
        if (process.env.PIXPRESS_KEEP_PROJECTS === undefined) await project.dispose()
        else console.log(project.root)
      }
    },
  )
})
