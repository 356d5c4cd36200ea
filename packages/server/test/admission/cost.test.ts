import { createOptimizer } from '@pixpress/core'
import { photo } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { createPace, expectCost } from '../../src/admission/cost.ts'

const optimizer = createOptimizer({ concurrency: 1, cache: false, limits: { maxPixels: 1_000_000 } })

describe('expectCost', () => {
  it('expects by the pixels, not by the bytes of the file', async () => {
    const small = await expectCost(optimizer, await photo(100, 100).jpeg(), {})
    const large = await expectCost(optimizer, await photo(1000, 500).jpeg(10), {})
    expect(large.bytes).toBeGreaterThan(40 * small.bytes)
    expect(large.kind).toBe('image/jpeg')
    expect(large.pixels).toBeGreaterThan(500_000)
  })

  it('expects less of a small result, and more of several types', async () => {
    const source = await photo(1000, 500).jpeg()
    const plain = await expectCost(optimizer, source, {})
    const resized = await expectCost(optimizer, source, { resize: { method: 'scale', width: 100 } })
    const several = await expectCost(optimizer, source, { convert: { type: ['image/webp', 'image/jpeg'] } })
    expect(resized.pixels).toBeLessThan(plain.pixels / 4)
    expect(resized.bytes).toBeLessThan(plain.bytes / 4)
    expect(several.pixels).toBeGreaterThan(1.5 * plain.pixels)
    expect(several.kind).toBe('image/jpeg image/webp')
  })

  it('refuses what the engine would refuse', async () => {
    await expect(expectCost(optimizer, Buffer.from('no image'), {})).rejects.toMatchObject({ code: 'UNSUPPORTED_TYPE' })
    await expect(expectCost(optimizer, await photo(2000, 600).png(), {})).rejects.toMatchObject({
      code: 'INPUT_TOO_LARGE',
    })
  })
})

describe('createPace', () => {
  const cost = { bytes: 1, pixels: 1_000_000, kind: 'image/png' }

  it('comes nearer to what was measured, for each kind by itself', () => {
    const pace = createPace()
    const before = pace.expect(cost)
    for (let times = 0; times < 30; times++) pace.learn(cost, 9000)
    expect(pace.expect(cost)).toBeGreaterThan(8500)
    expect(pace.expect({ ...cost, kind: 'image/avif' })).toBe(before)
  })

  it('learns nothing of what has no known size', () => {
    const pace = createPace()
    pace.learn({ ...cost, pixels: 0 }, 5000)
    expect(Number.isFinite(pace.expect({ ...cost, pixels: 0 }))).toBe(true)
    expect(pace.expect({ ...cost, pixels: 0 })).toBe(1)
  })
})
