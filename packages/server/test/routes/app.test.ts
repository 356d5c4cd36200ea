import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { photo } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAccounting } from '../../src/accounts/accounting.ts'
import { createKeyRing } from '../../src/accounts/key-ring.ts'
import { createApp } from '../../src/routes/app.ts'
import { createImageWork } from '../../src/routes/image-work.ts'
import type { ImageWork } from '../../src/routes/image-work.ts'
import type { Services } from '../../src/routes/services.ts'
import { openLocalBackend } from '../../src/storage/local/local.ts'
import { overloaded } from '../../src/http/http-error.ts'
import { createUploadMemory } from '../../src/http/upload-memory.ts'
import { BackendUnavailableError, createLog, parseKey, resolveSettings } from '../../src/index.ts'
import type { Backend } from '../../src/index.ts'
import { DamagedRecordError } from '../../src/storage/stored-records.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { NO_TRACING } from '../../src/telemetry/tracing.ts'
import { KEY, OTHER_KEY, basic } from '../support/server.ts'

let folder: string
let backend: Backend
let work: ImageWork
let lines: string[]
const png = async (): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await photo(24, 16).png())
const authorized = { Authorization: basic(KEY) }

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-app-'))
  backend = await openLocalBackend({ folder, cacheSize: 1e9 })
  work = createImageWork(resolveSettings())
  lines = []
})
afterEach(async () => {
  await work.close()
  await backend.close()
  await rm(folder, { recursive: true, force: true })
})

function app(more: Partial<Services> = {}): ReturnType<typeof createApp> {
  return createApp({
    settings: resolveSettings(),
    origin: () => 'https://images.example.org',
    keys: createKeyRing(backend.keys, { keys: [parseKey(KEY)], defaults: { monthlyLimit: Infinity, rate: undefined } }),
    backend,
    accounting: createAccounting(backend.counts),
    work,
    memory: createUploadMemory(1_000_000, 1),
    store: () => Promise.reject(new Error('nothing is stored here')),
    metrics: createMetrics(),
    log: createLog((line) => lines.push(line)),
    tracing: NO_TRACING,
    draining: () => false,
    clock: Date.now,
    ...more,
  })
}

/** A back end of which one method fails as it does when its service is away. */
const without = <K extends 'counts' | 'records' | 'bytes'>(part: K, method: keyof Backend[K]): Backend => ({
  ...backend,
  [part]: {
    ...backend[part],
    [method]: () => Promise.reject(new BackendUnavailableError('redis://secret@host is away')),
  },
})

const ignore = (): void => undefined

function assertRoom(): never {
  throw overloaded('Too many images are waiting.', 2000)
}

const findDamaged = (): Promise<never> =>
  Promise.reject(new DamagedRecordError("Expected a text for 'account' of the record of an output in the storage."))

async function keptFiles(): Promise<string[]> {
  const names = await readdir(path.join(folder, 'outputs'), { recursive: true }).catch(() => [])
  return names.filter((name) => /\.(upload|output|tmp)$/.test(name))
}

