import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { deliveryUrl } from '@pixpress/client/delivery'
import type { DeliveryOperations } from '@pixpress/client/delivery'
import { photo } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDelivery } from '../../src/delivery/index.ts'
import { createUploadMemory } from '../../src/http/upload-memory.ts'
import { BackendUnavailableError, createLog, resolveSettings } from '../../src/index.ts'
import type { Backend } from '../../src/index.ts'
import { createImageWork } from '../../src/routes/image-work.ts'
import type { ImageWork } from '../../src/routes/image-work.ts'
import { openLocalBackend } from '../../src/storage/local/local.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { NO_TRACING } from '../../src/telemetry/tracing.ts'
import { DELIVERY_KEY } from '../support/delivery.ts'

const HOUR = 3_600_000

let folder: string
let backend: Backend
let work: ImageWork
/** Milliseconds since 1970, as the servers have it. */
let now: number

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-time-'))
  backend = await openLocalBackend({ folder: path.join(folder, 'data'), cacheSize: 1e9 })
  work = createImageWork(resolveSettings({ sandbox: 'none' }))
  now = 1_800_000_000_000
  await writeFile(path.join(folder, 'a.png'), await photo(24, 16).png())
})
afterEach(async () => {
  await work.close()
  await backend.close()
  await rm(folder, { recursive: true, force: true })
})

interface Server {
  get(operations?: DeliveryOperations, source?: string): Promise<Response>
  /** Pictures that it has made, and taken from storage. */
  counts(): { made: number; storage: number; memory: number }
}

const away = (): Promise<never> => Promise.reject(new BackendUnavailableError('the bucket is away'))

/** A server with its own memory; all share the storage. */
function server(storage: Backend = backend): Server {
  const metrics = createMetrics()
  const given = { 'delivery-key': DELIVERY_KEY, 'delivery-source': `photos=${folder}`, 'delivery-max-age': '1h' }
  const settings = resolveSettings({ ...given, sandbox: 'none' })
  const app = createDelivery({
    settings: { ...settings, delivery: settings.delivery! },
    backend: storage,
    work,
    memory: createUploadMemory(1e8, 1),
    metrics,
    log: createLog(() => undefined),
    tracing: NO_TRACING,
    clock: () => now,
  })
  app.onError((error) => new Response(error.message, { status: (error as unknown as { status: number }).status }))
  const count = (from: string): number => {
    const text = metrics.render({
      queueLength: () => 0,
      working: () => 0,
      uploadBytes: () => 0,
      accounts: () => new Map(),
    })
    return Number(new RegExp(`^pixpress_delivered_total\\{from="${from}"\\} (\\d+)$`, 'm').exec(text)![1])
  }
  return {
    async get(operations = {}, source = 'photos/a.png') {
      return app.request(await deliveryUrl(source, operations, { endpoint: 'http://localhost', key: DELIVERY_KEY }))
    },
    counts: () => ({ made: count('made'), storage: count('storage'), memory: count('memory') }),
  }
}

const maxAge = (response: Response): number =>
  Number(/^public, max-age=(\d+)$/.exec(response.headers.get('cache-control')!)![1])

