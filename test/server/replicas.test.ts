import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort, makeBucket, requireTool, startHaproxy, startRadosgw, startRedis, until } from '@pixpress/testkit'
import type { Haproxy, Radosgw, RedisServer } from '@pixpress/testkit'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReplica } from './replica.ts'
import type { Replica } from './replica.ts'

const installed = (['redis-server', 'radosgw', 'ceph-osd', 'haproxy'] as const).every(
  (tool) => requireTool(tool) !== undefined,
)
const full = !['', '0', 'false', undefined].includes(process.env.CI)

const UPLOADS = full ? 3000 : 300

/** Milliseconds for all of them: several times what two idle processors take, so that no pace decides. */
const PATIENCE = 900_000
/** The uploads of the trials in which something is taken away. */
const UPLOADS_UNDER_STRESS = full ? 800 : 200
const CLIENTS = 32

const KEY = randomBytes(16).toString('hex')
const AUTHORIZATION = `Basic ${Buffer.from(`api:${KEY}`).toString('base64')}`

interface Acknowledged {
  readonly count: number
  readonly id: string
  readonly size: number
}

interface Load {
  readonly acknowledged: readonly Acknowledged[]
  /** Statuses that are not 201; 0 where there was no answer. */
  readonly failed: readonly number[]
}

/**
 * Each another one, of a size and kind that takes little time: 3.6 ms of a processor, where a lossless one of this size
 * takes 27 ms and a JPEG 14.
 */
async function image(): Promise<Buffer> {
  const raw = { width: 4, height: 4, channels: 3 } as const
  return sharp(randomBytes(4 * 4 * 3), { raw })
    .webp({ quality: 40 })
    .toBuffer()
}

async function upload(url: string): Promise<Acknowledged | number> {
  try {
    const headers = { authorization: AUTHORIZATION }
    const response = await fetch(`${url}/shrink`, { method: 'POST', headers, body: new Uint8Array(await image()) })
    const text = await response.text()
    if (response.status !== 201) return response.status
    const { output } = JSON.parse(text) as { output: { size: number; url: string } }
    const count = Number(response.headers.get('compression-count'))
    return { count, id: output.url.slice(-32), size: output.size }
  } catch {
    // The connection has broken: whether it was counted, nobody knows.
    return 0
  }
}

/**
 * Uploads from many clients at once, none of which tries anything twice.
 * @param more whether there is to be another one after so many
 */
