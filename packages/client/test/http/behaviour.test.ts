import { getEventListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { photo, refuse, startImageService } from '@pixpress/testkit'
import type { ImageService, ScriptedAnswer } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../src/index.ts'
import type { Client, ClientOptions } from '../../src/index.ts'

let png: Buffer
const services: ImageService[] = []

beforeAll(async () => {
  png = await photo(96, 64).png()
})
afterAll(async () => {
  await Promise.all(services.map((service) => service.close()))
})

async function connect(
  options: Partial<ClientOptions> = {},
  ...script: ScriptedAnswer[]
): Promise<{ client: Client; service: ImageService }> {
  const service = await startImageService()
  services.push(service)
  service.script.push(...script)
  return { client: createClient({ key: 'test-key', endpoint: service.endpoint, ...options }), service }
}

const broken: ScriptedAnswer = (response) => void response.destroy()
const failing: ScriptedAnswer = (response) => refuse(response, 500, 'InternalServerError', 'Oops.')
const limited =
  (retryAfter?: string): ScriptedAnswer =>
  (response) => {
    if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter)
    refuse(response, 429, 'TooManyRequests', 'Slow down.')
  }
const silent: ScriptedAnswer = () => undefined

// Each test waits for real delays on a service of its own.
describe.concurrent('retries', () => {
  it.each([
    ['a 5xx answer', failing],
    ['a broken connection', broken],
    [
      'an answer cut off',
      ((response) => {
        response.writeHead(201, { 'Content-Length': 100, Location: '/output/1' })
        response.write('{', () => response.destroy())
      }) as ScriptedAnswer,
    ],
  ])('send an upload again after %s', async (_, answer) => {
    const { client, service } = await connect({}, answer)
    const began = performance.now()
    expect(await client.fromBuffer(png).upload()).toMatchObject({ compressionCount: 1 })
    expect(service.requests.map(({ body }) => body.length)).toEqual([png.length, png.length])
    expect(performance.now() - began).toBeGreaterThanOrEqual(495)
  })

  it('wait twice as long each time and end', async () => {
    const { client, service } = await connect({}, failing, failing, failing)
    const began = performance.now()
    await expect(client.fromBuffer(png).upload()).rejects.toMatchObject({ name: 'ServerError', status: 500 })
    expect(service.requests).toHaveLength(3)
    expect(performance.now() - began).toBeGreaterThanOrEqual(1490)
  })

  it('never follow 4xx answers', async () => {
    for (const status of [400, 401, 404, 413, 415, 422]) {
      const { client, service } = await connect({}, (response) => refuse(response, status, 'No', 'No.'))
      await expect(client.fromBuffer(png).upload()).rejects.toMatchObject({ status })
      expect(service.requests).toHaveLength(1)
    }
  })

  it('wait as long as a 429 asks for, in seconds', async () => {
    const { client, service } = await connect({ retries: 0 }, limited('1'))
    const began = performance.now()
    await client.fromBuffer(png).upload()
    expect(performance.now() - began).toBeGreaterThanOrEqual(990)
    expect(service.requests).toHaveLength(2)
  })

  it('wait as long as a 429 asks for, by date', async () => {
    const { client, service } = await connect({ retries: 0 }, limited(new Date(Date.now() + 2000).toUTCString()))
    await client.fromBuffer(png).upload()
    expect(service.requests).toHaveLength(2)
  })

  it('do not wait for a 429 that does not say how long, or too long', async () => {
    for (const [header, retryAfter] of [
      [undefined, undefined],
      ['3600', 3_600_000],
    ] as const) {
      const { client, service } = await connect({}, limited(header))
      const failed = client.fromBuffer(png).upload()
      await expect(failed).rejects.toMatchObject({ name: 'AccountError', status: 429, retryAfter })
      expect(service.requests).toHaveLength(1)
    }
  })

  it('wait for a service under a limit no longer in sum than allowed', async () => {
    const { client, service } = await connect({ maxWait: 1200 }, ...Array.from({ length: 5 }, () => limited('0')))
    await expect(client.fromBuffer(png).upload()).rejects.toMatchObject({ status: 429 })
    // 500 ms, then 1000 ms would be too much.
    expect(service.requests).toHaveLength(2)
  })

  it('obey a 503 that says when', async () => {
    const { client } = await connect({}, (response) => {
      response.setHeader('Retry-After', '1')
      refuse(response, 503, 'ServiceUnavailable', 'Busy.')
    })
    const began = performance.now()
    await client.fromBuffer(png).upload()
    expect(performance.now() - began).toBeGreaterThanOrEqual(990)
  })

  it('replace a kept connection that has ended, at once', async () => {
    const { client, service } = await connect({ retries: 0 })
    const source = client.fromBuffer(png)
    await source.upload()
    service.script.push(broken)
    expect((await source.toBuffer()).length).toBeGreaterThan(0)
    expect(service.requests).toHaveLength(3)
  })
})

