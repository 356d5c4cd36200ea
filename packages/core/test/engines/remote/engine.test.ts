import { readFile } from 'node:fs/promises'
import { engineContract, payloadSamples, photo, startImageService, transparentGraphic } from '@pixpress/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { createMemoryCache } from '../../../src/cache/memory-store.ts'
import { createOptimizer } from '../../../src/optimizer/index.ts'
import { away, engineFor, requestsOf, start } from './service.ts'

engineContract('A service', async () => {
  const service = await startImageService()
  const engine = engineFor(service)
  return {
    engine,
    async cleanup() {
      await service.close()
      // The contract would also pass with results of this machine. Only the two refused images may have been made here.
      const { images, fallbacks } = (await engine.endBuild())!
      expect(images).toBeGreaterThan(20)
      expect(fallbacks).toEqual({ local: 2, original: 0 })
    },
  }
})

let png: Buffer

beforeAll(async () => {
  png = await photo(96, 64).png()
})

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

  it('let a transparent image of a list stay in its own type where no type of the list has transparency', async () => {
    const setting = await start()
    const source = await transparentGraphic(96, 64).png()
    const resize = { method: 'scale', width: 20 } as const
    await setting.optimizer.optimize(source, { resize, convert: { type: ['image/jpeg'] } })
    await setting.optimizer.optimize(source, { resize, convert: { type: ['image/jpeg', 'image/webp'] } })
    const sent = setting.service.requests.slice(1).map(({ body }) => JSON.parse(body.toString()) as object)
    expect(sent).toEqual([
      { resize, convert: { type: ['image/jpeg', 'image/png'] } },
      { resize, convert: { type: ['image/webp', 'image/jpeg'] } },
    ])
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

describe('content credentials that are to be kept', () => {
  it('keep an image from services, which get neither it nor the word for others', async () => {
    const setting = await start()
    const signed = await readFile(new URL('../../fixtures/credentials/signed.jpg', import.meta.url))
    const preserve = ['copyright', 'provenance'] as const
    const { data } = await setting.optimizer.optimize(signed, { preserve })
    expect(Buffer.compare(data, signed)).toBe(0)
    expect(requestsOf(setting)).toEqual([])
    await setting.optimizer.optimize(png, { preserve })
    expect(JSON.parse(setting.service.requests[1]!.body.toString())).toEqual({ preserve: ['copyright'] })
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
    const { service, engine } = await start()
    const optimizer = createOptimizer({ engine, cache: createMemoryCache(), rememberResults: true })
    const { data } = await optimizer.optimize(png)
    expect(await optimizer.optimize(data)).toMatchObject({ cached: true, kept: 'input' })
    expect(service.requests).toHaveLength(2)
  })
})

describe('a file with a payload', () => {
  it('has what pages use of it after a service has made it smaller, and a note of the rest', async () => {
    const { optimizer, service } = await start()
    const samples = await payloadSamples()
    const sent = async (name: string): Promise<readonly [boolean, number, number]> => {
      const sample = samples.find((each) => each.name === name)!
      const { data, notes } = await optimizer.optimize(sample.data)
      return [sample.isThere(data), notes.length, service.requests.length]
    }
    expect(await sent('projection as a panorama')).toEqual([true, 0, 2])
    expect(await sent('draw.io diagram')).toEqual([false, 1, 4])
    // A file that stays whole needs no service.
    expect(await sent('game cartridge')).toEqual([true, 1, 4])
  })
})
