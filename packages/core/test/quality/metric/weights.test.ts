import { describe, expect, it } from 'vitest'
import { activeChannels, MAX_SCALES, scaleCount, scoreOf, WEIGHTS } from '../../../src/quality/metric/weights.ts'

describe('scaleCount', () => {
  // A scale is added while the one before has no side below 8: 8 → 4, 15 → 8 → 4, 16 → 8 → 4, 17 → 9 → 5.
  it.each([
    [8, 8, 2],
    [15, 100, 3],
    [16, 16, 3],
    [100, 17, 3],
    [1000, 64, 5],
    [112, 112, 5],
    [113, 113, 6],
    [128, 128, 6],
    [4000, 3000, 6],
  ])('of %i × %i is %i', (width, height, scales) => {
    expect(scaleCount(width, height)).toBe(scales)
  })
})

describe('activeChannels', () => {
  it('leaves out what has next to no weight', () => {
    const names = Array.from({ length: MAX_SCALES * 3 }, (_, bit) => `${'XYB'[bit % 3]}${Math.floor(bit / 3)}`)
    const active = names.filter((_, bit) => (activeChannels(MAX_SCALES) >> bit) & 1)
    expect(active).toEqual(['Y0', 'X1', 'Y1', 'X2', 'Y2', 'X3', 'Y3', 'B3', 'X4', 'Y4', 'B4'])
  })

  it('shifts the weights where there are fewer scales, as the published code does', () => {
    // X has the first 12 weights, Y the next 12, B the next: those of X at scales 0 to 5 in the full list.
    expect(activeChannels(2)).toBe(0b011_110)
  })
})

function sums(value: number): Float64Array {
  return new Float64Array(MAX_SCALES * 3 * 6).fill(value)
}

describe('scoreOf', () => {
  it('is 100 without any error and falls below zero', () => {
    const pixels = [1, 1, 1, 1, 1, 1]
    expect(scoreOf(sums(0), pixels)).toBe(100)
    expect(scoreOf(sums(1e-9), pixels)).toBeLessThan(100)
    expect(scoreOf(sums(1), pixels)).toBeLessThan(0)
  })

  it('divides each scale by its own pixels and weighs each norm by its own weight', () => {
    const values = sums(0)
    // Scale 2, luma: the mean of the dissimilarity, the largest weight of all.
    values[(2 * 3 + 1) * 6] = 0.5
    const error = 0.05 * Math.max(...WEIGHTS) * 0.9562382616834844
    const expected =
      100 -
      10 *
        (2.326765642916932 * error - 0.020884521182843837 * error ** 2 + 6.248496625763138e-5 * error ** 3) **
          0.6276336467831387
    expect(scoreOf(values, [1000, 100, 10, 1, 1, 1])).toBeCloseTo(expected, 10)
  })
})
