import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Backend, CacheEntryName, OutputRecord, RateSettings, StoredKey, Usage } from '../../src/index.ts'

/** A back end for the suite, with a rate limit; `close` also removes what it has kept. */
export interface OpenedBackend {
  readonly backend: Backend
  close(): Promise<void>
}

/** So many compressions, of no bytes unless they are given. */
export const used = (compressions: number, bytesIn = 0, bytesOut = 0): Usage => ({ compressions, bytesIn, bytesOut })

export const CONTRACT_RATE: RateSettings = { interval: 50, burst: 4 }

const account = (): string => `account-${randomBytes(4).toString('hex')}`
const newId = (): string => randomBytes(16).toString('hex')
const record = (id: string, now = Date.now()): OutputRecord => ({
  id,
  account: 'somebody',
  createdAt: now,
  expiresAt: now + 60_000,
  input: { type: 'image/png', size: 1000 },
  output: { type: 'image/png', size: 500, width: 20, height: 10 },
})

/** A key of an account, random unless its id is given. */
export function storedKey(of: string, more: Partial<StoredKey> = {}): StoredKey {
  const hash = randomBytes(32).toString('hex')
  return { id: hash.slice(0, 16), hash, account: of, prefix: 'abcdef', createdAt: 1_800_000_000_000, ...more }
}

async function contentOf(backend: Backend, name: CacheEntryName): Promise<Buffer | undefined> {
  const found = await backend.cache.stream(name)
  if (found === undefined) return undefined
  const bytes = Buffer.from(await new Response(found.body).arrayBuffer())
  expect(found.size).toBe(bytes.length)
  return bytes
}

