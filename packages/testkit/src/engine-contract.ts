import { createMemoryCache, createOptimizer } from '@pixpress/core'
import type { CacheStore, ImageEngine, InputType, Operations, OptimizeResult, Optimizer } from '@pixpress/core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decode } from './decode.ts'
import { animation, graphic, photo, transparentGraphic } from './images.ts'
import { expectSimilar } from './similar.ts'

/** An engine under test, and how to remove what it leaves. `undefined` is the default one. */
export interface EngineUnderTest {
  readonly engine: ImageEngine | undefined
  cleanup(): Promise<void>
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!-- a --><rect width="5" height="5"/></svg>'

/** The engine under test with an optimizer around it. */
interface EngineTrial {
  /** Encoded pictures by their names. */
  readonly sources: Record<string, Buffer>
  /** The optimizer that all tests share; there before the first test. */
  optimizer: Optimizer
  /** Makes another optimizer with the same engine and cache. */
  open(): Optimizer
  optimize(source: string, operations?: Operations): Promise<OptimizeResult>
}

/**
 * Registers the tests that every engine has to pass, wherever it works: the same operations give results of the same
 * shape, and what is promised of an image holds.
 * @param create makes the engine that all tests share
 */
export function engineContract(name: string, create: () => Promise<EngineUnderTest>): void {
  describe(`${name} as an engine`, () => {
    let made: EngineUnderTest
    let cache: CacheStore
    const sources: Record<string, Buffer> = {}
    const trial = {
      sources,
      open: () => createOptimizer({ cache, ...(made.engine !== undefined && { engine: made.engine }) }),
      optimize: (source, operations) =>
        trial.optimizer.optimize(sources[source]!, operations, { file: `${source}.img` }),
    } as EngineTrial

    beforeAll(async () => {
      made = await create()
      cache = createMemoryCache()
      trial.optimizer = trial.open()
      Object.assign(sources, await drawSources())
    })

    afterAll(async () => {
      await trial.optimizer.close()
      await made.cleanup()
    })

    testAnswers(trial)
    testSizesAndTypes(trial)
    testContent(trial)
    testRefusals(trial)
  })
}

/** Draws the pictures that the tests work on. */
async function drawSources(): Promise<Record<string, Buffer>> {
  return {
    png: await graphic(120, 80).png(),
    jpeg: await photo(120, 80).jpeg(),
    webp: await photo(120, 80, 2).webp(),
    avif: await photo(120, 80, 3).avif(100),
    transparent: await transparentGraphic(120, 80).png(),
    copyrighted: await sharp(await photo(120, 80, 4).jpeg())
      .withExif({ IFD0: { Copyright: 'Ada 2026', Make: 'Camera' } })
      .toBuffer(),
    turned: await sharp(await photo(120, 80, 5).jpeg())
      .withMetadata({ orientation: 6 })
      .toBuffer(),
    gif: await animation(40, 30).gif(),
    animated: await animation(40, 30).webp(),
    svg: Buffer.from(SVG),
  }
}

function testAnswers(trial: EngineTrial): void {
  const { sources, optimize } = trial

  it.each([
    ['png', 'image/png'],
    ['jpeg', 'image/jpeg'],
    ['webp', 'image/webp'],
    ['avif', 'image/avif'],
    ['gif', 'image/gif'],
    ['svg', 'image/svg+xml'],
  ])('makes a %s smaller that still looks right', async (source, type) => {
    const result = await optimize(source)
    expect(result.info).toMatchObject({ type, size: result.data.length })
    expect(result.input).toMatchObject({ type, size: sources[source]!.length })
    expect(result.data.length).toBeLessThanOrEqual(sources[source]!.length)
    expect(result.key).toMatch(/^[\da-f]{64}$/)
    expect(result.cached).toBe(false)
    if (source !== 'svg') await expectSimilar(result.data, sources[source]!)
  })

  it('answers from the cache with all that it said the first time, after a restart too', async () => {
    const operations: Operations = { resize: { method: 'scale', width: 64 }, convert: { type: 'image/webp' } }
    // The work is left out, as it is that of one run.
    const { work: _work, ...first } = await optimize('jpeg', operations)
    const again = trial.open()
    const second = await again.optimize(sources['jpeg']!, operations)
    expect(second).toEqual({ ...first, cached: true, data: new Uint8Array(first.data) })
    expect(again.stats).toMatchObject({ encoded: 0, cacheHits: 1 })
    expect(again.plan(sources['jpeg']!, operations).key).toBe(first.key)
  })
}

function testSizesAndTypes({ sources, optimize }: EngineTrial): void {
  it.each([
    [{ method: 'scale', width: 60 }, 60, 40],
    [{ method: 'scale', height: 20 }, 30, 20],
    [{ method: 'fit', width: 60, height: 60 }, 60, 40],
    [{ method: 'cover', width: 40, height: 40 }, 40, 40],
    [{ method: 'thumb', width: 40, height: 40 }, 40, 40],
    [{ method: 'scale', width: 1000 }, 120, 80],
  ] as const)('resizes: %j', async (resize, width, height) => {
    const { info, data } = await optimize('jpeg', { resize })
    expect(info).toMatchObject({ type: 'image/jpeg', width, height })
    expect(await decode(data)).toMatchObject({ type: 'jpeg', width, height })
  })

  it.each(['image/avif', 'image/webp', 'image/jpeg', 'image/png'] as const)('converts to %s', async (type) => {
    const { info, data } = await optimize('jpeg', { convert: { type } })
    expect(info.type).toBe(type)
    await expectSimilar(data, sources['jpeg']!, 6)
  })

  it('finds the smallest of a list, the image itself included', async () => {
    const types = ['image/png', 'image/webp'] as const
    const [list, ...single] = await Promise.all([
      optimize('jpeg', { convert: { type: types } }),
      ...types.map((type) => optimize('jpeg', { convert: { type } })),
    ])
    const sizes = single.map(({ data }) => data.length)
    expect(list!.data.length).toBeLessThanOrEqual(Math.min(...sizes, sources['jpeg']!.length))
    expect((await optimize('png', { convert: { type: '*/*' } })).data.length).toBeLessThan(sources['png']!.length)
  })
}

function testContent(trial: EngineTrial): void {
  const { sources, optimize } = trial

  it('keeps transparency where no background is given', async () => {
    const { info, data } = await optimize('transparent', { convert: { type: ['image/jpeg', 'image/webp'] } })
    expect(info).toMatchObject({ hasAlpha: true })
    expect(['image/webp', 'image/png'] as InputType[]).toContain(info.type)
    expect(await decode(data)).toMatchObject({ hasAlpha: true })
  })

  it('fills transparency with the background', async () => {
    const convert = { type: 'image/jpeg' } as const
    const { info, data } = await optimize('transparent', { convert, transform: { background: '#ff8800' } })
    expect(info).toMatchObject({ type: 'image/jpeg', hasAlpha: false })
    await expectSimilar(
      data,
      await sharp(sources['transparent']).flatten({ background: '#ff8800' }).png().toBuffer(),
      6,
    )
    await expect(optimize('transparent', { convert })).rejects.toMatchObject({ code: 'BACKGROUND_REQUIRED' })
  })

  it('keeps the metadata that is asked for, and no other', async () => {
    const kept = await optimize('copyrighted', { preserve: ['copyright'] })
    expect(Buffer.from(kept.data).includes('Ada 2026')).toBe(true)
    expect(Buffer.from(kept.data).includes('Camera')).toBe(false)
    expect(Buffer.from((await optimize('copyrighted')).data).includes('Ada 2026')).toBe(false)
  })

  it('turns images upright', async () => {
    const { info, input, data } = await optimize('turned')
    expect(input).toMatchObject({ width: 80, height: 120 })
    expect(info).toMatchObject({ width: 80, height: 120 })
    await expectSimilar(data, sources['turned']!)
  })

  it.each(['gif', 'animated'])('keeps the animation of %s', async (source) => {
    const { info, data } = await optimize(source)
    expect(info.frames).toBe(4)
    expect((await decode(data)).frames).toBe(4)
  })

  it('never lets an image grow that may stay as it is', async () => {
    const { data: once } = await optimize('jpeg')
    const twice = await trial.optimizer.optimize(once)
    expect(twice.data.length).toBeLessThanOrEqual(once.length)
  })
}

function testRefusals(trial: EngineTrial): void {
  const { sources, optimize } = trial

  it('says what is wrong with an image', async () => {
    const torn = sources['png']!.subarray(0, 200)
    await expect(trial.optimizer.optimize(torn, {}, { file: 'torn.png' })).rejects.toMatchObject({
      name: 'PixpressError',
      code: 'DECODE_FAILED',
      file: 'torn.png',
    })
    await expect(optimize('svg', { convert: { type: 'image/png' } })).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
    })
  })
}
