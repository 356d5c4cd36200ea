import { createProject, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildProject } from './build.ts'

/** A service worker's global scope, as far as installing needs it; every file of `dist` can be fetched. */
const INSTALL = `
  import { createHash } from 'node:crypto'
  import { readFileSync } from 'node:fs'
  import path from 'node:path'
  import vm from 'node:vm'
  const listeners = {}
  const stored = new Map()
  const urlOf = (request) => new URL(typeof request === 'string' ? request : request.url, 'https://site.example/').href
  const cache = {
    match: async (request) => stored.get(urlOf(request)),
    put: async (request, response) => void stored.set(urlOf(request), Buffer.from(await response.arrayBuffer())),
    keys: async () => [],
  }
  class ExtendableEvent { type = 'install'; waitUntil(work) { this.work = work } }
  const scope = {
    __WB_DISABLE_DEV_LOGS: true, navigator: { userAgent: '' },
    addEventListener: (type, listener) => void (listeners[type] ??= []).push(listener),
    ExtendableEvent, FetchEvent: ExtendableEvent, URL, Request: class extends Request {
      constructor(input, init = {}) { super(urlOf(input), { ...init, mode: undefined, cache: undefined }) }
    }, Response, Headers, Promise, console, setTimeout, clearTimeout,
    location: new URL('https://site.example/sw.js'),
    registration: { scope: 'https://site.example/' },
    caches: { open: async () => cache, match: cache.match, keys: async () => [], delete: async () => true },
    fetch: async (request) => new Response(readFileSync(path.join('dist', decodeURIComponent(new URL(urlOf(request)).pathname)))),
    skipWaiting: async () => {}, clients: { claim: async () => {} },
  }
  scope.self = scope.globalThis = scope
  scope.importScripts = (...urls) => {
    for (const url of urls) vm.runInContext(readFileSync(path.join('dist', new URL(url, 'https://site.example/').pathname), 'utf8'), scope)
  }
  vm.createContext(scope)
  scope.importScripts('sw.js')
  // The script loads its parts by promises.
  while (listeners.install === undefined) await new Promise((resolve) => setImmediate(resolve))
  const event = new ExtendableEvent()
  for (const listener of listeners.install ?? []) {
    listener(event)
    await event.work
  }
  const revisions = [...stored].flatMap(([url, bytes]) => {
    const { pathname, searchParams } = new URL(url)
    const revision = searchParams.get('__WB_REVISION__')
    return revision === null ? [] : [{ pathname, isRight: revision === createHash('md5').update(bytes).digest('hex') }]
  })
  console.log('\\n' + JSON.stringify(revisions))
`

describe('vite-plugin-pwa', () => {
  let project: Project
  beforeEach(async () => {
    project = await createProject('vite-pwa', {
      packages: ['unplugin-pixpress', 'vite', 'vite-plugin-pwa', 'workbox-build', 'workbox-window'],
      files: {
        'index.html': `<img src="/copied.png"><script type="module" src="/src/main.js"></script>`,
        'src/main.js': `console.log('site')`,
        'public/copied.png': await photo(120, 90, 1).png(),
        'public/icon.png': await photo(192, 192, 2).png(),
      },
    })
  })
  afterEach(() => project.dispose())

  it.each(['after', 'before'])('makes a service worker that installs, %s pixpress', async (order) => {
    const pwa = `(await import('vite-plugin-pwa')).VitePWA({
      includeAssets: ['copied.png'],
      manifest: { name: 'Site', icons: [{ src: 'icon.png', sizes: '192x192', type: 'image/png' }] },
      workbox: { globPatterns: ['**/*.{js,css,html,png}'], mode: 'development', sourcemap: false },
    })`
    const { error } = await buildProject(project, {
      config: `{ plugins: [${order === 'before' ? pwa : ''}] }`,
      ...(order === 'after' && { run: `config.plugins.push(${pwa})\nawait build(config)` }),
    })
    expect(error).toBeUndefined()
    const { code, stdout, stderr } = await project.run(INSTALL)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const revisions = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as { pathname: string; isRight: boolean }[]
    expect(revisions.map(({ pathname }) => pathname)).toEqual(expect.arrayContaining(['/copied.png', '/icon.png']))
    expect(revisions.filter(({ isRight }) => !isRight)).toEqual([])
    for (const file of ['copied.png', 'icon.png']) {
      expect((await project.read(`dist/${file}`)).length).toBeLessThan((await project.read(`public/${file}`)).length)
    }
  })
})
