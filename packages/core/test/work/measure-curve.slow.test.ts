import { photo } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { createMemoryCache, createOptimizer } from '../../src/index.ts'

const LIMITS = { concurrency: 1 }

describe('measureCurve', () => {
  it('measures a picture at its own width and at halves of it, each with more bytes than the one before', async () => {
    const optimizer = createOptimizer({ ...LIMITS, cache: false })
    const curve = await optimizer.byteCurve(optimizer.plan(await photo(900, 700, 1).jpeg()))
    expect(curve.map(({ width }) => width)).toEqual([113, 225, 450, 900])
    expect(curve.map(({ bytes }) => bytes)).toEqual(curve.map(({ bytes }) => bytes).toSorted((a, b) => a - b))
    await optimizer.close()
  })

  it('gives a picture of one colour a curve that grows, too', async () => {
    const optimizer = createOptimizer({ ...LIMITS, cache: false })
    const { default: sharp } = await import('sharp')
    const source = await sharp({ create: { width: 400, height: 40, channels: 3, background: '#123456' } })
      .png()
      .toBuffer()
    const curve = await optimizer.byteCurve(optimizer.plan(source))
    for (const [index, { bytes }] of curve.slice(1).entries()) expect(bytes).toBeGreaterThan(curve[index]!.bytes)
    await optimizer.close()
  })

  it('is kept in the cache for every operation, and asks for nothing again', async () => {
    const kept = createMemoryCache()
    const cache = {
      ...kept,
      sets: 0,
      get: kept.get.bind(kept),
      set: (...entry: Parameters<typeof kept.set>) => (cache.sets++, kept.set(...entry)),
    }
    const optimizer = createOptimizer({ ...LIMITS, cache })
    const source = await photo(240, 160, 2).jpeg()
    const first = await optimizer.byteCurve(optimizer.plan(source))
    const again = await optimizer.byteCurve(optimizer.plan(source, { convert: { type: 'image/webp' } }))
    expect(again).toEqual(first)
    expect(cache.sets).toBe(1)
    await optimizer.close()
  })

  it('refuses what cannot be decoded, by the name of its file', async () => {
    const optimizer = createOptimizer({ ...LIMITS, cache: false })
    const source = (await photo(60, 40, 3).png()).subarray(0, 120)
    await expect(optimizer.byteCurve(optimizer.plan(source, {}, { file: 'cut.png' }))).rejects.toMatchObject({
      code: 'DECODE_FAILED',
      file: 'cut.png',
    })
    await optimizer.close()
  })
})