async function load(
  url: string,
  more: (sent: number) => boolean,
  onAnswer: (answered: number) => void = () => undefined,
): Promise<Load> {
  const acknowledged: Acknowledged[] = []
  const failed: number[] = []
  let sent = 0
  const client = async (): Promise<void> => {
    while (more(sent)) {
      sent++
      const answer = await upload(url)
      if (typeof answer === 'number') failed.push(answer)
      else acknowledged.push(answer)
      onAnswer(acknowledged.length + failed.length)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return { acknowledged, failed }
}

const upTo =
  (uploads: number): ((sent: number) => boolean) =>
  (sent) =>
    sent < uploads

/** Until a server, or a server behind the balancer, takes requests. */
function ready(url: string): Promise<void> {
  const probe = async (): Promise<void> => {
    const { status } = await fetch(`${url}/readyz`)
    if (status !== 200) throw new Error(`It answers ${status}.`)
  }
  return until(url, probe, 120_000)
}

describe.skipIf(!installed)('two replicas behind haproxy, with Redis and S3', () => {
  let redis: RedisServer
  let radosgw: Radosgw
  let haproxy: Haproxy
  let ports: [number, number]
  const replicas: Replica[] = []

  beforeAll(async () => {
    redis = await startRedis()
    radosgw = await startRadosgw()
    await makeBucket(radosgw, 'outputs')
    ports = [await freePort(), await freePort()]
    replicas.push(await start(0), await start(1))
    haproxy = await startHaproxy(ports)
    await ready(haproxy.url)
  }, 120_000)
  afterAll(async () => {
    await haproxy?.stop()
    for (const replica of replicas) {
      replica.kill('SIGKILL')
      await replica.exited
    }
    await redis?.stop()
    await radosgw?.stop()
  })

  /** Everything is in the environment, and nothing on its own disk. */
  function start(index: 0 | 1): Promise<Replica> {
    return startReplica(ports[index], ['--drain-delay', '1s', '--rate', '100000/s'], {
      PIXPRESS_KEYS: `load=${KEY}`,
      PIXPRESS_REDIS_URL: redis.url,
      PIXPRESS_S3_URL: `${radosgw.endpoint}/outputs`,
      PIXPRESS_S3_ACCESS_KEY_ID: radosgw.accessKeyId,
      PIXPRESS_S3_SECRET_ACCESS_KEY: radosgw.secretAccessKey,
    })
  }

  /** Uploads answered with 201, by the logs of all replicas. */
  const logged = (): number => replicas.reduce((sum, { compressed }) => sum + compressed, 0)

  async function counted(): Promise<number> {
    const month = new Date().toISOString().slice(0, 7)
    const answer = await redis.ask(`GET pixpress:count:{load}:${month}`)
    return answer === '$-1' ? 0 : Number(answer)
  }

  /** Each output is there, whole; the number of its count is its own. */
  async function expectKept(acknowledged: readonly Acknowledged[]): Promise<void> {
    expect(new Set(acknowledged.map(({ count }) => count)).size).toBe(acknowledged.length)
    const left = [...acknowledged]
    const lost: string[] = []
    const client = async (): Promise<void> => {
      for (let output = left.pop(); output !== undefined; output = left.pop()) {
        const response = await fetch(`${haproxy.url}/output/${output.id}`, {
          headers: { authorization: AUTHORIZATION },
        })
        const { byteLength } = await response.arrayBuffer()
        if (response.status !== 200 || byteLength !== output.size) lost.push(`${response.status} ${output.id}`)
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
    expect(lost).toEqual([])
  }

  it(
    `${UPLOADS} uploads have ${UPLOADS} numbers, and Redis holds ${UPLOADS}`,
    async () => {
      // A count of an earlier attempt stays.
      const before = await counted()
      const loggedBefore = logged()
      const { acknowledged, failed } = await load(haproxy.url, upTo(UPLOADS))
      expect(failed).toEqual([])
      expect(acknowledged.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: UPLOADS }, (_, index) => before + index + 1),
      )
      expect(await counted()).toBe(before + UPLOADS)
      await expect.poll(() => logged() - loggedBefore).toBe(UPLOADS)
      for (const replica of replicas) expect(replica.compressed).toBeGreaterThan(UPLOADS / 4)
      await expectKept(acknowledged.slice(-200))
    },
    PATIENCE,
  )

  it('a replica that is killed loses nothing that was acknowledged', async () => {
    const before = await counted()
    const victim = replicas[0]!
    const { acknowledged, failed } = await load(haproxy.url, upTo(UPLOADS_UNDER_STRESS), (answered) => {
      if (answered === Math.floor(UPLOADS_UNDER_STRESS / 3)) victim.kill('SIGKILL')
    })
    expect(await victim.exited).toBeNull()
    // At most what the victim was at work on has failed; the other one has taken over.
    expect(failed.length).toBeLessThanOrEqual(CLIENTS)
    const added = (await counted()) - before
    expect(added).toBeGreaterThanOrEqual(acknowledged.length)
    expect(added).toBeLessThanOrEqual(acknowledged.length + failed.length)
    await expectKept(acknowledged)
    replicas[0] = await start(0)
  })

  it('without Redis nothing is answered with 201, and with it everything is again', async () => {
    const before = await counted()
    await redis.down()
    for (const url of [...ports.map((port) => `http://127.0.0.1:${port}`), haproxy.url]) {
      const { acknowledged, failed } = await load(url, upTo(50))
      expect(acknowledged).toEqual([])
      expect(new Set(failed)).toEqual(new Set([503]))
    }
    await redis.up()
    await ready(haproxy.url)
    for (const port of ports) await ready(`http://127.0.0.1:${port}`)
    expect(await counted()).toBe(before)
    const { acknowledged, failed } = await load(haproxy.url, upTo(100))
    expect(failed).toEqual([])
    expect(await counted()).toBe(before + acknowledged.length)
  })

  it('restarting one after the other loses no request', async () => {
    const before = await counted()
    let restarting = true
    const underLoad = load(haproxy.url, () => restarting)
    for (const index of [0, 1] as const) {
      const old = replicas[index]!
      old.kill('SIGTERM')
      expect(await old.exited).toBe(0)
      replicas[index] = await start(index)
      // Two checks of the balancer: it must know this one before the other one goes.
      await delay(1000)
    }
    restarting = false
    const { acknowledged, failed } = await underLoad
    expect(failed).toEqual([])
    expect(await counted()).toBe(before + acknowledged.length)
    for (const replica of replicas) expect(replica.compressed).toBeGreaterThan(0)
    await expectKept(acknowledged.slice(-200))
  })
})
