import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort, makeBucket, photo, requireTool, startRadosgw, startRedis } from '@pixpress/testkit'
import type { Radosgw, RedisServer } from '@pixpress/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startReplica } from './replica.ts'
import type { Replica } from './replica.ts'

const installed = (['redis-server', 'radosgw', 'ceph-osd'] as const).every((tool) => requireTool(tool) !== undefined)

const KEY = randomBytes(16).toString('hex')
const AUTHORIZATION = `Basic ${Buffer.from(`api:${KEY}`).toString('base64')}`

/** Rounds of what the scheduler of a busy machine may keep from happening in one of them. */
const MOST_BURSTS = 5

interface Upload {
  readonly status: number
  readonly count: number
  /** The bytes that are downloaded afterwards. */
  readonly result: Buffer
}

/** Uploads an image to one server, and downloads the result from another. */
async function upload(to: Replica, from: Replica, image: Buffer): Promise<Upload> {
  const headers = { authorization: AUTHORIZATION }
  const response = await fetch(`${to.url}/shrink`, { method: 'POST', headers, body: new Uint8Array(image) })
  await response.text()
  const location = response.headers.get('location')
  const count = Number(response.headers.get('compression-count'))
  if (location === null) return { status: response.status, count, result: Buffer.alloc(0) }
  const made = await fetch(`${from.url}${new URL(location).pathname}`, { headers })
  return { status: response.status, count, result: Buffer.from(await made.arrayBuffer()) }
}

const compressed = (replica: Replica): Promise<number> =>
  replica.metric('pixpress_compressions_total{operation="shrink"}')
const doneForOthers = (replica: Replica): Promise<number> => replica.metric('pixpress_shared_done_for_others_total')
const inWork = (replica: Replica): Promise<number> => replica.metric('pixpress_images_in_work')
const doneByOthers = (replica: Replica): Promise<number> => replica.metric('pixpress_shared_done_by_others_total')

/** Uploads like clients of the interface: once more after a 503, which answers work that ends while Redis is away. */
async function uploadAgain(to: Replica, image: Buffer): Promise<Upload> {
  const answer = await upload(to, to, image)
  if (answer.status !== 503) return answer
  await delay(3000)
  return upload(to, to, image)
}

/**
 * Begins uploads until one of some replicas is at work. Any idle replica may claim a ticket first, and a replica may be
 * done before it is asked, so that no single round is certain to show one at work.
 */
async function atWork<T>(
  some: readonly Replica[],
  begin: () => Promise<T>,
): Promise<{ readonly holder: Replica; readonly answers: Promise<T> }> {
  for (let round = 0; round < MOST_BURSTS; round++) {
    const answers = begin()
    const over = answers.then(
      () => 'over' as const,
      () => 'over' as const,
    )
    let seen: Replica | 'over' | undefined
    while (seen === undefined) seen = await Promise.race([over, busyOne(some)])
    if (seen !== 'over') return { holder: seen, answers }
    await answers
  }
  throw new Error(`None of ${some.length} replicas was seen at work.`)
}

/** The first of some replicas that works on an image. */
async function busyOne(some: readonly Replica[]): Promise<Replica | undefined> {
  for (const replica of some) if ((await inWork(replica)) === 1) return replica
  return undefined
}

