import { describe, expect, it } from 'vitest'
import { hasFinePattern } from '../../src/resample/fine-pattern.ts'
import { checks, draw, flat } from '../work/steps/rasters.ts'

describe('hasFinePattern', () => {
  it('sees lines and checks of a pixel, anywhere', () => {
    expect(hasFinePattern(checks(64, 64))).toBe(true)
    const corner = draw(200, 200, (x, y) => (x > 170 && y > 170 && x % 3 === 0 ? [255, 255, 255] : [0, 0, 0]))
    expect(hasFinePattern(corner)).toBe(true)
  })

  it('sees none in flat, soft or coarse pictures, nor in one pixel', () => {
    expect(hasFinePattern(flat(64, 64, [9, 200, 30]))).toBe(false)
    expect(hasFinePattern(draw(64, 64, (x, y) => [x * 4, y * 4, 90]))).toBe(false)
    expect(hasFinePattern(checks(256, 256, 64))).toBe(false)
    expect(hasFinePattern(flat(1, 1, [1, 2, 3]))).toBe(false)
  })
})
