import { describe, expect, it } from 'vitest'
import { acquireEngine, Engine, fastestBuild, prepareEngine, releaseEngine } from '../../src/metric/engine.ts'
import { metricBytes } from '../../src/metric/ssimulacra2.ts'

describe('Engine', () => {
  it('has the fast build where this test runs', () => {
    expect(fastestBuild()).toBe('simd')
  })

  it('takes exactly the memory that metricBytes announces', () => {
    for (const [width, height] of [
      [8, 8],
      [641, 480],
      [1500, 1111],
    ] as const) {
      const engine = new Engine('simd')
      expect(engine.prepare(width, height, false)).toBe(true)
      expect(engine.bytes).toBe(metricBytes(width, height))
      const strips = new Engine('plain')
      expect(strips.prepare(width, height, true)).toBe(true)
      expect(strips.bytes).toBe(metricBytes(width, height, false, 0))
    }
  })

  it('says that planes beyond 4 GiB do not fit', () => {
    const engine = new Engine('simd')
    expect(engine.prepare(20_000, 20_000, false)).toBe(false)
    expect(engine.measure(20_000, 20_000, false)).toBeGreaterThan(8e9)
  })

  it('turns to strips where planes do not fit', () => {
    const { engine, strips } = prepareEngine('simd', 20_000, 20_000, false)
    expect(strips).toBe(true)
    expect(engine.bytes).toBeLessThan(100e6)
  })
})

describe('the engines kept', () => {
  it('are reused when small and dropped when large', () => {
    const taken = [acquireEngine('simd'), acquireEngine('simd'), acquireEngine('simd')] as const
    expect(taken[0].prepare(64, 64, false)).toBe(true)
    expect(taken[1].prepare(2000, 2000, false)).toBe(true)
    releaseEngine(taken[0])
    releaseEngine(taken[1])
    releaseEngine(taken[2])
    expect(new Set([acquireEngine('simd'), acquireEngine('simd')])).toEqual(new Set([taken[0], taken[2]]))
    expect(taken).not.toContain(acquireEngine('simd'))
  })
})
