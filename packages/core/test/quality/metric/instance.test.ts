import { describe, expect, it } from 'vitest'
import {
  acquireInstance,
  MetricInstance,
  fastestBuild,
  prepareInstance,
  releaseInstance,
} from '../../../src/quality/metric/instance.ts'
import { metricBytes } from '../../../src/quality/metric/ssimulacra2.ts'

describe('MetricInstance', () => {
  it('has the fast build where this test runs', () => {
    expect(fastestBuild()).toBe('simd')
  })

  it('takes exactly the memory that metricBytes announces', () => {
    for (const [width, height] of [
      [8, 8],
      [641, 480],
      [1500, 1111],
    ] as const) {
      const instance = new MetricInstance('simd')
      expect(instance.prepare(width, height, false)).toBe(true)
      expect(instance.bytes).toBe(metricBytes(width, height))
      const strips = new MetricInstance('plain')
      expect(strips.prepare(width, height, true)).toBe(true)
      expect(strips.bytes).toBe(metricBytes(width, height, false, 0))
    }
  })

  it('says that planes beyond 4 GiB do not fit', () => {
    const instance = new MetricInstance('simd')
    expect(instance.prepare(20_000, 20_000, false)).toBe(false)
    expect(instance.measure(20_000, 20_000, false)).toBeGreaterThan(8e9)
  })

  it('turns to strips where planes do not fit', () => {
    const { instance, strips } = prepareInstance('simd', 20_000, 20_000, false)
    expect(strips).toBe(true)
    expect(instance.bytes).toBeLessThan(100e6)
  })
})

describe('the instances kept', () => {
  it('are reused when small and dropped when large', () => {
    const taken = [acquireInstance('simd'), acquireInstance('simd'), acquireInstance('simd')] as const
    expect(taken[0].prepare(64, 64, false)).toBe(true)
    expect(taken[1].prepare(2000, 2000, false)).toBe(true)
    releaseInstance(taken[0])
    releaseInstance(taken[1])
    releaseInstance(taken[2])
    expect(new Set([acquireInstance('simd'), acquireInstance('simd')])).toEqual(new Set([taken[0], taken[2]]))
    expect(taken).not.toContain(acquireInstance('simd'))
  })
})
