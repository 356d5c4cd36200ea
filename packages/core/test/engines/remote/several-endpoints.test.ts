import { photo, startImageService, naming } from '@pixpress/testkit'
import type { ImageService } from '@pixpress/testkit'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../../../client/src/index.ts'
import { createMemoryCache } from '../../../src/cache/memory-store.ts'
import type { CacheStore } from '../../../src/cache/store.ts'
import { createRemoteEngine } from '../../../src/engines/remote/engine.ts'
import type { RemoteEngine, RemoteEngineOptions } from '../../../src/engines/remote/engine.ts'
import { createOptimizer } from '../../../src/optimizer/index.ts'
import type { Optimizer } from '../../../src/optimizer/index.ts'
import { away } from './service.ts'

let images: Buffer[]
let a: ImageService
let b: ImageService

beforeAll(async () => {
  images = await Promise.all([2, 3, 4, 5, 6, 7, 8, 9].map((seed) => photo(48, 32, seed).png()))
})
beforeEach(async () => {
  a = await startImageService()
  b = await startImageService({ keys: ['test-key', 'of-b'] })
})
afterEach(async () => {
  for (const service of [a, b]) await service.close().catch(() => undefined)
})

interface Opened {
  readonly engine: RemoteEngine
  readonly optimizer: Optimizer
  readonly warnings: string[]
}

function open(
  more: Partial<RemoteEngineOptions> = {},
  keys = ['test-key'],
  cache: CacheStore = createMemoryCache(),
): Opened {
  const warnings: string[] = []
  const engine = createRemoteEngine({
    endpoint: [a.endpoint, b.endpoint],
    open: async (endpoint) => keys.map((key) => ({ name: key, client: createClient({ key, endpoint, retries: 0 }) })),
    onWarning: (message) => void warnings.push(message),
    ...more,
  })
  return { engine, optimizer: createOptimizer({ engine, cache }), warnings }
}

const uploadsTo = ({ requests }: ImageService): number =>
  requests.filter(({ path, body }) => path === '/shrink' && body.length > 0).length

const allOf = (optimizer: Optimizer): Promise<unknown> => Promise.all(images.map((image) => optimizer.optimize(image)))

