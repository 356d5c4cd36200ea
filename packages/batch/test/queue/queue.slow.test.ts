import { randomBytes } from 'node:crypto'
import { PixpressError } from '@pixpress/core'
import { requireTool, startRedis, failure } from '@pixpress/testkit'
import type { RedisServer } from '@pixpress/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { connectQueue } from '../../src/queue/connect.ts'
import type { QueueConnection } from '../../src/queue/connect.ts'
import { parseJob } from '../../src/queue/job.ts'
import type { ChunkJob } from '../../src/queue/job.ts'
import { openChunkQueue } from '../../src/queue/offer.ts'
import { takeChunks } from '../../src/queue/take.ts'
import type { TakeOptions } from '../../src/queue/take.ts'

const installed = requireTool('redis-server') !== undefined

const jobsOf = (batch: string, count: number): ChunkJob[] =>
  Array.from({ length: count }, () => ({ to: '/out', batch, chunk: randomBytes(16).toString('hex') }))

describe('connectQueue', () => {
  it.each(['http://127.0.0.1', '127.0.0.1:6379', ''])("refuses '%s'", async (url) => {
    await expect(connectQueue(url, () => undefined)).rejects.toThrow('Expected redis://host:port or rediss://host:port')
  })

  it('says that nothing answers, without the password', async () => {
    const refused = await connectQueue('redis://:secret@127.0.0.1:1', () => undefined).catch((error: Error) => error)
    expect(refused).toMatchObject({ code: 'REMOTE_UNAVAILABLE', message: expect.stringContaining('ECONNREFUSED') })
  })
})

describe('parseJob', () => {
  it.each([undefined, 'text', {}, { to: '', batch: 'a', chunk: 'b' }, { to: '/', batch: '../..', chunk: 'x' }])(
    'refuses %j',
    (value) => {
      expect(() => parseJob(value)).toThrow(failure('Error', 'of the queue'))
    },
  )
})

describe.skipIf(!installed)('the queue in a real Redis', () => {
  let redis: RedisServer
  const connections: QueueConnection[] = []
  const stops: AbortController[] = []

  beforeAll(async () => {
    redis = await startRedis()
  })
  afterEach(async () => {
    for (const stop of stops.splice(0)) stop.abort()
    for (const connection of connections.splice(0)) connection.close()
    await redis.ask('FLUSHALL')
  })
  afterAll(() => redis?.stop())

  async function connect(onTrouble: (message: string) => void = () => undefined): Promise<QueueConnection> {
    const connection = await connectQueue(redis.url, onTrouble)
    connections.push(connection)
    return connection
  }

  /** Takes chunks until none is left. */
  async function takeAll(perform: TakeOptions['perform'], more: Partial<TakeOptions> = {}): Promise<void> {
    const stop = new AbortController()
    stops.push(stop)
    const settings = { signal: stop.signal, untilEmpty: true, onFailed: () => undefined, ...more }
    await takeChunks(await connect(), { perform, ...settings })
  }

  it('gives each chunk to one of several workers', async () => {
    const queue = openChunkQueue(await connect())
    const jobs = jobsOf('0'.repeat(16), 40)
    await queue.offer(jobs)
    await queue.offer(jobs)
    expect(await queue.pending()).toBe(40)
    const taken: string[] = []
    const perform = async ({ chunk }: ChunkJob): Promise<void> => void taken.push(chunk)
    await Promise.all([takeAll(perform), takeAll(perform)])
    expect(taken.sort()).toEqual(jobs.map(({ chunk }) => chunk).sort())
    await queue.close()
  })

  it('tries a chunk that failed again, and keeps the reason of one that fails for good', async () => {
    const queue = openChunkQueue(await connect())
    const [job] = jobsOf('1'.repeat(16), 1) as [ChunkJob]
    await queue.offer([job])
    const told: string[] = []
    const failing = takeAll(
      async () => {
        throw new Error(`The disk is full.`)
      },
      { onFailed: ({ message }) => void told.push(message) },
    )
    await expect.poll(() => told.length).toBe(1)
    expect(await queue.pending()).toBe(1)
    // The waits before further tries are over at once.
    const { bullmq, redis: client } = await connect()
    const own = new bullmq.Queue('chunks', { connection: client, prefix: 'pixpress-batch' })
    for (let tried = 1; tried < 5; tried++) {
      await expect.poll(async () => (await own.getDelayed()).length).toBe(1)
      await own.promoteJobs()
      await expect.poll(() => told.length).toBe(tried + 1)
    }
    await failing
    expect(await queue.failed(job.batch)).toEqual([
      { chunk: job.chunk, reason: expect.stringContaining('disk is full') },
    ])
    expect(await queue.failed('2'.repeat(16))).toEqual([])
    await queue.retryFailed(job.batch)
    const taken: string[] = []
    await takeAll(async ({ chunk }) => void taken.push(chunk))
    expect(taken).toEqual([job.chunk])
    expect(await queue.failed(job.batch)).toEqual([])
    await own.close()
    await queue.close()
  })

  it('gives a chunk back when its worker is stopped, to whoever is next', async () => {
    const queue = openChunkQueue(await connect())
    const [job] = jobsOf('3'.repeat(16), 1) as [ChunkJob]
    await queue.offer([job])
    const stop = new AbortController()
    let isBegun = false
    const stopped = takeAll(
      () => {
        isBegun = true
        return new Promise((_, reject) => stop.signal.addEventListener('abort', () => reject(new Error('stopped'))))
      },
      { signal: stop.signal },
    )
    await expect.poll(() => isBegun).toBe(true)
    stop.abort()
    await stopped
    const taken: string[] = []
    await takeAll(async ({ chunk }) => void taken.push(chunk))
    expect(taken).toEqual([job.chunk])
    await queue.close()
  })

  it('ends where its machine is unfit, and leaves the chunk to another one', async () => {
    const queue = openChunkQueue(await connect())
    const jobs = jobsOf('5'.repeat(16), 3)
    await queue.offer(jobs)
    let begun = 0
    const unfit = takeAll(async () => {
      begun++
      throw new PixpressError('MACHINE_UNFIT', 'The disk is full.')
    })
    await expect(unfit).rejects.toThrow(failure('MACHINE_UNFIT', 'disk is full'))
    expect(begun).toBe(1)
    const taken: string[] = []
    await takeAll(async ({ chunk }) => void taken.push(chunk))
    expect(taken.sort()).toEqual(jobs.map(({ chunk }) => chunk).sort())
    await queue.close()
  })

  it('goes on after Redis was started again', async () => {
    const told: string[] = []
    const queue = openChunkQueue(await connect((message) => told.push(message)))
    const jobs = jobsOf('4'.repeat(16), 6)
    await queue.offer(jobs)
    const taken: string[] = []
    const working = takeAll(async ({ chunk }) => {
      taken.push(chunk)
      if (taken.length === 3) {
        await redis.down()
        await redis.up()
      }
    })
    await working
    expect(new Set(taken)).toEqual(new Set(jobs.map(({ chunk }) => chunk)))
    expect(told.length).toBeGreaterThan(0)
    expect(told.join()).not.toContain('only-tests')
    await queue.close()
  })
})
