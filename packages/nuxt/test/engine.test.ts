import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createProject, detect } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answer } from '../src/engine.ts'

const ICON = path.resolve(import.meta.dirname, '../../../examples/images/icon.png')

let project: Project
let icon: Buffer
beforeAll(async () => {
  project = await createProject('nuxt-engine', { packages: [] })
  icon = await readFile(ICON)
  await project.write('public/icon.png', icon)
})
afterAll(() => project.dispose())

function ask(url: string, given: { domains?: string[]; alias?: Record<string, string> } = {}): Promise<Response> {
  const { domains = [], alias = {} } = given
  const dirs = [project.path('public')]
  return answer(url, { root: project.root, dirs, domains, alias, base: '/site/', operations: {}, route: '/_ipx' })
}

/** Serves on a free port of this machine, and counts the requests. */
async function serve(listener: RequestListener): Promise<{ host: string; hits: () => number; close: () => void }> {
  let hits = 0
  const server = createServer((request, response) => {
    hits++
    listener(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, hits: () => hits, close: () => void server.close() }
}

const formatOf = async (response: Response): Promise<string | undefined> =>
  detect(new Uint8Array(await response.arrayBuffer()))

describe('answer', () => {
  it('gives the size and the type that a URL asks for, with the base or without', async () => {
    for (const url of ['/site/_ipx/w_48&f_webp/icon.png', '/_ipx/w_48&f_webp/icon.png?v=1']) {
      const response = await ask(url)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp'])
      expect(await formatOf(response)).toBe('webp')
    }
  })

  it('says what a frozen cache lacks, and encodes nothing', async () => {
    const given = { domains: [], alias: {}, base: '/site/', operations: {}, route: '/_ipx' }
    const dirs = [project.path('public')]
    const cache = { dir: 'frozen', mode: 'frozen' } as const
    const response = await answer('/_ipx/w_40/icon.png', { root: project.root, dirs, cache, ...given })
    expect(response.status).toBe(409)
    expect(await response.text()).toContain('it (image, resize')
    expect(await project.list('frozen')).toEqual([])
  })

  it('keeps the type where none is asked for', async () => {
    const response = await ask('/_ipx/_/icon.png')
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(detect(bytes)).toBe('png')
    expect(bytes.length).toBeLessThan(icon.length)
  })

  it('follows aliases, and fetches from the hosts that are allowed', async () => {
    expect((await ask('/_ipx/w_32/pictures/icon.png', { alias: { '/pictures': '/' } })).status).toBe(200)
    const { host, close } = await serve((_, response) => response.end(icon))
    try {
      expect((await ask(`/_ipx/w_32/http://${host}/icon.png`, { domains: [host] })).status).toBe(200)
      expect((await ask(`/_ipx/w_32/http://${host}/icon.png`)).status).toBe(403)
    } finally {
      close()
    }
  })

  it('fetches from no host whose name only ends like an allowed one', async () => {
    const { host, hits, close } = await serve((_, response) => response.end(icon))
    try {
      expect((await ask(`/_ipx/w_32/http://${host}/icon.png`, { domains: [host.slice(1)] })).status).toBe(403)
      expect(hits()).toBe(0)
    } finally {
      close()
    }
  })

  it('follows no redirect to another host', async () => {
    const other = await serve((_, response) => response.end(icon))
    const location = `http://${other.host}/icon.png`
    const allowed = await serve((_, response) => response.writeHead(302, { location }).end())
    try {
      await expect(ask(`/_ipx/w_32/http://${allowed.host}/icon.png`, { domains: [allowed.host] })).rejects.toThrow()
      expect([allowed.hits(), other.hits()]).toEqual([1, 0])
    } finally {
      allowed.close()
      other.close()
    }
  })

  it('says what is wrong with what is not there, outside the folders, or not supported', async () => {
    await project.write('public/folder.png/a.txt', '')
    for (const [url, status, message] of [
      ['/_ipx/_/missing.png', 404, /no image 'missing\.png'/],
      ['/_ipx/_/..%2Fpackage.json', 404, /no image/],
      ['/_ipx/_/folder.png', 404, /no image/],
      ['/_ipx/_/icon.png/below.png', 404, /no image/],
      ['/_ipx/_/icon%00.png', 404, /no image/],
      [`/_ipx/_/${'x'.repeat(300)}.png`, 404, /no image/],
      ['/_ipx/_/icon%E0.png', 404, /no image 'icon%E0\.png'/],
      ['/_ipx/f_%E0/icon.png', 400, /'%E0'/],
      ['/_ipx/sharpen_3/icon.png', 400, /'sharpen'/],
    ] as const) {
      const response = await ask(url)
      expect(response.status).toBe(status)
      expect(await response.text()).toMatch(message)
    }
  })
})
