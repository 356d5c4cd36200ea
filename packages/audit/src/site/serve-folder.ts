import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { typeOfExtension } from '@pixpress/core/internal'

/** A folder that this machine alone can load. */
export interface ServedFolder {
  /** `http://127.0.0.1:…/`, with the base below which the site expects to be. */
  readonly url: string
  /** The base of the scripts and stylesheets that pages asked for, where none of them is below the given one. */
  otherBase(): string | undefined
  close(): Promise<void>
}

/** Content types of what a page needs besides images. */
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  json: 'application/json',
  webmanifest: 'application/manifest+json',
  wasm: 'application/wasm',
  woff: 'font/woff',
  woff2: 'font/woff2',
  mp4: 'video/mp4',
  webm: 'video/webm',
  ico: 'image/x-icon',
}

/**
 * Serves a folder on a free port of 127.0.0.1, as simple hosts do: `/about` is `about.html` or `about/index.html`.
 * @param base what stands before the site's paths, `/` or `/docs/`
 */
export async function serveFolder(folder: string, base: string): Promise<ServedFolder> {
  const root = await realpath(folder)
  const bases = new Set<string>()
  const serve = async ({ url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const file = await fileOf(url, root, base)
    if (/\.(?:css|m?js)$/.test(pathOf(url) ?? '')) {
      const asked = file === undefined ? await baseOf(url, root) : base
      if (asked !== undefined) bases.add(asked)
    }
    await answer(file, response)
  }
  const server = createServer((request, response) => {
    serve(request, response).catch(() => {
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${base}`,
    otherBase: () => (bases.size === 1 && !bases.has(base) ? [...bases][0] : undefined),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(file: string | undefined, response: ServerResponse): Promise<void> {
  if (file === undefined) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('not found')
    return
  }
  const extension = path.extname(file).slice(1).toLowerCase()
  const { size } = await stat(file)
  response.writeHead(200, {
    'content-type': TYPES[extension] ?? typeOfExtension(extension) ?? 'application/octet-stream',
    'content-length': size,
  })
  createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response)
}

/** The file that a URL stands for; `undefined` for anything outside of the folder, behind symbolic links too. */
async function fileOf(url: string, root: string, base: string): Promise<string | undefined> {
  const pathname = pathOf(url)
  if (pathname === undefined || !`${pathname}/`.startsWith(base)) return undefined
  const place = path.join(root, pathname.slice(base.length - 1))
  for (const candidate of [place, `${place}.html`, path.join(place, 'index.html')]) {
    const file = await realpath(candidate).catch(() => undefined)
    const isInside = file !== undefined && file.startsWith(root + path.sep)
    if (isInside && (await stat(file)).isFile()) return file
  }
  return undefined
}

/** The shortest base below which the folder has the file of a URL. */
async function baseOf(url: string, root: string): Promise<string | undefined> {
  const folders = pathOf(url)?.split('/').slice(1, -1) ?? []
  for (let depth = 0; depth <= folders.length; depth++) {
    const base = ['', ...folders.slice(0, depth), ''].join('/')
    if ((await fileOf(url, root, base)) !== undefined) return base
  }
  return undefined
}

function pathOf(url: string): string | undefined {
  try {
    const pathname = decodeURIComponent(new URL(url, 'http://localhost').pathname)
    return pathname.includes('\0') ? undefined : pathname
  } catch {
    return undefined
  }
}