describe('several endpoints', () => {
  it('share the images, and are counted one by one', async () => {
    const { engine, optimizer } = open({ concurrency: 1 })
    await allOf(optimizer)
    const usage = (await engine.endBuild())!
    expect(usage).toMatchObject({
      endpoint: a.endpoint,
      images: 8,
      compressions: 8,
      fallbacks: { local: 0, original: 0 },
    })
    expect(usage.endpoints).toEqual(
      [a, b].map((each) => ({
        endpoint: each.endpoint,
        images: uploadsTo(each),
        compressions: each.counts.get('test-key'),
        reason: null,
      })),
    )
    for (const each of [a, b]) expect(uploadsTo(each)).toBeGreaterThan(0)
    expect(uploadsTo(a) + uploadsTo(b)).toBe(8)
  })

  it('work on what they have: variants go where the upload is', async () => {
    const { optimizer } = open()
    const widths = [10, 20, 30, 40]
    const variants = images
      .slice(0, 4)
      .flatMap((image) => widths.map((width) => optimizer.optimize(image, { resize: { method: 'scale', width } })))
    await Promise.all(variants)
    expect([uploadsTo(a), uploadsTo(b)]).toEqual([2, 2])
    expect([a.counts.get('test-key'), b.counts.get('test-key')]).toEqual([10, 10])
  })

  it('take over from one that is away, with nothing lost and nothing counted twice', async () => {
    await b.close()
    const { engine, optimizer, warnings } = open()
    await allOf(optimizer)
    const usage = (await engine.endBuild())!
    expect(usage).toMatchObject({ images: 8, compressions: 8, unanswered: 0, fallbacks: { local: 0, original: 0 } })
    expect(usage.endpoints).toMatchObject([
      { images: 8, reason: null },
      { images: 0, compressions: 0, reason: expect.stringContaining('3 times') },
    ])
    expect(a.counts.get('test-key')).toBe(8)
    expect(warnings).toEqual([expect.stringContaining('3 times')])
  })

  it('are asked no more than three times in a row where they fail', async () => {
    b.script.push(...Array.from({ length: 20 }, () => away))
    const { optimizer, engine } = open({ concurrency: 1 })
    for (const image of images) await optimizer.optimize(image)
    expect(b.requests).toHaveLength(3)
    expect(await engine.endBuild()).toMatchObject({ images: 8 })
  })

  it('make an upload again where the one that had it is gone', async () => {
    const { optimizer, engine } = open()
    await optimizer.optimize(images[0]!)
    await a.close()
    const resized = await optimizer.optimize(images[0]!, { resize: { method: 'scale', width: 20 } })
    expect(resized.info.width).toBe(20)
    expect(await engine.endBuild()).toMatchObject({ images: 2, fallbacks: { local: 0 } })
    expect(uploadsTo(b)).toBe(1)
  })

  it('say of one that it refuses the key, and go on with the others', async () => {
    const { engine, optimizer, warnings } = open({}, ['of-b'])
    await allOf(optimizer)
    expect(warnings).toEqual([naming(a.endpoint, '401')])
    expect(await engine.endBuild()).toMatchObject({
      images: 8,
      keys: [{ key: 'of-b', compressions: 8, month: 8 }],
      endpoints: [
        { images: 0, reason: 'Credentials are invalid (HTTP 401/Unauthorized)' },
        { images: 8, reason: null },
      ],
    })
  })

  it('leave it to the fallback when all are away, and say why of each', async () => {
    b.script.push(away)
    await a.close()
    const { optimizer } = open({ fallback: 'error' })
    const error = await optimizer.optimize(images[0]!).catch((caught: Error) => caught)
    expect(error).toMatchObject({ code: 'REMOTE_UNAVAILABLE' })
    const [hostOfA, hostOfB] = [a, b].map(({ endpoint }) => new URL(endpoint).host)
    expect((error as Error).message).toEqual(
      naming(a.endpoint, b.endpoint, `${hostOfA}: `, `${hostOfB}: `, '503/ServiceUnavailable'),
    )
  })

  it('keep one limit of a build, and one of a month for each key', async () => {
    const first = open({ limit: { build: 5 } })
    await allOf(first.optimizer)
    expect(a.counts.get('test-key')! + b.counts.get('test-key')!).toBe(5)
    expect(first.warnings).toEqual([expect.stringContaining('5 compressions')])
    const before = a.counts.get('test-key')! + b.counts.get('test-key')!
    const highest = Math.max(a.counts.get('test-key')!, b.counts.get('test-key')!)
    const second = open({ limit: { month: highest + 1 } })
    await allOf(second.optimizer)
    // The two services may or may not count together. Assuming that they do, the builds never exceed the limit.
    expect(a.counts.get('test-key')! + b.counts.get('test-key')!).toBeLessThanOrEqual(before + 2)
  })

  it('have one identity in any order, which is none of a single one', async () => {
    const cache = createMemoryCache()
    const { optimizer } = open({}, undefined, cache)
    await optimizer.optimize(images[0]!)
    const turned = open({ endpoint: [b.endpoint, `${a.endpoint}/`] }, undefined, cache)
    expect(await turned.optimizer.optimize(images[0]!)).toMatchObject({ cached: true })
    const single = open({ endpoint: a.endpoint }, undefined, cache)
    expect(await single.optimizer.optimize(images[0]!)).toMatchObject({ cached: false })
    expect(single.engine.identity).toEqual({ engine: 'remote', revision: 1, endpoint: a.endpoint })
  })

  it('are sent no key of an origin that is none of them', async () => {
    const elsewhere = await startImageService()
    try {
      a.script.push(
        (response) => void response.writeHead(201, { Location: `${elsewhere.endpoint}/output/1` }).end('{}'),
      )
      const { optimizer } = open()
      await optimizer.optimize(images[0]!)
      expect(elsewhere.requests.map(({ headers }) => headers.authorization)).toEqual([undefined])
    } finally {
      await elsewhere.close()
    }
  })

  it('may name an output at another of them, which gets its own key', async () => {
    const made = await createClient({ key: 'test-key', endpoint: b.endpoint }).shrink(images[0]!)
    a.script.push((response) => void response.writeHead(201, { Location: made.url }).end('{}'))
    const { optimizer, engine } = open()
    await optimizer.optimize(images[0]!)
    expect(await engine.endBuild()).toMatchObject({ images: 1, fallbacks: { local: 0 } })
  })
})
