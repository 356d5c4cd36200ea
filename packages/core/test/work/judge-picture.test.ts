import { graphic, photo } from '@pixpress/testkit'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import type { MadeElsewhere } from '../../src/optimizer/baseline.ts'
import { createMemoryCache, createOptimizer } from '../../src/index.ts'

const optimizer = createOptimizer({ concurrency: 1, cache: createMemoryCache() })
afterAll(() => optimizer.close())

const resized = (source: Uint8Array): Sharp => sharp(source).resize(60)

const made =
  (data: Promise<Buffer>, lossless?: Promise<Buffer>): (() => Promise<MadeElsewhere>) =>
  async () => ({ data: await data, ...(lossless && { lossless: await lossless }) })

describe('baseline', () => {
  it('judges what an encoder has lost of its own lossless picture, by the measures of our results', async () => {
    const source = await photo(120, 90, 4).png()
    const plan = optimizer.plan(source)
    const lossless = resized(source).png().toBuffer()
    const [good, bad] = await Promise.all(
      [100, 20].map((quality) =>
        optimizer.baseline(
          plan,
          `jpeg ${quality}`,
          made(resized(source).jpeg({ quality, chromaSubsampling: '4:4:4' }).toBuffer(), lossless),
        ),
      ),
    )
    expect(good).toMatchObject({ type: 'image/jpeg' })
    expect(good!.judgement!.kept).toBeGreaterThan(80)
    expect(bad!.judgement!.kept).toBeLessThan(60)
    expect(bad!.judgement!.kept).toBeLessThanOrEqual(bad!.judgement!.score)
    expect(bad!.size).toBeLessThan(good!.size)
  })

  it('takes the source as it is for one that loses nothing', async () => {
    const source = await graphic(64, 48).png()
    expect(
      await optimizer.baseline(optimizer.plan(source), 'as it is', () => Promise.resolve({ data: source })),
    ).toEqual({
      type: 'image/png',
      size: source.length,
      judgement: { score: 100, kept: 100 },
    })
  })

  it('has no judgement where the two cannot be compared', async () => {
    const source = await photo(40, 30, 5).png()
    const plan = optimizer.plan(source)
    const smaller = await optimizer.baseline(
      plan,
      'another size',
      made(sharp(source).resize(20).webp().toBuffer(), Promise.resolve(source)),
    )
    const unknown = await optimizer.baseline(plan, 'no picture of its own', made(sharp(source).webp().toBuffer()))
    expect([smaller.judgement, unknown.judgement]).toEqual([undefined, undefined])
  })

  it('asks the tool once for a request, and again for another', async () => {
    const source = await photo(40, 30, 6).png()
    const plan = optimizer.plan(source)
    let asked = 0
    const make = async (): Promise<MadeElsewhere> => {
      asked++
      return { data: await sharp(source).webp().toBuffer(), lossless: source }
    }
    const first = await optimizer.baseline(plan, 'webp', make)
    const others = optimizer.plan(source, { quality: 'small', convert: { type: 'image/avif' } })
    expect(await optimizer.baseline(others, 'webp', make)).toEqual(first)
    expect(asked).toBe(1)
    await optimizer.baseline(plan, 'webp of another version', make)
    expect(asked).toBe(2)
  })
})
