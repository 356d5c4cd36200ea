import { engineContract, photo, refuse, startImageService, transparentGraphic } from '@pixpress/testkit'
import type { ImageService, ImageServiceOptions, ScriptedAnswer } from '@pixpress/testkit'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../../client/src/index.ts'
import { createMemoryCache } from '../../src/cache/memory-store.ts'
import { createOptimizer } from '../../src/optimizer.ts'
import type { Optimizer } from '../../src/optimizer.ts'
import { createRemoteEngine } from '../../src/remote/engine.ts'
import type { RemoteEngine, RemoteEngineOptions } from '../../src/remote/engine.ts'

const openedServices: ImageService[] = []

function engineFor(
  { endpoint }: Pick<ImageService, 'endpoint'>,
  keys: readonly string[] = ['test-key'],
  options: Partial<RemoteEngineOptions> = {},
): RemoteEngine {
  const open = async () =>
    keys.map((key) => ({ name: key, client: createClient({ key, endpoint, retries: 0, timeout: 5000 }) }))
  return createRemoteEngine({ endpoint, open, ...options })
}

engineContract('A service', async () => {
  const service = await startImageService()
  const engine = engineFor(service)
  return {
    engine,
    async cleanup() {
      await service.close()
      // What this machine did instead would pass as well: only the two that are refused may have come to that.
      const { images, fallbacks } = (await engine.endBuild())!
      expect(images).toBeGreaterThan(20)
      expect(fallbacks).toEqual({ local: 2, original: 0 })
    },
  }
})

let png: Buffer
let others: Buffer[]

beforeAll(async () => {
  png = await photo(96, 64).png()
  others = await Promise.all([2, 3, 4, 5, 6, 7].map((seed) => photo(48, 32, seed).png()))
})
afterEach(async () => {
  await Promise.all(openedServices.splice(0).map((service) => service.close()))
})

interface Setting {
  readonly service: ImageService
  readonly engine: RemoteEngine
  readonly optimizer: Optimizer
  readonly warnings: string[]
}

async function start(
  options: Partial<RemoteEngineOptions> & { keys?: readonly string[]; service?: ImageServiceOptions } = {},
  ...script: ScriptedAnswer[]
): Promise<Setting> {
  const { keys, service: serviceOptions, ...engineOptions } = options
  const service = await startImageService(serviceOptions)
  openedServices.push(service)
  service.script.push(...script)
  const warnings: string[] = []
  const onWarning = (message: string): void => void warnings.push(message)
  const engine = engineFor(service, keys, { onWarning, ...engineOptions })
  return { service, engine, optimizer: createOptimizer({ engine, cache: createMemoryCache() }), warnings }
}

const requestsOf = ({ service }: Setting): string[] => service.requests.map(({ method, path }) => `${method} ${path}`)
const away: ScriptedAnswer = (response) => refuse(response, 503, 'ServiceUnavailable', 'Away.')

const send =
  (type: string, data: Uint8Array): ScriptedAnswer =>
  (response) =>
    void response.writeHead(200, { 'Content-Type': type, 'Content-Length': data.length }).end(data)
const upload: ScriptedAnswer = (response) => void response.writeHead(201, { Location: '/output/1' }).end('{}')

