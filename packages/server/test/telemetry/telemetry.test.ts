import { failure } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseKey } from '../../src/index.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { sendRequest } from '../support/http.ts'
import { makeImages } from '../support/images.ts'
import type { TestImages } from '../support/images.ts'
import { KEY, basic, startTestServer } from '../support/server.ts'
import type { TestServer } from '../support/server.ts'

let server: TestServer
let images: TestImages

beforeAll(async () => {
  images = await makeImages()
  server = await startTestServer({ 'metrics-port': '0' })
})
afterAll(() => server.stop())

async function metrics(): Promise<Map<string, number>> {
  const answer = await sendRequest('GET', new URL(server.running.metricsUrl!))
  expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  const samples = new Map<string, number>()
  for (const line of answer.body.toString().split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [, name, value] = /^([a-z_]+(?:\{(?:[a-z]+="[^"]*",?)+\})?) ([\d.e+-]+)$/.exec(line)!
    samples.set(name!, Number(value))
  }
  return samples
}

const none = (): number => 0

describe('metrics', () => {
  it('count a duration in every bucket that it is not above', () => {
    const counted = createMetrics()
    counted.request('/usage', 'GET', 200, 0.25)
    const text = counted.render({ queueLength: none, working: none, uploadBytes: none, accounts: () => new Map() })
    const buckets = ['0.1', '0.25', '0.5', '+Inf'].map((le) => text.split(`le="${le}"} `)[1]![0])
    expect(buckets).toEqual(['0', '1', '1', '1'])
  })

  it('count requests by route and status, durations, bytes and compressions', async () => {
    const upload = await server.send('POST', '/shrink', { body: images.png })
    const resize = { method: 'scale', width: 9 }
    const json = { resize, convert: { type: 'image/webp' } }
    const answer = await server.send('POST', upload.headers.location!, { json })
    const refused = await server.send('POST', '/shrink', { authorization: basic('wrong') })
    const missing = await server.send('GET', '/some/strange/path')
    const samples = await metrics()
    const of = (name: string): number | undefined => samples.get(name)
    expect(of('pixpress_requests_total{method="POST",route="/shrink",status="201"}')).toBe(1)
    expect(of('pixpress_requests_total{method="POST",route="/shrink",status="401"}')).toBe(1)
    expect(of('pixpress_requests_total{method="GET",route="other",status="404"}')).toBe(1)
    expect(of('pixpress_request_duration_seconds_count{method="POST",route="/shrink"}')).toBe(2)
    expect(of('pixpress_request_duration_seconds_bucket{method="POST",route="/shrink",le="+Inf"}')).toBe(2)
    expect(of('pixpress_request_duration_seconds_bucket{method="POST",route="/shrink",le="60"}')).toBe(2)
    expect(of('pixpress_body_bytes_total{direction="in"}')).toBe(images.png.length + JSON.stringify(json).length)
    const sent = [upload, answer, refused, missing].reduce((sum, { body }) => sum + body.length, 0)
    expect(of('pixpress_body_bytes_total{direction="out"}')).toBe(sent)
    expect(
      ['shrink', 'resize', 'convert', 'store'].map((each) => of(`pixpress_compressions_total{operation="${each}"}`)),
    ).toEqual([1, 1, 1, 0])
    expect([of('pixpress_queue_length'), of('pixpress_images_in_work'), of('pixpress_upload_bytes')]).toEqual([0, 0, 0])
    const labels = `{account="${parseKey(KEY).account}"}`
    const counts = ['waiting', 'admitted_total', 'refused_total'].map((each) => of(`pixpress_account_${each}${labels}`))
    expect(counts).toEqual([0, 2, 0])
    expect([...samples.keys()].some((name) => name.includes('strange'))).toBe(false)
  })

  it('are on a port of their own', async () => {
    expect(new URL(server.running.metricsUrl!).port).not.toBe(new URL(server.url).port)
    expect((await server.send('GET', '/metrics')).status).toBe(404)
    const other = await sendRequest('GET', new URL('/', server.running.metricsUrl))
    expect(other.status).toBe(404)
    const post = await sendRequest('POST', new URL(server.running.metricsUrl!))
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  it('a taken port is only an error when it was asked for', async () => {
    const taken = new URL(server.running.metricsUrl!).port
    await expect(startTestServer({ 'metrics-port': taken })).rejects.toThrow(
      failure('IO_FAILED', 'program listens there'),
    )
  })
})

describe('log', () => {
  it('has a line per request with its id, and never a secret', async () => {
    const secret = 'wJalrXUtnFEMIsecret'
    const upload = await server.send('POST', '/shrink', { body: images.png, headers: { 'X-Request-Id': 'my-id.1' } })
    expect(upload.headers['x-request-id']).toBe('my-id.1')
    await server.send('POST', upload.headers.location!, {
      json: {
        store: { service: 's3', aws_access_key_id: 'a', aws_secret_access_key: secret, region: '', path: 'x/y' },
      },
    })
    await server.send('POST', '/shrink', { json: { source: { url: `http://10.0.0.1/?token=${secret}` } } })
    const line = server.log.find(({ request }) => request === 'my-id.1')!
    expect(line).toMatchObject({
      level: 'info',
      event: 'request',
      method: 'POST',
      route: '/shrink',
      status: 201,
      bytesIn: images.png.length,
      count: expect.any(Number),
      account: expect.stringMatching(/^key-/),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
    const text = JSON.stringify(server.log)
    expect(text).not.toContain(secret)
    expect(text).not.toContain(KEY)
    expect(text).not.toContain(basic(KEY).slice(6))
  })

  it('does not take over an id that could forge lines', async () => {
    const answer = await server.send('GET', '/healthz', { headers: { 'X-Request-Id': 'a"b c' } })
    expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
  })

  it('probes are not logged while all is well', async () => {
    const before = server.log.length
    await server.send('GET', '/healthz')
    await server.send('GET', '/readyz')
    expect(server.log.length).toBe(before)
  })
})
