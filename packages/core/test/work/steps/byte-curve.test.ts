import { describe, expect, it } from 'vitest'
import { bytesAtWidth, widthAtBytes } from '../../../src/work/steps/byte-curve.ts'

const CURVE = [
  { width: 200, bytes: 1000 },
  { width: 400, bytes: 4000 },
  { width: 800, bytes: 8000 },
]

describe('bytesAtWidth', () => {
  it('gives what was measured, and follows a power of the width between and beyond', () => {
    expect([200, 400, 800].map((width) => Math.round(bytesAtWidth(CURVE, width)))).toEqual([1000, 4000, 8000])
    expect(bytesAtWidth(CURVE, 100)).toBeCloseTo(250)
    expect(bytesAtWidth(CURVE, 600)).toBeCloseTo(6000)
    expect(bytesAtWidth(CURVE, 1600)).toBeCloseTo(16_000)
  })

  it('takes one width alone to grow as pictures mostly do', () => {
    expect(bytesAtWidth([{ width: 100, bytes: 1000 }], 50)).toBeCloseTo(1000 / 2 ** 1.6)
  })
})

describe('widthAtBytes', () => {
  it('is the inverse', () => {
    for (const width of [50, 200, 333, 400, 790, 800, 2000]) {
      expect(widthAtBytes(CURVE, bytesAtWidth(CURVE, width))).toBeCloseTo(width)
    }
  })
})