/** Describes the promises of every backend; each implementation runs this suite against the real services. */
export function describeBackend(name: string, open: () => Promise<OpenedBackend>): void {
  describe(`the back end of ${name}`, () => {
    let opened: OpenedBackend
    let backend: Backend

    beforeAll(async () => {
      opened = await open()
      backend = opened.backend
    })
    afterAll(() => opened.close())

    it('is ready', async () => {
      await expect(backend.ready()).resolves.toBeUndefined()
    })

    describe('counts', () => {
      const unlimited = Number.POSITIVE_INFINITY

      it('start at 0 and add up, per account and month', async () => {
        const [one, other] = [account(), account()]
        expect(await backend.counts.read(one, '2026-11')).toBe(0)
        expect(await backend.counts.increment(one, '2026-11', used(1), unlimited)).toEqual({ counted: true, count: 1 })
        expect(await backend.counts.increment(one, '2026-11', used(3), unlimited)).toEqual({ counted: true, count: 4 })
        expect(await backend.counts.increment(one, '2026-12', used(1), unlimited)).toEqual({ counted: true, count: 1 })
        expect(await backend.counts.read(one, '2026-11')).toBe(4)
        expect(await backend.counts.read(other, '2026-11')).toBe(0)
      })

      it('never exceed the limit, and add nothing when they would', async () => {
        const one = account()
        expect(await backend.counts.increment(one, '2026-11', used(3), 2)).toEqual({ counted: false, count: 0 })
        expect(await backend.counts.increment(one, '2026-11', used(2), 3)).toEqual({ counted: true, count: 2 })
        expect(await backend.counts.increment(one, '2026-11', used(2), 3)).toEqual({ counted: false, count: 2 })
        expect(await backend.counts.increment(one, '2026-11', used(1), 3)).toEqual({ counted: true, count: 3 })
        expect(await backend.counts.increment(one, '2026-11', used(1), 3)).toEqual({ counted: false, count: 3 })
      })

      it('are exact when many count at once: every number is given once', async () => {
        const one = account()
        const counted = await Promise.all(
          Array.from({ length: 60 }, () => backend.counts.increment(one, '2026-11', used(1), 50)),
        )
        const numbers = counted.filter((each) => each.counted).map((each) => each.count)
        expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
      })
    })

    describe('use', () => {
      it('has the bytes beside the compressions, and nothing of what would exceed the limit', async () => {
        const one = account()
        expect(await backend.counts.usage(one, '2026-11')).toEqual(used(0))
        await backend.counts.increment(one, '2026-11', used(1, 3_000_000_000, 1_000_000_001), 3)
        await backend.counts.increment(one, '2026-11', used(2), 3)
        await backend.counts.increment(one, '2026-11', used(1, 50, 5), 3)
        await backend.counts.increment(one, '2026-12', used(1, 7, 6), 3)
        expect(await backend.counts.usage(one, '2026-11')).toEqual(used(3, 3_000_000_000, 1_000_000_001))
        expect(await backend.counts.usage(one, '2026-12')).toEqual(used(1, 7, 6))
      })
    })

    describe('keys', () => {
      it('are found by their ids as they were created, once', async () => {
        const full = storedKey(account(), {
          monthlyLimit: 500,
          rate: { interval: 100 / 3, burst: 3 },
          expiresAt: 1_900_000_000_000,
          operations: ['shrink', 'cache'],
        })
        const plain = storedKey(account(), { monthlyLimit: 'none', rate: 'none' })
        expect(await backend.keys.create(full)).toBe(true)
        expect(await backend.keys.create(plain)).toBe(true)
        expect(await backend.keys.create({ ...plain, id: full.id })).toBe(false)
        expect(await backend.keys.find(full.id)).toEqual(full)
        expect(await backend.keys.find(plain.id)).toEqual(plain)
        expect(await backend.keys.find('0123456789abcdef')).toBeUndefined()
        expect(await backend.keys.list({ account: plain.account, limit: 5 })).toEqual([plain])
      })

      it('change by parts: what is named is set or taken away, and the rest stays', async () => {
        const key = storedKey(account(), { monthlyLimit: 5, operations: ['shrink', 'store'], expiresAt: 7 })
        await backend.keys.create(key)
        const changes = { monthlyLimit: null, rate: { interval: 1, burst: 2 }, operations: ['resize'] } as const
        const { monthlyLimit: _, ...others } = key
        const changed = { ...others, rate: { interval: 1, burst: 2 }, operations: ['resize'] }
        expect(await backend.keys.change(key.id, changes)).toEqual(changed)
        expect(await backend.keys.find(key.id)).toEqual(changed)
        expect(await backend.keys.change(key.id, { rate: 'none', expiresAt: null })).toMatchObject({ rate: 'none' })
        expect(await backend.keys.find(key.id)).not.toHaveProperty('expiresAt')
        const unknown = storedKey(account())
        expect(await backend.keys.change(unknown.id, { revokedAt: 1 })).toBeUndefined()
        expect(await backend.keys.find(unknown.id)).toBeUndefined()
      })

      it('stay revoked when another command changes them at the same time', async () => {
        const keys = Array.from({ length: 10 }, () => storedKey(account()))
        for (const key of keys) await backend.keys.create(key)
        await Promise.all(
          keys.flatMap(({ id }) => [
            backend.keys.change(id, { monthlyLimit: 5 }),
            backend.keys.change(id, { revokedAt: 9 }),
            backend.keys.change(id, { rate: 'none' }),
          ]),
        )
        for (const key of keys) {
          expect(await backend.keys.find(key.id)).toEqual({ ...key, monthlyLimit: 5, revokedAt: 9, rate: 'none' })
        }
      })

      it('are listed in the order of account and id, in pages, and of one account alone', async () => {
        const start = account()
        const names = [`${start}-a`, `${start}-a.b`, `${start}-ab`]
        const keys = names.flatMap((each) => [storedKey(each), storedKey(each, { revokedAt: 3 })])
        for (const key of keys) await backend.keys.create(key)
        const inOrder = keys.toSorted((a, b) => (`${a.account} ${a.id}` < `${b.account} ${b.id}` ? -1 : 1))
        const listed: StoredKey[] = []
        let page: StoredKey[]
        do {
          page = await backend.keys.list({ after: listed.at(-1) ?? { account: start, id: '' }, limit: 4 })
          listed.push(...page)
        } while (page.length === 4 && listed.length < keys.length)
        expect(listed.slice(0, keys.length)).toEqual(inOrder)
        expect(await backend.keys.list({ account: names[0], limit: 10 })).toEqual(inOrder.slice(0, 2))
        expect(await backend.keys.list({ account: names[0], after: inOrder[0], limit: 10 })).toEqual([inOrder[1]])
        expect(await backend.keys.list({ account: start, limit: 10 })).toEqual([])
      })
    })

    describe('rate limit', () => {
      it('allows the burst, then one per interval, per account', async () => {
        const [one, other] = [account(), account()]
        const started = performance.now()
        const decisions = []
        for (let i = 0; i < 12; i++) decisions.push(await backend.rate.take(one, CONTRACT_RATE))
        const elapsed = performance.now() - started
        const allowed = decisions.filter((decision) => decision.allowed).length
        expect(allowed).toBeGreaterThanOrEqual(CONTRACT_RATE.burst)
        expect(allowed).toBeLessThanOrEqual(CONTRACT_RATE.burst + Math.ceil(elapsed / CONTRACT_RATE.interval))
        expect((await backend.rate.take(other, CONTRACT_RATE)).allowed).toBe(true)
      })

      it('a refused request may come again after the time it was told, and costs nothing', async () => {
        const one = account()
        let decision = await backend.rate.take(one, CONTRACT_RATE)
        while (decision.allowed) decision = await backend.rate.take(one, CONTRACT_RATE)
        expect(decision.retryAfter).toBeGreaterThan(0)
        expect(decision.retryAfter).toBeLessThanOrEqual(CONTRACT_RATE.interval)
        for (let i = 0; i < 5; i++) await backend.rate.take(one, CONTRACT_RATE)
        // Timers may fire a millisecond early.
        await new Promise((resolve) => setTimeout(resolve, CONTRACT_RATE.interval + 10))
        expect((await backend.rate.take(one, CONTRACT_RATE)).allowed).toBe(true)
      })

      it('holds the rate of each request, and none where there is none', async () => {
        const one = account()
        const hourly = { interval: 3_600_000, burst: 1 }
        expect((await backend.rate.take(one, hourly)).allowed).toBe(true)
        expect((await backend.rate.take(one, hourly)).allowed).toBe(false)
        expect((await backend.rate.take(one, undefined)).allowed).toBe(true)
        // A faster rate works off no more than its own burst, and not an hour.
        await expect.poll(async () => (await backend.rate.take(one, CONTRACT_RATE)).allowed).toBe(true)
      })
    })

    describe('outputs', () => {
      it('records are found as they were created', async () => {
        const created = record(newId())
        await backend.records.create(created)
        expect(await backend.records.find(created.id)).toEqual(created)
        expect(await backend.records.find(newId())).toBeUndefined()
      })

      it('bytes come back as they were put, at once and in pieces', async () => {
        const id = newId()
        const upload = randomBytes(300_000)
        const output = Buffer.from([0, 255, 1])
        await Promise.all([
          backend.bytes.put(id, 'upload', upload, 'image/png'),
          backend.bytes.put(id, 'output', output, 'image/png'),
        ])
        expect(Buffer.compare((await backend.bytes.get(id, 'upload'))!, upload)).toBe(0)
        expect([...(await backend.bytes.get(id, 'output'))!]).toEqual([0, 255, 1])
        const stream = await backend.bytes.stream(id, 'upload')
        expect(Buffer.compare(await new Response(stream).bytes(), upload)).toBe(0)
      })

      it('bytes that are not there are undefined, and can be deleted', async () => {
        const id = newId()
        expect(await backend.bytes.get(id, 'upload')).toBeUndefined()
        expect(await backend.bytes.stream(id, 'output')).toBeUndefined()
        await backend.bytes.delete(id)
        await backend.bytes.put(id, 'output', Buffer.from('x'), 'image/png')
        await backend.bytes.delete(id)
        expect(await backend.bytes.get(id, 'output')).toBeUndefined()
      })

      it('a stream can be left in the middle', async () => {
        const id = newId()
        await backend.bytes.put(id, 'output', randomBytes(1_000_000), 'image/png')
        const stream = await backend.bytes.stream(id, 'output')
        const reader = stream!.getReader()
        await reader.read()
        await reader.cancel()
        expect((await backend.bytes.get(id, 'output'))!.length).toBe(1_000_000)
      })
    })

    describe('results of builds', () => {
      const signer = '0123456789abcdef'
      const keys = Array.from({ length: 5 }, (_, index) => `${index}`.repeat(64))
      const nameOf = (one: string, key: string): CacheEntryName => ({ account: one, signer, key })

      it('come back as they were created, and are never replaced', async () => {
        const entry = nameOf(account(), keys[0]!)
        const bytes = randomBytes(200_000)
        expect(await backend.cache.has(entry)).toBe(false)
        expect(await contentOf(backend, entry)).toBeUndefined()
        expect(await backend.cache.create(entry, bytes)).toBe(true)
        expect(await backend.cache.has(entry)).toBe(true)
        expect(await backend.cache.create(entry, Buffer.from('other'))).toBe(false)
        expect((await contentOf(backend, entry))!.equals(bytes)).toBe(true)
      })

      it('are created once when many create one at the same time', async () => {
        const entry = nameOf(account(), keys[0]!)
        const texts = Array.from({ length: 8 }, (_, index) => `version ${index}`)
        const created = await Promise.all(texts.map((text) => backend.cache.create(entry, Buffer.from(text))))
        expect(created.filter(Boolean)).toHaveLength(1)
        expect((await contentOf(backend, entry))!.toString()).toBe(texts[created.indexOf(true)])
      })

      it('are kept apart by account and signing key', async () => {
        const entry = nameOf(account(), keys[0]!)
        await backend.cache.create(entry, Buffer.from('x'))
        expect(await backend.cache.has({ ...entry, account: account() })).toBe(false)
        expect(await backend.cache.has({ ...entry, signer: 'fedcba9876543210' })).toBe(false)
      })

      it('are listed in their order, in pages', async () => {
        const one = account()
        for (const key of keys.toReversed()) await backend.cache.create(nameOf(one, key), Buffer.from('x'))
        expect(await backend.cache.list({ account: one, signer }, undefined, 10)).toEqual(keys)
        expect(await backend.cache.list({ account: one, signer }, undefined, 2)).toEqual(keys.slice(0, 2))
        expect(await backend.cache.list({ account: one, signer }, keys[1], 2)).toEqual(keys.slice(2, 4))
        expect(await backend.cache.list({ account: account(), signer }, undefined, 10)).toEqual([])
      })
    })

    it('keeps what is delivered apart from results of builds', async () => {
      const entry: CacheEntryName = { account: account(), signer: '0123456789abcdef', key: 'a'.repeat(64) }
      expect(await backend.delivered.create(entry, Buffer.from('x'))).toBe(true)
      expect([await backend.delivered.has(entry), await backend.cache.has(entry)]).toEqual([true, false])
    })

    describe('leases', () => {
      const hour = 3_600_000

      it('are given to one of many who ask at the same time', async () => {
        const lease = newId()
        const owners = Array.from({ length: 16 }, newId)
        const given = await Promise.all(owners.map((owner) => backend.leases.acquire(lease, owner, hour)))
        expect(given.filter(Boolean)).toHaveLength(1)
        const holder = owners[given.indexOf(true)]!
        expect(await backend.leases.acquire(lease, holder, hour)).toBe(true)
        expect(await backend.leases.acquire(newId(), newId(), hour)).toBe(true)
      })

      it('are free again when their owner ends them, and nobody else does', async () => {
        const [lease, owner, other] = [newId(), newId(), newId()]
        expect(await backend.leases.acquire(lease, owner, hour)).toBe(true)
        await backend.leases.release(lease, other)
        expect(await backend.leases.acquire(lease, other, hour)).toBe(false)
        await backend.leases.release(lease, owner)
        expect(await backend.leases.acquire(lease, other, hour)).toBe(true)
      })

      it('are free again when their time is over, and not when it was prolonged', async () => {
        const [brief, long, owner, other] = [newId(), newId(), newId(), newId()]
        for (const lease of [brief, long]) expect(await backend.leases.acquire(lease, owner, 100)).toBe(true)
        await backend.leases.acquire(long, owner, hour)
        await expect.poll(() => backend.leases.acquire(brief, other, hour)).toBe(true)
        expect(await backend.leases.acquire(long, other, hour)).toBe(false)
      })
    })
  })
}
