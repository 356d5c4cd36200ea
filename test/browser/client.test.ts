import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { photo, requireTool, serverNode } from '@pixpress/testkit'
import type { Browser, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from './chromium.ts'
import { serveFolder } from './servers.ts'
import type { Server } from './servers.ts'

const PACKAGES = path.resolve(import.meta.dirname, '../../packages')
const KEY = 'only-tests-use-this-key-browser'
const chromium = requireTool('chromium')

let folder: string
let allowed: Server
let foreign: Server
let service: ChildProcess
let endpoint: string
let browser: Browser

/** The client as a bundler finds it with these conditions, whose globals a page has as `pixpress`. */
async function bundled(conditionNames: readonly string[]): Promise<string> {
  const bundle = await rolldown({
    input: '@pixpress/client',
    cwd: path.join(PACKAGES, 'client'),
    platform: 'neutral',
    // Modules of Node are left as names.
    logLevel: 'silent',
    resolve: { conditionNames: ['import', ...conditionNames] },
  })
  const { output } = await bundle.generate({ format: 'iife', name: 'pixpress', exports: 'named' })
  await bundle.close()
  return output[0].code
}

/** The built command, which lets pages of one origin in. */
async function startServer(origin: string): Promise<string> {
  const flags = ['--port', '0', '--data', path.join(folder, 'data'), '--metrics-port', 'none', '--allow-origin', origin]
  service = spawn(serverNode(), [path.join(PACKAGES, 'cli/dist/bin.js'), 'serve', ...flags], {
    env: { ...process.env, PIXPRESS_KEYS: KEY },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  for await (const piece of service.stderr!) {
    said += String(piece)
    const address = /^Serving on (\S+)$/m.exec(said)
    if (address === null) continue
    service.stderr!.resume()
    return address[1]!
  }
  throw new Error(`The server did not start: ${said}`)
}

beforeAll(async () => {
  if (chromium === undefined) return
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-client-browser-'))
  await writeFile(path.join(folder, 'photo.jpg'), await photo(1600, 1000).jpeg(97))
  await writeFile(path.join(folder, 'client.js'), await bundled(['browser']))
  const form = '<input type="file"><script src="client.js"></script>'
  await writeFile(path.join(folder, 'index.html'), `<!doctype html><title>Form</title>${form}`)
  allowed = await serveFolder(folder)
  foreign = await serveFolder(folder)
  endpoint = await startServer(new URL(allowed.url).origin)
  browser = await launch(chromium)
})
afterAll(async () => {
  await browser?.close()
  service?.kill('SIGTERM')
  await Promise.all([allowed?.close(), foreign?.close()])
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
})

async function openForm(url: string): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(url)
  await page.setInputFiles('input', path.join(folder, 'photo.jpg'))
  return page
}

/** Makes a smaller WebP of the form's file, inside of the page. */
const compress = (page: Page): Promise<unknown> =>
  page.evaluate(
    async ({ key, base }) => {
      const { createClient } = (
        globalThis as unknown as { pixpress: typeof import('../../packages/client/src/web.ts') }
      ).pixpress
      const client = createClient({ key, endpoint: base, retries: 0 })
      const [file] = document.querySelector('input')!.files!
      const phases: string[] = []
      try {
        const source = client.fromBlob(file!).resize({ method: 'scale', width: 64 }).convert({ type: 'image/webp' })
        const blob = await source.blob({
          onProgress: ({ phase, bytes, total }) => void (bytes === total && phases.push(phase)),
        })
        const { width, height } = await createImageBitmap(blob)
        const { type, size } = blob
        const { url } = await source.upload()
        const streamed = await new Response(client.fromOutput(url).stream()).blob()
        return {
          width,
          height,
          type,
          isSmaller: size < streamed.size && streamed.size < file!.size,
          phases: [...new Set(phases)],
          count: client.compressionCount,
        }
      } catch (error) {
        const { name, message } = error as Error
        return { name, message }
      }
    },
    { key: KEY, base: endpoint },
  )

/** Uploads the form's file, inside of the page. */
const uploadProgress = (page: Page): Promise<readonly [number, number][]> =>
  page.evaluate(
    async ({ key, base }) => {
      const { createClient } = (
        globalThis as unknown as { pixpress: typeof import('../../packages/client/src/web.ts') }
      ).pixpress
      const [file] = document.querySelector('input')!.files!
      const told: [number, number][] = []
      const client = createClient({ key, endpoint: base, retries: 0 })
      await client.fromBlob(file!).upload({ onProgress: ({ bytes, total }) => void told.push([bytes, total!]) })
      return told
    },
    { key: KEY, base: endpoint },
  )

describe.skipIf(chromium === undefined)('the client in Chromium', () => {
  it('makes a smaller image of a form’s file, at a server of another origin', async () => {
    const page = await openForm(allowed.url)
    expect(await compress(page)).toEqual({
      width: 64,
      height: 40,
      type: 'image/webp',
      isSmaller: true,
      phases: ['upload', 'download'],
      count: 3,
    })
  })

  it('tells of an upload while it goes out', async () => {
    const page = await openForm(allowed.url)
    const { size } = await stat(path.join(folder, 'photo.jpg'))
    const session = await page.context().newCDPSession(page)
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: size / 2 }
    await session.send('Network.emulateNetworkConditions', slow)
    const told = await uploadProgress(page)
    expect(told.length).toBeGreaterThan(2)
    expect(told.at(-1)).toEqual([size, size])
    for (const [index, [bytes, total]] of told.entries()) {
      expect(total).toBe(size)
      expect(bytes).toBeGreaterThan(told[index - 1]?.[0] ?? -1)
    }
  })

  it('says what may be wrong where the server does not allow the page', async () => {
    const page = await openForm(foreign.url)
    expect(await compress(page)).toEqual({
      name: 'ConnectionError',
      message: expect.stringContaining("this page's origin"),
    })
  })
})

const PROGRAM = `
import { createClient } from '@pixpress/client'
import type { Progress } from '@pixpress/client'

const client = createClient({ key: 'a', endpoint: 'https://images.example.com' })
const tell = ({ bytes }: Progress): void => console.log(bytes)
export const data: Uint8Array = await client.fromBlob(new Blob([])).toBuffer({ onProgress: tell })
export const answer = new Response(client.fromStream(new Response('').body!).stream())
`

/** A project without Node’s types. */
const PAGES_ALONE = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    types: [],
    lib: ['es2023', 'dom'],
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    customConditions: ['browser'],
  },
  files: ['page.mts'],
}

describe('a bundler', () => {
  it.each([['browser'], ['workerd'], ['edge-light']])('finds nothing of Node for %s', async (condition) => {
    expect(await bundled([condition])).not.toMatch(/\bnode[:_]|\bBuffer\.|\bprocess\./)
  })

  it('finds types that know pages alone', async () => {
    const scope = await mkdtemp(path.join(os.tmpdir(), 'pixpress-client-types-'))
    try {
      await mkdir(path.join(scope, 'node_modules/@pixpress'), { recursive: true })
      await symlink(path.join(PACKAGES, 'client'), path.join(scope, 'node_modules/@pixpress/client'), 'junction')
      await writeFile(path.join(scope, 'page.mts'), PROGRAM)
      await writeFile(path.join(scope, 'tsconfig.json'), JSON.stringify(PAGES_ALONE))
      const compiler = path.resolve(PACKAGES, '../node_modules/typescript/bin/tsc')
      const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', scope], { encoding: 'utf8' })
      expect(stdout).toBe('')
      expect(status).toBe(0)
    } finally {
      await rm(scope, { recursive: true, force: true })
    }
  })

  it('finds Node’s own HTTP for Node', async () => {
    expect(await bundled(['node'])).toContain('node_https')
  })
})
