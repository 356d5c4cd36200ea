import { randomBytes } from 'node:crypto'
import { requireTool, startRadosgw, startRedis } from '@pixpress/testkit'
import type { Radosgw, RedisServer } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSharedBackend } from '../../../src/storage/shared/redis-s3.ts'
import { BackendUnavailableError } from '../../../src/index.ts'
import type { Backend, BucketSettings, OutputRecord } from '../../../src/index.ts'
import { outputsBucket } from '../../support/bucket.ts'
import { CONTRACT_RATE, describeBackend, used } from '../storage.contract.ts'

const installed = (['redis-server', 'radosgw', 'ceph-osd'] as const).every((tool) => requireTool(tool) !== undefined)

const newId = (): string => randomBytes(16).toString('hex')
const record = (id: string, kept: number): OutputRecord => ({
  id,
  account: 'somebody',
  createdAt: Date.now(),
  expiresAt: Date.now() + kept,
  input: { type: 'image/png', size: 2 },
  output: { type: 'image/png', size: 1, width: 1, height: 1 },
})

describe.skipIf(!installed)('Redis and S3', () => {
  let redis: RedisServer
  let radosgw: Radosgw
  let bucket: BucketSettings

  beforeAll(async () => {
    redis = await startRedis()
    radosgw = await startRadosgw()
    bucket = await outputsBucket(radosgw)
  }, 120_000)
  afterAll(async () => {
    await redis?.stop()
    await radosgw?.stop()
  })

  const open = (more: Partial<BucketSettings> = {}): Promise<Backend> =>
    openSharedBackend({ redisUrl: redis.url, bucket: { ...bucket, ...more } })

  const openAt = (redisUrl: string): Promise<Backend> => openSharedBackend({ redisUrl, bucket })
  const secondsLeft = async (key: string): Promise<number> => Number((await redis.ask(`TTL ${key}`)).slice(1))

  describeBackend('many machines', async () => {
    const backend = await open()
    return { backend, close: () => backend.close() }
  })

  describe('openSharedBackend', () => {
    it('several count, limit the rate and find outputs together', async () => {
      const backends = await Promise.all([open(), open(), open()])
      const [one, two] = backends as [Backend, Backend, Backend]
      const account = newId()
      const counted = await Promise.all(
        Array.from({ length: 300 }, (_, i) => backends[i % 3]!.counts.increment(account, '2026-11', used(1), 250)),
      )
      const numbers = counted.filter((each) => each.counted).map(({ count }) => count)
      expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 250 }, (_, i) => i + 1))

      const started = performance.now()
      const taken = await Promise.all(
        Array.from({ length: 60 }, (_, i) => backends[i % 3]!.rate.take(account, CONTRACT_RATE)),
      )
      const refilled = Math.ceil((performance.now() - started) / CONTRACT_RATE.interval)
      const allowed = taken.filter((decision) => decision.allowed).length
      expect(allowed).toBeGreaterThanOrEqual(CONTRACT_RATE.burst)
      expect(allowed).toBeLessThanOrEqual(CONTRACT_RATE.burst + refilled)

      const id = newId()
      await one.bytes.put(id, 'output', Buffer.from('an image'), 'image/png')
      await one.records.create(record(id, 60_000))
      expect(await two.records.find(id)).toMatchObject({ id })
      expect(Buffer.from((await two.bytes.get(id, 'output'))!).toString()).toBe('an image')
      await Promise.all(backends.map((backend) => backend.close()))
    })

    it('lets Redis forget: records after their time, months after more than a year, rates after a pause', async () => {
      const backend = await open()
      const [id, account] = [newId(), newId()]
      await backend.records.create(record(id, 3_600_000))
      expect(await secondsLeft(`pixpress:output:${id}`)).toBeGreaterThan(3000)
      const brief = newId()
      await backend.records.create(record(brief, 30))
      await new Promise((resolve) => setTimeout(resolve, 60))
      expect(await backend.records.find(brief)).toBeUndefined()
      await backend.counts.increment(account, '2026-11', used(1), 10)
      const month = `pixpress:count:{${account}}:2026-11`
      expect(await secondsLeft(month)).toBeGreaterThan(366 * 86_400)
      expect(await redis.ask(`EXPIRE ${month} 1000`)).toBe(':1')
      await backend.counts.increment(account, '2026-11', used(1), 10)
      expect(await secondsLeft(month)).toBeLessThanOrEqual(1000)
      await backend.rate.take(account, CONTRACT_RATE)
      await new Promise((resolve) => setTimeout(resolve, CONTRACT_RATE.interval + 20))
      expect(await redis.ask(`EXISTS pixpress:rate:{${account}}`)).toBe(':0')
      expect(await backend.sweep(Date.now())).toBe(0)
      await backend.close()
    })

    it('does not lock an account out when the clock of Redis was set back', async () => {
      const backend = await open()
      const account = newId()
      const tomorrow = (Date.now() + 86_400_000) * 1000
      await redis.ask(`SET pixpress:rate:{${account}} ${tomorrow}`)
      const decision = await backend.rate.take(account, CONTRACT_RATE)
      expect(decision.allowed || decision.retryAfter).toBeCloseTo(CONTRACT_RATE.interval, 3)
      await backend.close()
    })

    it('keeps objects private', async () => {
      const backend = await open()
      const id = newId()
      await backend.bytes.put(id, 'upload', Buffer.from('private'), 'image/png')
      const response = await fetch(`${bucket.endpoint}/${bucket.bucket}/outputs/${id}/upload`)
      expect(response.status).toBe(403)
      await response.arrayBuffer()
      await backend.close()
    })

    it('an empty object is not a missing one', async () => {
      const backend = await open()
      const id = newId()
      await backend.bytes.put(id, 'upload', Buffer.alloc(0), 'image/png')
      expect((await backend.bytes.get(id, 'upload'))?.length).toBe(0)
      expect(await backend.bytes.get(id, 'output')).toBeUndefined()
      await backend.close()
    })

    it('is unavailable while Redis is away, counting nothing, and comes back by itself', async () => {
      const backend = await open()
      const account = newId()
      await backend.counts.increment(account, '2026-11', used(1), 10)
      const underWay = Array.from({ length: 20 }, () => backend.counts.increment(account, '2026-11', used(1), 1000))
      const settled = Promise.allSettled(underWay)
      await redis.down()
      const acknowledged = (await settled).filter(({ status }) => status === 'fulfilled').length
      for (const refused of [
        () => backend.counts.increment(account, '2026-11', used(1), 10),
        () => backend.counts.read(account, '2026-11'),
        () => backend.rate.take(account, CONTRACT_RATE),
        () => backend.records.create(record(newId(), 1000)),
        () => backend.records.find(newId()),
        () => backend.ready(),
      ])
        await expect(refused()).rejects.toThrow(BackendUnavailableError)

      await redis.up()
      await expect.poll(() => backend.ready().then(() => true)).toBe(true)
      // Nothing was sent a second time on the new connection.
      const count = await backend.counts.read(account, '2026-11')
      expect(count).toBeGreaterThanOrEqual(1 + acknowledged)
      expect(count).toBeLessThanOrEqual(21)
      expect(await backend.counts.increment(account, '2026-11', used(1), 1000)).toEqual({
        counted: true,
        count: count + 1,
      })
      expect((await backend.rate.take(account, CONTRACT_RATE)).allowed).toBe(true)
      await backend.close()
    })

    it('does not wait for a Redis that takes commands and never answers', async () => {
      const backend = await open()
      const account = newId()
      await backend.counts.increment(account, '2026-11', used(1), 10)
      redis.freeze()
      await expect(backend.counts.increment(account, '2026-11', used(1), 10)).rejects.toThrow(/timed out/)
      redis.thaw()
      const counted = (): Promise<number> => backend.counts.read(account, '2026-11').catch(() => 0)
      await expect.poll(counted).toBeGreaterThanOrEqual(1)
      expect(await backend.counts.read(account, '2026-11')).toBeLessThanOrEqual(2)
      await backend.close()
    })

    it('does not start with what cannot work, and says why without a secret', async () => {
      const wrong = 'not-the-secret-key'
      const cases: [() => Promise<Backend>, RegExp][] = [
        [() => open({ bucket: 'no-such-bucket' }), /S3 answered HEAD with 404/],
        [() => open({ secretAccessKey: wrong }), /S3 answered HEAD with 403/],
        [() => open({ endpoint: 'http://127.0.0.1:9' }), /S3 did not answer HEAD: /],
        [() => openAt(redis.url.replace(/:[^:@]+@/, `:${wrong}@`)), /Redis could not be reached: WRONGPASS/],
        [() => openAt('redis://127.0.0.1:9'), /Redis could not be reached: .*ECONNREFUSED/],
      ]
      for (const [opening, reason] of cases) {
        const error = await opening().catch((caught: unknown) => caught)
        expect(error).toBeInstanceOf(BackendUnavailableError)
        expect(String(error)).toMatch(reason)
        for (const secret of [wrong, bucket.secretAccessKey])
          expect(String((error as Error).stack)).not.toContain(secret)
      }
    })
  })
})
