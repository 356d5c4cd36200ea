import { describe, expect, it } from 'vitest'
import { largestColourShift, shiftPenalty } from '../../../src/engine/encoders/colour-shift.ts'

const side = 30
const grey = (): Buffer => Buffer.alloc(side * side * 3, 120)
const image = (data: Buffer) => ({ data, width: side, height: side, channels: 3 as const })

function withDot(left: number, top: number, size: number): Buffer {
  const data = grey()
  for (let y = top; y < top + size; y++) {
    for (let x = left; x < left + size; x++) data.set([220, 20, 20], (y * side + x) * 3)
  }
  return data
}

describe('the largest shift of colour', () => {
  it('is nothing between equal pictures', () => {
    expect(largestColourShift(image(grey()), grey())).toBe(0)
  })

  it.each([
    [0, 0],
    [1, 2],
    [13, 14],
    [26, 27],
  ])('sees a dot of three pixels at %d, %d that is lost', (left, top) => {
    expect(largestColourShift(image(withDot(left, top, 3)), grey())).toBeGreaterThan(40)
  })

  it('does not mind one pixel', () => {
    expect(largestColourShift(image(withDot(7, 8, 1)), grey())).toBeLessThan(30)
  })

  it('leaves the colour of transparent pixels out, and sees them become opaque', () => {
    const size = { width: 2, height: 2, channels: 4 as const }
    const red = { ...size, data: repeated([255, 0, 0, 0]) }
    expect(largestColourShift(red, repeated([0, 255, 0, 0]))).toBe(0)
    expect(largestColourShift(red, repeated([0, 0, 0, 255]))).toBe(255)
  })

  it('counts against a score the more the higher the promise', () => {
    const lost = [image(withDot(3, 3, 3)), grey()] as const
    expect(shiftPenalty(...lost, 90)).toBe(shiftPenalty(...lost, 80) + 10)
    expect(shiftPenalty(image(grey()), grey(), 100)).toBe(0)
  })
})

function repeated(pixel: readonly number[]): Buffer {
  return Buffer.from(Array.from({ length: 4 }, () => pixel).flat())
}
