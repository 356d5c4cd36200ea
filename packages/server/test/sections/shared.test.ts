import { requireTool, startRadosgw, startRedis } from '@pixpress/testkit'
import type { Radosgw, RedisServer } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GivenSettings } from '../../src/index.ts'
import { outputsBucket, sharedSettings } from '../support/bucket.ts'
import type { Answer } from '../support/http.ts'
import { makeImages } from '../support/images.ts'
import type { TestImages } from '../support/images.ts'
import { KEY, OTHER_KEY, basic, startTestServer } from '../support/server.ts'
import type { TestServer } from '../support/server.ts'

const installed = (['redis-server', 'radosgw', 'ceph-osd'] as const).every((tool) => requireTool(tool) !== undefined)

const path = ({ headers }: Answer): string => new URL(headers.location!).pathname
const count = ({ headers }: Answer): number => Number(headers['compression-count'])

describe.skipIf(!installed)('two servers that share Redis and a bucket', () => {
  let images: TestImages
  let redis: RedisServer
  let radosgw: Radosgw
  let one: TestServer
  let two: TestServer
  const servers: TestServer[] = []
  let shared: ReturnType<typeof sharedSettings>

  beforeAll(async () => {
    images = await makeImages()
    redis = await startRedis()
    radosgw = await startRadosgw()
    shared = sharedSettings(redis.url, await outputsBucket(radosgw))
    one = await start()
    two = await start()
  }, 120_000)
  afterAll(async () => {
    for (const server of servers) await server.stop()
    await redis?.stop()
    await radosgw?.stop()
  })

  async function start(given: GivenSettings = {}): Promise<TestServer> {
    const server = await startTestServer({ ...shared.given, ...given }, shared.env)
    servers.push(server)
    return server
  }

  const upload = (server: TestServer): Promise<Answer> => server.send('POST', '/shrink', { body: images.jpeg })

  it('what one compresses, the other delivers, changes and counts', async () => {
    const made = await upload(one)
    expect(made.status).toBe(201)
    const { output } = made.json<{ output: { size: number; type: string } }>()
    const delivered = await two.send('GET', path(made))
    expect([delivered.status, delivered.body.length]).toEqual([200, output.size])
    expect(delivered.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'image-width': '120',
      'image-height': '80',
    })
    expect(count(delivered)).toBe(count(made))
    const resized = await two.send('POST', path(made), {
      json: { resize: { method: 'fit', width: 60, height: 60 }, convert: { type: 'image/webp' } },
    })
    expect(resized.status).toBe(200)
    expect(resized.headers).toMatchObject({ 'content-type': 'image/webp', 'image-width': '60', 'image-height': '40' })
    expect(count(resized)).toBe(count(made) + 2)
    expect(count(await one.send('GET', path(made)))).toBe(count(made) + 2)
  })

  it("another account's output is a 404, on each of them", async () => {
    const made = await upload(one)
    for (const server of [one, two]) {
      const answer = await server.send('GET', path(made), { authorization: basic(OTHER_KEY) })
      expect([answer.status, answer.json().error]).toEqual([404, 'NotFound'])
    }
  })

  it('uploads at once on both are counted once each', async () => {
    const before = count(await one.send('POST', '/shrink'))
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => upload(i % 2 === 0 ? one : two)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201))
    expect(answers.map(count).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => before + 1 + i))
  })

  it('an output is gone after the retention time, for each of them', async () => {
    const brief = await start({ retention: '1s' })
    const made = await upload(brief)
    await new Promise((resolve) => setTimeout(resolve, 1050))
    for (const server of [brief, one]) expect((await server.send('GET', path(made))).status).toBe(404)
  })

  it('the monthly limit and the rate are those of the account, over all servers', async () => {
    const key = 'account-with-limits'
    const limited = { key, 'monthly-limit': '3', rate: '4/h' }
    const [first, second] = [await start(limited), await start(limited)]
    const ask = (server: TestServer): Promise<Answer> =>
      server.send('POST', '/shrink', { body: images.png, authorization: basic(key) })
    const answers = [await ask(first), await ask(second), await ask(first), await ask(second), await ask(first)]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 429, 429])
    expect(answers.map((answer) => answer.json().message)).toEqual([
      undefined,
      undefined,
      undefined,
      expect.stringContaining('of this month'),
      expect.stringContaining('Too many requests'),
    ])
    expect(Number(answers[4]!.headers['retry-after'])).toBeGreaterThan(800)
  })

  it('without Redis every request is a 503 that counts nothing, and all is well when it is back', async () => {
    const before = count(await one.send('POST', '/shrink'))
    await redis.down()
    for (const server of [one, two]) {
      const answer = await upload(server)
      expect([answer.status, answer.json().error, answer.headers['retry-after']]).toEqual([
        503,
        'ServiceUnavailable',
        '2',
      ])
      expect(answer.body.toString()).not.toContain('Redis')
      expect((await server.send('GET', '/readyz')).status).toBe(503)
      expect((await server.send('GET', '/healthz')).status).toBe(200)
    }
    await redis.up()
    for (const server of [one, two]) {
      await expect.poll(async () => (await server.send('GET', '/readyz')).status).toBe(200)
      expect((await upload(server)).status).toBe(201)
    }
    expect(count(await one.send('POST', '/shrink'))).toBe(before + 2)
  })

  it('no log line holds a key or a credential', () => {
    const written = JSON.stringify(servers.map((server) => server.log))
    for (const secret of [KEY, radosgw.secretAccessKey, new URL(redis.url).password]) {
      expect(written).not.toContain(secret)
    }
  })
})
