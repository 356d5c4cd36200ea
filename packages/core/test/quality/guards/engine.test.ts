import { describe, expect, it } from 'vitest'
import { guardsBytes } from '../../../src/quality/guards/engine.ts'

describe('guardsBytes', () => {
  it('grows with the width, and with the pixels of originals that are kept', () => {
    expect(guardsBytes(1400, 1400) - guardsBytes(1400, 700)).toBeCloseTo(1400 * 700 * 4, -5)
    expect(guardsBytes(1400, 1400)).toBeLessThan(10e6)
  })

  it('grows with the width of larger pictures alone, to a few megabytes', () => {
    expect(guardsBytes(4000, 3000)).toBeLessThan(4.8e6)
    expect(guardsBytes(4000, 30_000)).toBe(guardsBytes(4000, 3000))
    expect(guardsBytes(65_000, 100)).toBeLessThan(71e6)
  })
})
