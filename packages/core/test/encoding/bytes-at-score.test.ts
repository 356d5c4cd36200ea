import { describe, expect, it } from 'vitest'
import { bytesAt, bytesBetween, leastBytes, leastBytesByTwo } from '../../src/encoding/bytes-at-score.ts'

const scored = (bytes: number, score: number) => ({ data: new Uint8Array(bytes), score })

describe('bytes at a score', () => {
  it('are those of a result that has it', () => {
    expect(bytesAt(80, scored(1000, 80))).toBe(1000)
    expect(bytesBetween(80, scored(1000, 80), scored(1500, 84))).toBe(1000)
    expect(bytesBetween(80, scored(700, 76), scored(1000, 80))).toBeCloseTo(1000, 8)
  })

  it('are estimated from one result over at most four points', () => {
    expect(bytesAt(80, scored(1000, 82))).toBeCloseTo(1000 * Math.exp(-0.1), 8)
    expect(bytesAt(80, scored(1000, 95))).toBe(bytesAt(80, scored(1000, 84)))
    expect(bytesAt(80, scored(1000, 60))).toBe(bytesAt(80, scored(1000, 76)))
  })

  it('lie between two results by the same share of each point', () => {
    expect(bytesBetween(80, scored(4000, 78), scored(9000, 82))).toBeCloseTo(6000, 8)
    // A thumbnail's halved chroma: it took 4 335 bytes, and 5 075 by the result above alone.
    const between = bytesBetween(80, scored(4024, 78.51), scored(6199, 87.54))
    expect(between).toBeGreaterThan(4250)
    expect(between).toBeLessThan(4400)
    expect(bytesAt(80, scored(6199, 87.54))).toBeGreaterThan(5000)
  })

  it('are bound from below by one result nearby, and by nothing from far above', () => {
    expect(leastBytes(scored(1000, 78), 80)).toBeCloseTo(1000 * Math.exp(0.04), 8)
    expect(leastBytes(scored(1000, 82), 80)).toBeCloseTo(1000 * Math.exp(-0.18), 8)
    expect(leastBytes(scored(1000, 83.1), 80)).toBe(0)
  })

  it('are bound from below by two results above that differ by a point', () => {
    expect(leastBytesByTwo(undefined, scored(1000, 90), 80)).toBe(0)
    expect(leastBytesByTwo(scored(1100, 90.5), scored(1000, 90), 80)).toBe(0)
    expect(leastBytesByTwo(scored(1100, 92), scored(1000, 79), 80)).toBe(0)
    expect(leastBytesByTwo(scored(1010, 95), scored(1000, 90), 80)).toBeCloseTo(1000 * Math.exp(-10 * 0.02 * 1.5), 8)
  })
})
