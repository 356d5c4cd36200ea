import { describe, expect, it } from 'vitest'
import { enlargeTwice, isJudgedTwice, SMALL_SIDE } from '../../../src/quality/guards/twice.ts'
import { randomPixels } from '../metric/distortions.ts'

describe('enlargeTwice', () => {
  it('makes four pixels of each', () => {
    const data = Uint8Array.of(1, 2, 3, 4, 5, 6)
    const one = Array.from({ length: 2 }, () => [1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6])
    expect(enlargeTwice({ data, width: 2, height: 1, channels: 3 })).toEqual({
      data: Uint8Array.from(one.flat()),
      width: 4,
      height: 2,
      channels: 3,
    })
  })

  it('has every pixel of the original at half its place', () => {
    const original = randomPixels(5, 7, 4, 3)
    const shifted = { ...original, data: Uint8Array.of(0, ...original.data).subarray(1) }
    const twice = enlargeTwice(original)
    expect(enlargeTwice(shifted)).toEqual(twice)
    for (let y = 0; y < 14; y++) {
      for (let x = 0; x < 10; x++) {
        const from = ((y >> 1) * 5 + (x >> 1)) * 4
        const to = (y * 10 + x) * 4
        expect(twice.data.subarray(to, to + 4)).toEqual(original.data.subarray(from, from + 4))
      }
    }
  })
})

describe('isSmall', () => {
  it('goes up to a longest side of 128 pixels', () => {
    expect(SMALL_SIDE).toBe(128)
    expect(isJudgedTwice({ width: 128, height: 1 })).toBe(true)
    expect(isJudgedTwice({ width: 64, height: 129 })).toBe(false)
  })
})