describe.concurrent('every try is bounded', () => {
  it('in time', async () => {
    const { client } = await connect({ timeout: 200, retries: 0 }, (response) => {
      response.writeHead(201, { 'Content-Length': 1000 })
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    })
    await expect(client.fromBuffer(png).upload()).rejects.toMatchObject({
      name: 'ConnectionError',
      error: 'Timeout',
      message: expect.stringContaining('200 ms'),
    })
  })

  it('in silence', async () => {
    const { client } = await connect({ idleTimeout: 200, retries: 0 }, silent)
    await expect(client.fromBuffer(png).upload()).rejects.toMatchObject({
      error: 'Timeout',
      message: expect.stringContaining('200 ms'),
    })
  })

  it('in size, with and without a declared length', async () => {
    for (const headers of [{ 'Content-Length': 5000 }, {}]) {
      const { client, service } = await connect({ maxResponseSize: 4000 }, (response) => {
        response.writeHead(201, headers)
        response.end(Buffer.alloc(5000))
      })
      await expect(client.fromBuffer(png).upload()).rejects.toMatchObject({
        name: 'ConnectionError',
        error: 'AnswerTooLarge',
      })
      expect(service.requests).toHaveLength(1)
    }
  })

  it('when nobody listens', async () => {
    const service = await startImageService()
    await service.close()
    const client = createClient({ key: 'test-key', endpoint: service.endpoint, retries: 0 })
    await expect(client.fromBuffer(png).upload()).rejects.toMatchObject({
      name: 'ConnectionError',
      status: undefined,
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })
})

describe.concurrent('an abort', () => {
  const reason = new Error('enough')

  it('ends a request under way, with its reason', async () => {
    const { client } = await connect({}, silent)
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 50)
    await expect(client.shrink(png, { signal: controller.signal })).rejects.toBe(reason)
  })

  it('ends the wait before another try', async () => {
    const controller = new AbortController()
    const { client, service } = await connect({ signal: controller.signal }, limited('30'))
    const failed = expect(client.fromBuffer(png).result()).rejects.toBe(reason)
    await expect.poll(() => service.requests.length).toBe(1)
    controller.abort(reason)
    await failed
    expect(service.requests).toHaveLength(1)
  })

  it('is listened for no longer than a call takes, with its wait, its upload and its download', async () => {
    const { client } = await connect({ concurrency: 1 }, failing)
    const { signal } = new AbortController()
    const source = client.fromBuffer(png)
    await Promise.all([source.result({ signal }), source.result({ signal }), client.shrink(png, { signal })])
    await new Response(source.stream({ signal })).arrayBuffer()
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('ends requests that wait for their turn, and no others', async () => {
    const { client, service } = await connect({ concurrency: 1 }, async (response) => {
      await delay(100)
      refuse(response, 400, 'No', 'No.')
    })
    const controller = new AbortController()
    const first = client.shrink(png)
    const second = client.shrink(png, { signal: controller.signal })
    const third = client.shrink(png)
    controller.abort(reason)
    await expect(second).rejects.toBe(reason)
    await expect(first).rejects.toMatchObject({ status: 400 })
    expect(await third).toMatchObject({ compressionCount: 1 })
    expect(service.requests).toHaveLength(2)
  })

  it('of one branch leaves the upload to the others', async () => {
    const { client, service } = await connect()
    const source = client.fromBuffer(png)
    const controller = new AbortController()
    const given = source.resize({ method: 'scale', width: 20 }).result({ signal: controller.signal })
    const kept = source.resize({ method: 'scale', width: 30 }).result()
    controller.abort(reason)
    await expect(given).rejects.toBe(reason)
    expect(await kept).toMatchObject({ width: 30 })
    expect(service.requests).toHaveLength(2)
  })

  it('before the call sends nothing', async () => {
    const { client, service } = await connect()
    await expect(client.shrink(png, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    await expect(client.fromBuffer(png).result({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    await delay(50)
    expect(service.requests.filter(({ method }) => method === 'GET')).toEqual([])
  })
})

describe('concurrency', () => {
  it('is bounded, in the order of the calls', async () => {
    let open = 0
    let most = 0
    const order: string[] = []
    const count: ScriptedAnswer = async (response, { body }) => {
      most = Math.max(most, ++open)
      order.push(body.toString())
      await delay(10)
      open--
      response.writeHead(201, { Location: '/output/1' }).end('{}')
    }
    const { client } = await connect({ concurrency: 3 }, ...Array.from({ length: 12 }, () => count))
    const names = Array.from({ length: 12 }, (_, index) => `image ${String(index).padStart(2, '0')}`)
    await Promise.all(names.map((name) => client.shrink(Buffer.from(name))))
    expect(most).toBe(3)
    expect([...order].sort()).toEqual(names)
    expect(order.slice(0, 3).sort()).toEqual(names.slice(0, 3))
  })

  it('keeps connections for further requests', async () => {
    const { client, service } = await connect({ concurrency: 1 })
    const ports = new Set<number | undefined>()
    const answer: ScriptedAnswer = (response) => {
      ports.add(response.socket?.remotePort)
      response.writeHead(201, { Location: '/output/1' }).end('{}')
    }
    service.script.push(answer, answer, answer)
    for (let index = 0; index < 3; index++) await client.shrink(png)
    expect(ports.size).toBe(1)
    client.close()
  })
})