describe.skipIf(!installed)('replicas that share a queue', () => {
  let redis: RedisServer
  let radosgw: Radosgw
  /** All of different pixels, so that no two have one result. */
  let images: Buffer[]
  /** The results of a server that shares nothing. */
  let expected: Buffer[]
  const replicas: Replica[] = []

  beforeAll(async () => {
    redis = await startRedis()
    radosgw = await startRadosgw()
    await makeBucket(radosgw, 'outputs')
    images = await Promise.all(Array.from({ length: 12 }, (_, seed) => photo(320, 240, seed + 1).jpeg(95)))
    const [alone] = await start(1, 'none')
    expected = await Promise.all(images.map(async (image) => (await upload(alone!, alone!, image)).result))
    await end()
  }, 180_000)
  afterEach(() => end())
  afterAll(async () => {
    await redis?.stop()
    await radosgw?.stop()
  })

  async function start(count: number, queue = '100'): Promise<Replica[]> {
    for (let started = 0; started < count; started++) {
      const all = ['--shared-queue', queue, '--concurrency', '1', '--rate', 'none', '--drain-delay', '1ms']
      const more = ['--metrics-port', String(await freePort())]
      replicas.push(
        await startReplica(await freePort(), [...all, ...more], {
          PIXPRESS_KEYS: `load=${KEY}`,
          PIXPRESS_REDIS_URL: redis.url,
          PIXPRESS_S3_URL: `${radosgw.endpoint}/outputs`,
          PIXPRESS_S3_ACCESS_KEY_ID: radosgw.accessKeyId,
          PIXPRESS_S3_SECRET_ACCESS_KEY: radosgw.secretAccessKey,
        }),
      )
    }
    return replicas.slice(-count)
  }

  async function end(): Promise<void> {
    for (const replica of replicas.splice(0)) {
      replica.kill('SIGKILL')
      await replica.exited
    }
  }

  /** All images to one server at once, each answered with 201, a count of its own and the bytes of a server alone. */
  async function burst(to: Replica, from: Replica = to): Promise<void> {
    const uploads = await Promise.all(images.map((image) => upload(to, from, image)))
    expect(uploads.map(({ status }) => status)).toEqual(images.map(() => 201))
    expect(new Set(uploads.map(({ count }) => count)).size).toBe(images.length)
    for (const [index, { result }] of uploads.entries()) expect(result.equals(expected[index]!)).toBe(true)
  }

  /** Counts the keys of work that is held, and of tickets that wait, in Redis. */
  function left(): Promise<string> {
    const count = "return #redis.call('KEYS','pixpress:work:*:lease:*')+#redis.call('KEYS','pixpress:work:*:waiting')"
    return redis.ask(`EVAL ${JSON.stringify(count)} 0`)
  }

  it('all work on what one of them has received, and give the bytes of a server alone', async () => {
    const [first, second, third] = (await start(3)) as [Replica, Replica, Replica]
    const shares = (): Promise<number[]> => Promise.all([second, third].map(doneForOthers))
    let bursts = 0
    // A machine that is busy otherwise may keep one of them from its share of a burst.
    do await burst(first, third)
    while (++bursts < MOST_BURSTS && (await shares()).includes(0))
    for (const share of await shares()) expect(share).toBeGreaterThan(0)
    const given = await doneByOthers(first)
    await expect.poll(async () => (await shares()).reduce((sum, share) => sum + share)).toBe(given)
    expect(given).toBeLessThan(images.length * bursts)
    expect(await compressed(first)).toBe(images.length * bursts)
    expect(await compressed(second)).toBe(0)
    await expect.poll(left).toBe(':0')
  })

  it('what a killed one had is done by another, and the client gets its answer', async () => {
    const [first, second, third] = (await start(3)) as [Replica, Replica, Replica]
    // Large enough to be at work when it is killed.
    const large = await photo(4800, 3200, 40).jpeg(95)
    const { holder: victim, answers } = await atWork([second, third], () =>
      Promise.all([upload(first, first, large), upload(first, first, large)]),
    )
    victim.kill('SIGKILL')
    expect(await victim.exited).toBeNull()
    const [one, other] = await answers
    expect([one.status, other.status]).toEqual([201, 201])
    expect(other.result.equals(one.result)).toBe(true)
    expect(Math.abs(one.count - other.count)).toBe(1)
    expect(await first.metric('pixpress_shared_taken_over_total')).toBe(1)
  })

  it('one that ends gives back or finishes what it has', async () => {
    const [first, second] = (await start(2)) as [Replica, Replica]
    const { answers: bursting } = await atWork([second], () => burst(first))
    second.kill('SIGTERM')
    expect(await second.exited).toBe(0)
    await bursting
    expect(await doneByOthers(first)).toBeGreaterThan(0)
    await expect.poll(left).toBe(':0')
  })

  it('an image that cannot be decoded is refused as by a server alone', async () => {
    const [first, second] = (await start(2)) as [Replica, Replica]
    const torn = (await photo(320, 240, 50).png()).subarray(0, 20_000)
    expect((await upload(first, first, torn)).status).toBe(400)
    const large = await photo(2400, 1600, 42).jpeg(95)
    let byOther = 0
    for (let round = 0; round < MOST_BURSTS && byOther === 0; round++) {
      const { holder, answers: busy } = await atWork([first, second], () => upload(first, first, large))
      const before = await doneForOthers(second)
      expect((await upload(first, first, torn)).status).toBe(400)
      expect((await busy).status).toBe(201)
      // Where the first had the large one, the torn one alone could be given away.
      if (holder === first) byOther = (await doneForOthers(second)) - before
    }
    expect(byOther).toBeGreaterThan(0)
  })

  it('one that is alone does everything itself', async () => {
    const [first] = (await start(1)) as [Replica]
    await burst(first)
    expect(await doneByOthers(first)).toBe(0)
  })

  it('does not lose what waits when Redis is away for a moment', async () => {
    const [first, second] = (await start(2)) as [Replica, Replica]
    const large = await photo(2400, 1600, 41).jpeg(95)
    const { answers } = await atWork([second], () =>
      Promise.all(Array.from({ length: 3 }, () => uploadAgain(first, large))),
    )
    await redis.down()
    await delay(500)
    await redis.up()
    expect((await answers).map(({ status }) => status)).toEqual([201, 201, 201])
  })
})