describe('requests', () => {
  it('upload an image once and ask for each variant in one request', async () => {
    const setting = await start()
    const { optimizer, engine } = setting
    const sizes = [20, 30, 40]
    const results = await Promise.all(
      sizes.map((width) =>
        optimizer.optimize(png, {
          resize: { method: 'scale', width },
          convert: { type: 'image/webp' },
          transform: { background: '#FFFFFF' },
          preserve: ['location'],
        }),
      ),
    )
    expect(results.map(({ info }) => info.width)).toEqual(sizes)
    expect(requestsOf(setting).sort()).toEqual(['POST /output/1', 'POST /output/1', 'POST /output/1', 'POST /shrink'])
    const bodies = setting.service.requests.slice(1).map(({ body }) => JSON.parse(body.toString()) as object)
    expect(bodies).toContainEqual({
      resize: { method: 'scale', width: 30 },
      convert: { type: 'image/webp' },
      transform: { background: '#ffffff' },
      preserve: ['location'],
    })
    expect(await engine.endBuild()).toMatchObject({ compressions: 7, images: 3, keys: [{ month: 7, compressions: 7 }] })
  })

  it('cost one compression where an image is only compressed', async () => {
    const setting = await start()
    await setting.optimizer.optimize(png, { quality: 'small' })
    expect(requestsOf(setting)).toEqual(['POST /shrink', 'GET /output/1'])
    expect(await setting.engine.endBuild()).toMatchObject({ compressions: 1, images: 1 })
  })

  it('let an image of a list stay in its own type', async () => {
    const setting = await start()
    await setting.optimizer.optimize(png, { convert: { type: ['image/avif'] } })
    const body = JSON.parse(setting.service.requests[1]!.body.toString()) as object
    expect(body).toEqual({ convert: { type: ['image/avif', 'image/png'] } })
  })

  it('upload again what the service has forgotten', async () => {
    const setting = await start()
    const { optimizer, service } = setting
    await optimizer.optimize(png, { resize: { method: 'scale', width: 20 } })
    service.forgetOutputs()
    expect(await optimizer.optimize(png, { resize: { method: 'scale', width: 30 } })).toMatchObject({
      info: { width: 30 },
    })
    expect(requestsOf(setting)).toEqual([
      'POST /shrink',
      'POST /output/1',
      'POST /output/1',
      'POST /shrink',
      'POST /output/1',
    ])
  })

  it('are not made for what the interface does not take', async () => {
    const setting = await start()
    await setting.optimizer.optimize(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'))
    expect(requestsOf(setting)).toEqual([])
    expect(await setting.engine.endBuild()).toBeUndefined()
  })
})

describe('the key', () => {
  it('holds the endpoint, and neither the account nor what local results have', async () => {
    const [one, other, another] = ['https://a.example', 'https://A.example/', 'https://b.example'].map(
      (endpoint, index) => createOptimizer({ engine: engineFor({ endpoint }, [`key-${index}`]) }).plan(png),
    )
    expect(one!.key).toBe(other!.key)
    expect(new Set([one!.key, another!.key, createOptimizer().plan(png).key]).size).toBe(3)
  })
})

describe('the cache', () => {
  it('knows that a service decides over quality itself', async () => {
    const { optimizer, engine } = await start()
    const first = await optimizer.optimize(png, { quality: 'high' })
    const other = await optimizer.optimize(png, { quality: 'small', effort: 'max', maxBytes: 500 })
    expect(other).toMatchObject({ cached: true, info: first.info })
    expect(other.key).not.toBe(first.key)
    expect(await engine.endBuild()).toMatchObject({ compressions: 1, images: 1 })
  })

  it('is not said to save what the same build has made or saved before', async () => {
    const { optimizer, engine } = await start()
    for (let round = 0; round < 3; round++) await optimizer.optimize(png)
    expect(await engine.endBuild()).toMatchObject({ compressions: 1, images: 1, saved: 0 })
    for (let round = 0; round < 3; round++) await optimizer.optimize(png)
    expect(await engine.endBuild()).toMatchObject({ compressions: 0, images: 0, saved: 1 })
    await engine.endBuild()
    expect(await engine.endBuild()).toBeUndefined()
  })

  it('counts an image once that had to be done here, however often it was needed', async () => {
    const { optimizer, engine } = await start({}, away, away)
    for (let round = 0; round < 2; round++) await optimizer.optimize(png)
    expect(await engine.endBuild()).toMatchObject({ images: 0, fallbacks: { local: 1, original: 0 } })
  })

  it('saves compressions and says how many', async () => {
    const { optimizer, engine, service } = await start()
    const operations = { resize: { method: 'scale', width: 20 } } as const
    await optimizer.optimize(png, operations)
    await optimizer.optimize(png)
    await engine.endBuild()
    for (const each of [operations, {}]) expect(await optimizer.optimize(png, each)).toMatchObject({ cached: true })
    expect(await engine.endBuild()).toMatchObject({ compressions: 0, saved: 2, images: 0 })
    expect(service.counts.get('test-key')).toBe(2)
  })

  it('does not take what this machine did instead for the work of the service', async () => {
    const { optimizer, engine, service } = await start({}, away)
    const instead = await optimizer.optimize(png)
    expect(instead.info.size).toBeLessThan(png.length)
    expect(await engine.endBuild()).toMatchObject({ compressions: 0, images: 0, fallbacks: { local: 1, original: 0 } })
    const caughtUp = await optimizer.optimize(png)
    expect(caughtUp).toMatchObject({ cached: false, key: instead.key })
    expect(await engine.endBuild()).toMatchObject({ compressions: 1, images: 1, fallbacks: { local: 0 } })
    expect(await optimizer.optimize(png)).toMatchObject({ cached: true })
    expect(service.requests).toHaveLength(3)
  })

  it('still spares this machine from doing it twice', async () => {
    const { optimizer } = await start({}, away, away)
    expect(await optimizer.optimize(png)).toMatchObject({ cached: false })
    expect(await optimizer.optimize(png)).toMatchObject({ cached: true })
  })
})

describe('remembered results', () => {
  it('are not sent again when they come back as an input', async () => {
    const service = await startImageService()
    openedServices.push(service)
    const cache = createMemoryCache()
    const optimizer = createOptimizer({ engine: engineFor(service), cache, rememberResults: true })
    const { data } = await optimizer.optimize(png)
    expect(await optimizer.optimize(data)).toMatchObject({ cached: true, kept: 'input' })
    expect(service.requests).toHaveLength(2)
  })
})

describe('limits', () => {
  it('of a build hold under concurrency, and the next build goes on', async () => {
    const { optimizer, engine, service, warnings } = await start({ limit: { build: 4 } })
    const results = await Promise.all(others.map((image) => optimizer.optimize(image)))
    expect(results.every(({ info, input }) => info.size < input.size)).toBe(true)
    expect(service.counts.get('test-key')).toBe(4)
    expect(warnings).toEqual([
      `The image service at ${service.endpoint} is not used: the limit of 4 compressions for a build is reached. ` +
        'Images are compressed on this machine instead, and the next build asks again.',
    ])
    expect(await engine.endBuild()).toMatchObject({
      compressions: 4,
      images: 4,
      fallbacks: { local: 2, original: 0 },
      reasons: ['the limit of 4 compressions for a build is reached'],
      left: 0,
    })
    await Promise.all(others.map((image) => optimizer.optimize(image)))
    expect(await engine.endBuild()).toMatchObject({ compressions: 2, saved: 4, left: 2 })
  })

  it('are not used up by what failed', async () => {
    const { optimizer, engine } = await start({ limit: { build: 1 } }, away)
    for (const image of others) await optimizer.optimize(image)
    expect(await engine.endBuild()).toMatchObject({ compressions: 1, images: 1, left: 0 })
  })

  it('of a month count what others have used', async () => {
    const { optimizer, engine, service } = await start({ limit: { month: 5 } })
    const elsewhere = createClient({ key: 'test-key', endpoint: service.endpoint })
    for (const image of others.slice(0, 3)) await elsewhere.shrink(image)
    await Promise.all(others.map((image) => optimizer.optimize(image)))
    expect(service.counts.get('test-key')).toBe(5)
    expect(await engine.endBuild()).toMatchObject({ compressions: 2, keys: [{ month: 5, limit: 5, compressions: 2 }] })
  })

  it('that the service sets are reached once', async () => {
    const { optimizer, service, warnings } = await start({ service: { quota: 2 }, concurrency: 1 })
    for (const image of others) await optimizer.optimize(image)
    expect(service.requests.filter(({ path }) => path === '/shrink')).toHaveLength(3)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('The monthly limit is reached (HTTP 429/TooManyRequests)')
  })

  it('of one key make way for the next', async () => {
    const keys = ['first', 'second']
    const { optimizer, engine, service } = await start({ keys, service: { keys, quota: 3 }, concurrency: 1 })
    for (const image of others) await optimizer.optimize(image)
    expect([...service.counts]).toEqual([
      ['first', 3],
      ['second', 3],
    ])
    expect(await engine.endBuild()).toMatchObject({
      compressions: 6,
      fallbacks: { local: 0 },
      keys: [
        { key: 'first', compressions: 3, month: 3 },
        { key: 'second', compressions: 3, month: 3 },
      ],
    })
  })

  it('of one key leave uploads made with another', async () => {
    const keys = ['first', 'second']
    const { optimizer, service } = await start({ keys, service: { keys, quota: 2 } })
    const widths = [20, 30, 40]
    const results = []
    for (const width of widths) results.push(await optimizer.optimize(png, { resize: { method: 'scale', width } }))
    expect(results.map(({ info }) => info.width)).toEqual(widths)
    // 2 on the first; an upload and a resize on the second; then nobody is left and this machine does it.
    expect([...service.counts.values()]).toEqual([2, 2])
  })
})

describe('a wrong key', () => {
  it('is said once and is not tried again in the build', async () => {
    const { optimizer, service, warnings } = await start({ keys: ['wrong'], concurrency: 1 })
    for (const image of others) expect((await optimizer.optimize(image)).info.size).toBeLessThan(image.length)
    expect(service.requests).toHaveLength(1)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('Credentials are invalid (HTTP 401/Unauthorized)')
  })

  it('makes way for the next', async () => {
    const { optimizer, engine } = await start({ keys: ['wrong', 'test-key'] })
    await Promise.all(others.map((image) => optimizer.optimize(image)))
    expect(await engine.endBuild()).toMatchObject({ compressions: 6, images: 6, fallbacks: { local: 0 } })
  })
})

/** The service takes the upload and counts it, and its answer does not arrive. */
const lost =
  ({ endpoint, script }: ImageService): ScriptedAnswer =>
  async (response, { body }) => {
    const next = script.splice(0)
    await createClient({ key: 'test-key', endpoint }).shrink(body)
    script.push(...next)
    response.destroy()
  }

describe('answers that are lost', () => {
  it('are counted when the service can be asked at the end', async () => {
    const { optimizer, engine, service } = await start({ askFirst: true })
    await optimizer.optimize(others[0]!)
    service.script.push(lost(service))
    await optimizer.optimize(others[1]!)
    await optimizer.optimize(others[2]!)
    // The connection had been kept open, so the client tried once more at once.
    expect(service.counts.get('test-key')).toBe(4)
    expect(await engine.endBuild()).toMatchObject({ compressions: 4, unanswered: 0, images: 3, keys: [{ month: 4 }] })
  })

  it('are said to be unknown when it cannot', async () => {
    const { optimizer, engine, service } = await start({ askFirst: true })
    await optimizer.optimize(others[0]!)
    service.script.push(lost(service), away, away)
    await optimizer.optimize(others[1]!)
    expect(await engine.endBuild()).toMatchObject({ compressions: 1, unanswered: 1, images: 1 })
    expect(await engine.endBuild()).toBeUndefined()
  })

  it('of a service that refuses are none', async () => {
    const { optimizer, engine, service } = await start({ askFirst: true })
    await optimizer.optimize(others[0]!)
    service.script.push(away)
    await optimizer.optimize(others[1]!)
    const asked = service.requests.length
    expect(await engine.endBuild()).toMatchObject({ compressions: 1, unanswered: 0, fallbacks: { local: 1 } })
    expect(service.requests).toHaveLength(asked)
  })
})

describe('a service that is away', () => {
  it('is not asked any more after three failures in a row', async () => {
    const { optimizer, engine, service } = await start({ concurrency: 1 }, away, away, away)
    for (const image of others) await optimizer.optimize(image)
    expect(service.requests).toHaveLength(3)
    expect(await engine.endBuild()).toMatchObject({ images: 0, fallbacks: { local: 6 } })
    await optimizer.optimize(png)
    expect(await engine.endBuild()).toMatchObject({ images: 1 })
  })

  it('counts one failure for all variants that wait for one upload', async () => {
    const { optimizer, engine } = await start({}, async (response, request) => {
      // Until all of them wait for it.
      await new Promise((resolve) => setTimeout(resolve, 300))
      await away(response, request)
    })
    const widths = [20, 30, 40, 50]
    await Promise.all(widths.map((width) => optimizer.optimize(png, { resize: { method: 'scale', width } })))
    await optimizer.optimize(others[0]!)
    expect(await engine.endBuild()).toMatchObject({ images: 1, fallbacks: { local: 4 } })
  })

  it('does not fail a build that had everything in its cache', async () => {
    const { optimizer, service } = await start()
    await optimizer.optimize(png)
    await service.close()
    expect(await optimizer.optimize(png)).toMatchObject({ cached: true })
  })
})

describe('what a service sends', () => {
  it.each([
    ['no image', 'image/png', async () => Buffer.from('nonsense'), 'sent something that is no image'],
    ['another type', 'image/png', () => photo(48, 32).webp(), 'sent an unasked image/webp'],
    ['a torn header', 'image/png', async () => (await photo(48, 32).png()).subarray(0, 20), 'sent a broken image'],
  ])('is not used when it is %s', async (_, type, data, reason) => {
    const { optimizer, engine, warnings } = await start({}, upload, send(type, await data()))
    expect((await optimizer.optimize(png)).info).toMatchObject({ type: 'image/png', width: 96 })
    expect(warnings[0]).toContain(reason)
    expect(await engine.endBuild()).toMatchObject({ images: 0, fallbacks: { local: 1 } })
  })

  it('is not used when the image itself is smaller', async () => {
    const larger = await photo(96, 64).png()
    const { optimizer } = await start({}, upload, send('image/png', Buffer.concat([larger, Buffer.alloc(5000)])))
    const result = await optimizer.optimize(png)
    expect(result).toMatchObject({ kept: 'input', info: { type: 'image/png' } })
    expect(result.data.length).toBeLessThanOrEqual(png.length)
  })
})

describe('an image that the service refuses', () => {
  it('is done on this machine, which may know better, and named', async () => {
    const { optimizer, warnings } = await start({}, (response) => refuse(response, 415, 'UnsupportedMediaType', 'No.'))
    await optimizer.optimize(png, {}, { file: 'a.png' })
    expect(warnings).toEqual(['a.png: No (HTTP 415/UnsupportedMediaType). It is compressed on this machine instead.'])
  })

  it.each(['original', 'error'] as const)('is an error with fallback %s', async (fallback) => {
    const transparent = await transparentGraphic(40, 30).png()
    const { optimizer } = await start({ fallback })
    await expect(
      optimizer.optimize(transparent, { convert: { type: 'image/jpeg' } }, { file: 'a.png' }),
    ).rejects.toMatchObject({ name: 'PixpressError', code: 'BACKGROUND_REQUIRED', file: 'a.png' })
  })
})

describe('fallback', () => {
  it('original uses images as they are for now', async () => {
    const { optimizer, engine, warnings } = await start({ fallback: 'original' }, away)
    const result = await optimizer.optimize(png)
    expect(result).toMatchObject({ kept: 'input', cached: false, info: { size: png.length } })
    expect(result.data).toBe(png)
    expect(await engine.endBuild()).toMatchObject({ fallbacks: { local: 0, original: 1 } })
    expect(warnings[0]).toContain('Images are used as they are instead')
    expect((await optimizer.optimize(png)).kept).toBe('output')
  })

  it('original still gives the size and type that were asked for', async () => {
    const { optimizer } = await start({ fallback: 'original' }, away)
    const result = await optimizer.optimize(png, {
      resize: { method: 'scale', width: 20 },
      convert: { type: 'image/webp' },
    })
    expect(result.info).toMatchObject({ type: 'image/webp', width: 20 })
  })

  it('error fails', async () => {
    const { optimizer, service } = await start({ fallback: 'error' }, away)
    await expect(optimizer.optimize(png, {}, { file: 'a.png' })).rejects.toMatchObject({
      code: 'REMOTE_UNAVAILABLE',
      file: 'a.png',
      message: `The image service at ${service.endpoint} is not used: Away (HTTP 503/ServiceUnavailable).`,
    })
  })

  it('is not for mistakes of the program', async () => {
    const engine = createRemoteEngine({
      endpoint: 'https://a.example',
      open: async () => {
        throw new TypeError('no such package')
      },
    })
    await expect(createOptimizer({ engine }).optimize(png)).rejects.toThrow('no such package')
  })
})
