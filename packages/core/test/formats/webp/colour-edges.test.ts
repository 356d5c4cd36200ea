import { describe, expect, it } from 'vitest'
import { hasColourEdges } from '../../../src/formats/webp/colour-edges.ts'
import { createPicture } from '../../../src/encoding/picture.ts'

const SIDE = 40

/** A picture whose pixels are told by their place. */
function picture(colourAt: (x: number, y: number) => readonly [number, number, number], channels: 3 | 4 = 3) {
  const data = Buffer.alloc(SIDE * SIDE * channels, 128)
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) data.set(colourAt(x, y), (y * SIDE + x) * channels)
  }
  return createPicture({ data, width: SIDE, height: SIDE, channels })
}

const RED = [220, 30, 30] as const
const BLUE = [30, 30, 220] as const

describe('hasColourEdges', () => {
  it.each([3, 4] as const)('is true where colours meet within squares, with %d channels', (channels) => {
    expect(hasColourEdges(picture((x) => (x % 4 === 1 ? RED : BLUE), channels))).toBe(true)
  })

  it('is false where few do', () => {
    expect(hasColourEdges(picture((x, y) => (x === 1 && y === 1 ? RED : BLUE)))).toBe(false)
  })

  it('is false where colours change slowly', () => {
    expect(hasColourEdges(picture((x, y) => [x * 4, 100, y * 4]))).toBe(false)
  })

  it('is false where only the brightness has edges', () => {
    expect(hasColourEdges(picture((x) => (x % 2 === 0 ? [60, 40, 20] : [240, 220, 200])))).toBe(false)
    expect(hasColourEdges(picture((x) => (x % 2 === 0 ? [0, 0, 0] : [255, 255, 255])))).toBe(false)
  })
})