describe('a delivered picture', () => {
  it('may be kept until the moment at which its original is looked at again, by every server the same', async () => {
    const [one, two] = [server(), server()]
    const first = maxAge(await one.get())
    expect(first).toBeGreaterThan(0)
    expect(first).toBeLessThanOrEqual(3600)
    expect(maxAge(await two.get())).toBe(first)
    now += 1000
    expect(maxAge(await one.get())).toBe(first - 1)
    now += first * 1000
    expect(maxAge(await one.get())).toBeGreaterThanOrEqual(3599)
  })

  it('is not made again where its original is the same, and is where it has changed', async () => {
    const one = server()
    const before = await (await one.get()).arrayBuffer()
    await one.get()
    expect(one.counts()).toEqual({ made: 1, storage: 0, memory: 1 })
    now += HOUR
    await one.get()
    expect(one.counts()).toEqual({ made: 1, storage: 1, memory: 1 })
    await writeFile(path.join(folder, 'a.png'), await photo(24, 16, 2).png())
    const same = await (await one.get()).arrayBuffer()
    expect(Buffer.from(same).equals(Buffer.from(before))).toBe(true)
    now += HOUR
    const after = await (await one.get()).arrayBuffer()
    expect(Buffer.from(after).equals(Buffer.from(before))).toBe(false)
    expect(one.counts()).toMatchObject({ made: 2 })
  })

  it('is found by another server without its original', async () => {
    await server().get()
    await rm(path.join(folder, 'a.png'))
    const two = server()
    expect((await two.get()).status).toBe(200)
    expect(two.counts()).toEqual({ made: 0, storage: 1, memory: 0 })
  })

  it('is one picture for all URLs that mean the same', async () => {
    const one = server()
    const tags = [{ w: 12 }, { width: 12 }, { w: 12, v: 2 }, { w: 12, quality: 'high' }, { w: 12, quality: 80 }].map(
      async (operations) => (await one.get(operations)).headers.get('etag'),
    )
    expect(new Set(await Promise.all(tags)).size).toBe(1)
    expect(one.counts().made).toBe(1)
  })

  it('is not looked for again where only its answer is another one', async () => {
    const one = server()
    await one.get({ w: 12 })
    await one.get({ w: 12, download: 'a.png' })
    await one.get({ w: 12, expires: now / 1000 + 60 })
    await one.get({ w: 12, expires: now / 1000 + 61 })
    expect(one.counts()).toEqual({ made: 1, storage: 0, memory: 3 })
  })

  it('is made once for all who ask at the same time', async () => {
    const [one, two] = [server(), server()]
    const answers = await Promise.all(Array.from({ length: 20 }, (_, each) => (each % 2 === 0 ? one : two).get()))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(one.counts().made + two.counts().made).toBe(1)
  })

  it('is refused from the second on in which its URL expires, and no cache keeps it longer', async () => {
    const one = server()
    const expires = now / 1000 + 5
    expect(maxAge(await one.get({ expires }))).toBe(5)
    now += 4999
    expect(maxAge(await one.get({ expires }))).toBe(1)
    now += 1
    const refused = await one.get({ expires })
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('URL has expired')])
  })

  it('of an output lasts as long as that', async () => {
    const id = 'a'.repeat(32)
    const png = await photo(24, 16).png()
    await backend.bytes.put(id, 'upload', png, 'image/png')
    const info = { type: 'image/png', size: png.length }
    const output = { ...info, width: 24, height: 16 }
    const record = { id, account: 'a', createdAt: now, expiresAt: now + 10_000, input: info, output }
    await backend.records.create(record)
    const [one, two] = [server(), server()]
    for (const each of [one, two]) expect(maxAge(await each.get({}, `output/${id}`))).toBe(10)
    now += 10_000
    for (const each of [one, two]) expect((await each.get({}, `output/${id}`)).status).toBe(404)
  })

  it('that is missing is looked for again after ten seconds', async () => {
    const one = server()
    expect((await one.get({}, 'photos/late.png')).status).toBe(404)
    await writeFile(path.join(folder, 'late.png'), await photo(24, 16).png())
    now += 9999
    expect((await one.get({}, 'photos/late.png')).status).toBe(404)
    now += 1
    expect((await one.get({}, 'photos/late.png')).status).toBe(200)
  })

  it('is delivered while the storage is away', async () => {
    const one = server({
      ...backend,
      delivered: { create: away, has: away, stream: away, list: away },
      leases: { acquire: away, release: away },
    })
    expect((await one.get()).status).toBe(200)
    expect((await one.get()).status).toBe(200)
    expect(one.counts()).toEqual({ made: 1, storage: 0, memory: 1 })
  })

  it('that is damaged in the storage is made again', async () => {
    const { stream } = backend.delivered
    const damaged: Backend['delivered'] = {
      ...backend.delivered,
      async stream(name) {
        const found = await stream(name)
        if (found === undefined || name.signer.endsWith('2')) return found
        const bytes = await new Response(found.body as ConstructorParameters<typeof Response>[0]).bytes()
        bytes[bytes.length - 5]! ^= 1
        return { size: bytes.length, body: new Response(bytes).body! as ReadableStream<Uint8Array> }
      },
    }
    const first = await (await server().get()).arrayBuffer()
    const two = server({ ...backend, delivered: damaged })
    const second = await (await two.get()).arrayBuffer()
    expect(Buffer.from(second).equals(Buffer.from(first))).toBe(true)
    expect(two.counts().made).toBe(1)
  })
})
