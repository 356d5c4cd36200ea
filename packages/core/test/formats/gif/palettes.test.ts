import { describe, expect, it } from 'vitest'
import { bitsFor, isCovered, sharedPalette } from '../../../src/formats/gif/palettes.ts'

const from = (first: number, count: number): Set<number> =>
  new Set(Array.from({ length: count }, (_, at) => first + at))

describe('sharedPalette', () => {
  it('holds the colours of all frames, those first that the most frames need', () => {
    const { numbers, places } = sharedPalette([from(1, 3), from(3, 2), from(4, 1)])
    expect(numbers).toEqual([3, 4, 1, 2])
    expect(places.get(4)).toBe(1)
  })

  it('leaves out frames whose colours do not fit, and as few of them as can be', () => {
    const frames = [from(1000, 250), ...Array.from({ length: 9 }, (_, at) => from(1 + at, 200))]
    const { numbers, places } = sharedPalette(frames)
    expect(numbers.length).toBeLessThanOrEqual(256)
    expect(frames.filter((frame) => isCovered(frame, places))).toHaveLength(9)
  })
})

describe('bitsFor', () => {
  it('is at least one, and enough for all entries', () => {
    expect([0, 1, 2, 3, 4, 5, 128, 129, 256].map(bitsFor)).toEqual([1, 1, 1, 2, 2, 3, 7, 8, 8])
  })
})
