import { describe, expect, it } from 'vitest'
import { oklab, seenLight, seenLights } from '../../../src/quality/guards/oklab.ts'
import { definedLab } from './definition.ts'

describe('oklab', () => {
  it('is what the definition says', () => {
    for (const colour of [
      [0, 0, 0],
      [255, 255, 255],
      [255, 0, 0],
      [0, 128, 1],
      [3, 2, 254.5],
      [10, 11, 12],
    ] as const) {
      const [red, green, blue] = colour
      const lab = oklab(red, green, blue)
      definedLab(colour).forEach((value, c) => expect(lab[c]).toBeCloseTo(value, 12))
    }
  })

  it('has lightness from nearly 0.2, the flare, to 1', () => {
    expect(oklab(255, 255, 255)[0]).toBeCloseTo(1, 6)
    expect(oklab(0, 0, 0)[0]).toBeCloseTo(Math.cbrt(0.005), 6)
  })
})

describe('seenLights', () => {
  it('has a value for each step', () => {
    const lights = seenLights(255)
    expect(lights).toHaveLength(256)
    expect(lights[0]).toBeCloseTo(0.005, 7)
    expect(lights[128]).toBe(Math.fround(seenLight(128 / 255)))
    expect(lights[255]).toBe(1)
  })
})
