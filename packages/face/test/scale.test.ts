import { describe, expect, it } from 'vitest'
import { binsOf, shareOnScale, scaleOf } from '../src/scale.ts'

describe('scaleOf', () => {
  it.each([
    [[], 70, 5],
    [[80], 70, 5],
    [[95], 70, 5],
    [[80, 60], 50, 5],
    [[45], 30, 10],
    [[3], 0, 10],
  ])('shows what lies below %j, from %i on', (promises, from, step) => {
    expect(scaleOf(promises)).toEqual({ from, step })
  })
})

describe('shareOnScale', () => {
  it.each([
    [100, 1],
    [85, 0.5],
    [70, 0],
    [-20, 0],
  ])('puts a score of %i at %d of a scale from 70', (score, place) => {
    expect(shareOnScale(score, { from: 70, step: 5 })).toBe(place)
  })
})

describe('binsOf', () => {
  it('leaves no score out, and counts none twice', () => {
    for (const promise of [1, 45, 60, 80]) {
      const bins = binsOf(scaleOf([promise]))
      for (const score of [-40, 0, 29.99, 30, 50, 79.99, 80, 99.99, 100])
        expect(bins.filter(({ from, to }) => score >= from && score < to)).toHaveLength(1)
    }
  })

  it('names its parts, of which the first has all that lies below', () => {
    expect(binsOf({ from: 85, step: 5 }).map(({ name }) => name)).toEqual(['under 90', '90–95', '95–100', 'exact'])
  })
})
