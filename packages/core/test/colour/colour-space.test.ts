import { describe, expect, it } from 'vitest'
import { apply, conversion, DISPLAY_P3, SRGB, toAdaptedXyz } from '../../src/colour/colour-space.ts'
import type { Matrix } from '../../src/colour/colour-space.ts'
import { ADOBE_RGB } from './spaces.ts'

const expectMatrix = (matrix: Matrix, expected: readonly number[]): void =>
  matrix.flat().forEach((value, index) => expect(value).toBeCloseTo(expected[index]!, 3))

describe('colour spaces', () => {
  it("have the published matrices: sRGB's profile, and CSS Color 4's way from Display P3", () => {
    expectMatrix(toAdaptedXyz(SRGB), [0.4361, 0.3851, 0.1431, 0.2225, 0.7169, 0.0606, 0.0139, 0.0971, 0.7141])
    expectMatrix(
      conversion(toAdaptedXyz(DISPLAY_P3), SRGB),
      [1.2249, -0.2249, 0, -0.0421, 1.0421, 0, -0.0196, -0.0786, 1.0983],
    )
  })

  it('agree on white, and lead back', () => {
    for (const space of [SRGB, DISPLAY_P3, ADOBE_RGB]) {
      apply(toAdaptedXyz(space), [1, 1, 1]).forEach((value, index) =>
        expect(value).toBeCloseTo([0.9642, 1, 0.8249][index]!, 3),
      )
      expectMatrix(conversion(toAdaptedXyz(space), space), [1, 0, 0, 0, 1, 0, 0, 0, 1])
    }
  })
})