describe('createApp', () => {
  it('is a function from request to response', async () => {
    const upload = await app().request('/shrink', {
      method: 'POST',
      headers: authorized,
      body: await png(),
    })
    expect(upload.status).toBe(201)
    const location = upload.headers.get('location')!
    expect(location).toMatch(/^https:\/\/images\.example\.org\/output\//)
    const json = { method: 'POST', headers: { ...authorized, 'Content-Type': 'application/json' } }
    const body = JSON.stringify({ resize: { method: 'scale', width: 12 } })
    const resized = await app().request(new URL(location).pathname, { ...json, body })
    expect([resized.status, resized.headers.get('image-height'), resized.headers.get('compression-count')]).toEqual([
      200,
      '8',
      '2',
    ])
  })

  it('reads no upload while too many images wait', async () => {
    const body = new ReadableStream({ pull: () => expect.unreachable() }, { highWaterMark: 0 })
    const request = { method: 'POST', headers: authorized, body, duplex: 'half' } as RequestInit
    const refused = await app({ work: { ...work, assertRoom } }).request('/shrink', request)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  })

  it("answers another account's output as one that does not exist", async () => {
    const keys = createKeyRing(backend.keys, {
      keys: [parseKey(KEY), parseKey(OTHER_KEY)],
      defaults: { monthlyLimit: Infinity, rate: undefined },
    })
    const shared = app({ keys })
    const upload = await shared.request('/shrink', { method: 'POST', headers: authorized, body: await png() })
    const { pathname } = new URL(upload.headers.get('location')!)
    const ask = async (key: string, target: string): Promise<unknown> => {
      const answer = await shared.request(target, { headers: { Authorization: basic(key) } })
      return [answer.status, answer.status === 200 ? undefined : await answer.json()]
    }
    expect(await ask(KEY, pathname)).toEqual([200, undefined])
    const missing = await ask(OTHER_KEY, `/output/${'0'.repeat(32)}`)
    expect(missing).toEqual([404, expect.anything()])
    expect(await ask(OTHER_KEY, pathname)).toEqual(missing)
  })

  it.each([
    ['counts', 'increment'],
    ['records', 'create'],
    ['bytes', 'put'],
  ] as const)('a failure of %s.%s is a 503, uncounted, and tells nothing', async (part, method) => {
    const broken = app({
      backend: without(part, method as never),
      accounting: createAccounting(without(part, method as never).counts),
    })
    const answer = await broken.request('/shrink', {
      method: 'POST',
      headers: authorized,
      body: await png(),
    })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
    const body = await answer.text()
    expect(JSON.parse(body)).toMatchObject({ error: 'ServiceUnavailable' })
    expect(body).not.toContain('secret')
    const months = await backend.counts.read(parseKey(KEY).account, new Date().toISOString().slice(0, 7))
    expect(months).toBe(0)
    expect(await keptFiles()).toEqual([])
  })

  it('holds no memory for an upload that waits where much is held, and makes the same of it', async () => {
    const own = createImageWork({ ...resolveSettings(), concurrency: 1 })
    try {
      const body = new Uint8Array(await photo(120, 90).png())
      const memory = createUploadMemory(4 * body.length, 0)
      const init = { method: 'POST', headers: authorized, body }
      const alone = (await (await app().request('/shrink', init)).json()) as { output: object }
      let end: () => void = ignore
      const cost = await own.cost(body)
      const busy = own.turn(() => new Promise<void>((resolve) => (end = resolve)), { account: 'blog', cost })
      const asked = app({ work: own, memory }).request('/shrink', init)
      await expect.poll(() => [own.waiting, memory.used]).toEqual([1, 0])
      expect((await keptFiles()).filter((name) => name.endsWith('.upload'))).toHaveLength(2)
      end()
      await busy
      const answer = await asked
      expect(answer.status).toBe(201)
      expect(await answer.json()).toMatchObject({ output: { ...alone.output, url: expect.any(String) } })
      expect(memory.used).toBe(0)
    } finally {
      await own.close()
    }
  })

  it('answers without waiting for a storage that does not even delete', async () => {
    let deleted = 0
    const silent: Backend = {
      ...backend,
      bytes: {
        ...backend.bytes,
        put: () => Promise.reject(new BackendUnavailableError('S3 did not answer PUT: it took too long')),
        delete() {
          deleted++
          return new Promise(() => undefined)
        },
      },
    }
    const init = { method: 'POST', headers: authorized, body: await png() }
    const answer = await app({ backend: silent }).request('/shrink', init)
    expect([answer.status, deleted, await answer.json()]).toEqual([
      503,
      1,
      { error: 'ServiceUnavailable', message: expect.stringContaining('own storage') },
    ])
  })

  it('a record that is damaged is a 500, and the log says what is wrong with it', async () => {
    const upload = await app().request('/shrink', { method: 'POST', headers: authorized, body: await png() })
    const target = new URL(upload.headers.get('location')!).pathname
    const damaged = app({ backend: { ...backend, records: { ...backend.records, find: findDamaged } } })
    const answer = await damaged.request(target, { headers: authorized })
    expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([500, 'InternalServerError'])
    expect(lines.some((line) => line.includes("'account' of the record"))).toBe(true)
  })

  it('an upload that could be kept by half leaves nothing of the other half', async () => {
    for (const missing of ['upload', 'output']) {
      const put: Backend['bytes']['put'] = (id, part, ...rest) =>
        part === missing
          ? Promise.reject(new BackendUnavailableError('no space left'))
          : backend.bytes.put(id, part, ...rest)
      const half: Backend = { ...backend, bytes: { ...backend.bytes, put } }
      const init = { method: 'POST', headers: authorized, body: await png() }
      expect((await app({ backend: half }).request('/shrink', init)).status).toBe(503)
      expect(await keptFiles(), missing).toEqual([])
    }
  })

  it('counts that cannot be read leave the rest of an answer alone', async () => {
    const broken = without('counts', 'read')
    const answer = await app({ backend: broken, accounting: createAccounting(broken.counts) }).request('/shrink', {
      method: 'POST',
      headers: authorized,
    })
    expect([answer.status, answer.headers.get('compression-count')]).toEqual([400, null])
  })

  it('is not ready while it drains or its storage is away', async () => {
    expect((await app().request('/readyz')).status).toBe(200)
    expect((await app({ draining: () => true }).request('/readyz')).status).toBe(503)
    const away: Backend = { ...backend, ready: () => Promise.reject(new BackendUnavailableError('away')) }
    expect((await app({ backend: away }).request('/readyz')).status).toBe(503)
    expect((await app({ backend: away }).request('/healthz')).status).toBe(200)
  })

  it('a bug is a 500 with nothing but the request’s id', async () => {
    const answer = await app({
      draining: () => {
        throw new TypeError('the secret')
      },
    }).request('/readyz')
    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toContain('secret')
    const line = lines
      .map((each) => JSON.parse(each) as Record<string, unknown>)
      .find(({ level }) => level === 'error')!
    expect(line).toMatchObject({ error: 'TypeError: the secret', request: answer.headers.get('x-request-id') })
  })
})
