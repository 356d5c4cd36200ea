import { randomBytes } from 'node:crypto'
import { photo, requireTool, startRedis } from '@pixpress/testkit'
import type { RedisServer } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NO_COST } from '../../src/admission/cost.ts'
import type { Log } from '../../src/index.ts'
import { createUploadMemory } from '../../src/http/upload-memory.ts'
import { createImageWork } from '../../src/routes/image-work.ts'
import type { ImageWork } from '../../src/routes/image-work.ts'
import { resolveSettings } from '../../src/settings/settings.ts'
import { createSharedWork } from '../../src/routes/shared-work.ts'
import { workForOthers } from '../../src/routes/work-for-others.ts'
import type { WorkForOthers } from '../../src/routes/work-for-others.ts'
import { connectRedis } from '../../src/storage/shared/redis-connection.ts'
import { openRedisWork } from '../../src/storage/shared/redis-work.ts'
import type { RedisWork } from '../../src/storage/shared/redis-work.ts'
import { NO_TRACING } from '../../src/telemetry/tracing.ts'
import type { WorkTicket } from '../../src/index.ts'

const newId = (): string => randomBytes(16).toString('hex')

const ignore = (): void => undefined
const nothing = async (): Promise<undefined> => undefined
const PATIENT = { account: 'shop', cost: NO_COST, patient: true }
const LOG: Log = { info: ignore, warn: ignore, error: ignore }

describe.skipIf(requireTool('redis-server') === undefined)('work that servers share', () => {
  let redis: RedisServer
  let work: ImageWork
  let group: string
  let one: RedisWork
  let two: RedisWork
  let others: WorkForOthers
  const ends: (() => Promise<unknown>)[] = []

  beforeEach(async () => {
    redis = await startRedis()
    ends.push(() => redis.stop())
    group = newId()
    ;[one, two] = [await open(), await open()]
    work = createImageWork({ ...resolveSettings(), concurrency: 1, queue: 9, sandbox: 'none' })
    ends.push(() => work.close())
    const bytes = { put: nothing, get: nothing, stream: nothing, delete: nothing }
    others = workForOthers({ work, backend: { queue: one, bytes }, room: () => ignore, log: LOG, tracing: NO_TRACING })
    ends.push(() => others.close(1000))
  })
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  })

  async function open(): Promise<RedisWork> {
    const connection = await connectRedis(redis.url)
    const opened = await openRedisWork(connection, redis.url, { group, length: 9 })
    ends.push(async () => {
      await opened.close()
      await connection.close()
    })
    return opened
  }

  it('lets others see the ticket of its own server that it has taken while that one is busy', async () => {
    others.start()
    await expect.poll(() => redis.ask('CLIENT LIST')).toContain('cmd=blpop')
    let end: () => void = ignore
    const busy = work.turn(() => new Promise<void>((resolve) => (end = resolve)), PATIENT)
    const ticket: WorkTicket = { job: newId(), server: one.server, id: newId(), size: 100 }
    await one.offer(ticket)
    await expect.poll(() => two.take()).toEqual(ticket)
    expect(await two.claim(ticket)).toBe(true)
    end()
    await busy
  })

  it('drops a ticket without a size, says so in the log, and goes on with the next', async () => {
    const memory = createUploadMemory(1e6, 0)
    const upload = await photo(60, 40).jpeg(95)
    const kept = new Map([['upload', upload]])
    const bytes = {
      put: async (_id: string, part: string, made: Uint8Array) => void kept.set(part, Buffer.from(made)),
      get: async () => kept.get('upload'),
      stream: nothing,
      delete: nothing,
    }
    const warnings: unknown[] = []
    const log: Log = { ...LOG, warn: (event, fields) => void warnings.push({ event, ...fields }) }
    const room = (size: number): (() => void) => {
      const share = memory.open('others')
      share.take(size)
      return share.release
    }
    const worker = workForOthers({ work, backend: { queue: one, bytes }, room, log, tracing: NO_TRACING })
    ends.push(() => worker.close(1000))
    const connection = await connectRedis(redis.url)
    ends.push(() => connection.close())
    const ticket: WorkTicket = { job: newId(), server: two.server, id: newId(), size: upload.length }
    const { size: _, ...withoutSize } = ticket
    await connection.redis.rpush(`pixpress:work:${group}:waiting`, JSON.stringify(withoutSize))
    worker.start()
    await expect.poll(() => warnings).toMatchObject([{ event: 'the shared queue failed' }])
    expect(JSON.stringify(warnings)).toContain("'size' of a ticket")
    await two.offer(ticket)
    await expect
      .poll(() => two.answered(), { timeout: 20_000 })
      .toMatchObject({ job: ticket.job, outcome: { info: {} } })
    await expect.poll(() => memory.used).toBe(0)
    expect(kept.has('output')).toBe(true)
  })

  it('keeps no ticket of its own server that is at work there', async () => {
    others.start()
    const ticket: WorkTicket = { job: newId(), server: one.server, id: newId(), size: 100 }
    await one.offer(ticket)
    await work.turn(async () => void (await one.claim(ticket)), PATIENT)
    expect(await two.take()).toBeUndefined()
    expect(await one.check([ticket])).toEqual(['held'])
  })

  it('is counted as taken over where its own server goes on with what a lost one had', async () => {
    const shared = createSharedWork(work, one, { maxWait: 600_000, log: LOG, tracing: NO_TRACING })
    ends.push(async () => shared.close())
    let end: () => void = ignore
    const busy = work.turn(() => new Promise<void>((resolve) => (end = resolve)), PATIENT)
    const made = shared.compress(newId(), await photo(60, 40).jpeg(95), NO_COST, {
      account: 'shop',
      assertWanted: ignore,
    })
    let ticket: WorkTicket | undefined
    while (ticket === undefined) ticket = await two.take()
    expect(await two.claim(ticket)).toBe(true)
    await expect.poll(() => shared.waiting).toBe(0)
    // This is what the end of a lease does.
    await redis.ask(`DEL pixpress:work:${group}:lease:${ticket.job}`)
    end()
    await busy
    expect((await made).info.type).toBe('image/jpeg')
    expect(shared.takenOver).toBe(1)
  })
})
