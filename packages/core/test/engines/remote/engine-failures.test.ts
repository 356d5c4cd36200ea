import { photo, refuse, transparentGraphic, naming } from '@pixpress/testkit'
import type { ImageService, ScriptedAnswer } from '@pixpress/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../../../client/src/index.ts'
import { createRemoteEngine } from '../../../src/engines/remote/engine.ts'
import { createOptimizer } from '../../../src/optimizer/index.ts'
import { away, send, start, upload } from './service.ts'

let png: Buffer
let others: Buffer[]

beforeAll(async () => {
  png = await photo(96, 64).png()
  others = await Promise.all([2, 3, 4, 5, 6, 7].map((seed) => photo(48, 32, seed).png()))
})

describe('limits', () => {
  it('of a build hold under concurrency, and the next build goes on', async () => {
    const { optimizer, engine, service, warnings } = await start({ limit: { build: 4 } })
    const results = await Promise.all(others.map((image) => optimizer.optimize(image)))
    expect(results.every(({ info, input }) => info.size < input.size)).toBe(true)
    expect(service.counts.get('test-key')).toBe(4)
    expect(warnings).toEqual([naming(service.endpoint, '4 compressions')])
    expect(await engine.endBuild()).toMatchObject({
      compressions: 4,
      images: 4,
      fallbacks: { local: 2, original: 0 },
      reasons: [expect.stringContaining('4 compressions')],
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
    expect(warnings[0]).toEqual(naming('429', 'TooManyRequests'))
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
    // The first key counts 2, and the second counts an upload and a resize. Then no key is left, and this machine does
    // the work.
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
    expect(warnings).toEqual([naming('a.png', '415', 'UnsupportedMediaType')])
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
    expect(warnings[0]).toContain('they are instead')
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
      message: naming(service.endpoint, '503', 'ServiceUnavailable'),
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
