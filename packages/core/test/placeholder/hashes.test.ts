import { describe, expect, it } from 'vitest'
import { decodeBlurHash, encodeBlurHash } from '../../src/placeholder/blurhash.ts'
import { dominantColour } from '../../src/placeholder/dominant-colour.ts'
import type { Samples } from '../../src/placeholder/samples.ts'
import { decodeThumbHash, encodeThumbHash } from '../../src/placeholder/thumbhash.ts'

/** Red across, green down, a pattern of blue. */
function gradient(width: number, height: number, hasAlpha: boolean): Samples {
  const data = new Uint8Array(width * height * 4)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 4) {
      data[at] = (x * 255) / (width - 1)
      data[at + 1] = (y * 255) / (height - 1)
      data[at + 2] = (x * y * 7) % 256
      data[at + 3] = hasAlpha ? ((x + y) * 255) / (width + height - 2) : 255
    }
  return { data, width, height, hasAlpha }
}

/**
 * Red falls from left to right and green downwards. The largest component is above 0; the author's TypeScript takes it
 * for the largest of all.
 */
function falling(width: number, height: number): Samples {
  const data = Uint8Array.from({ length: width * height * 4 }, (_, at) => {
    const [x, y] = [(at >> 2) % width, Math.floor((at >> 2) / width)]
    return [((width - 1 - x) * 255) / (width - 1), ((height - 1 - y) * 255) / (height - 1), 128, 255][at % 4]!
  })
  return { data, width, height, hasAlpha: false }
}

/** Hashes of the same pixels by thumbhash 0.1.1, the author's own package. */
const REFERENCE = [
  { size: [40, 30, false], thumbhash: 'HwgKNZpwdndwd4d3h2d3d5CACfh4' },
  { size: [30, 40, false], thumbhash: 'H/gJNRpwdnB3d3dnh3d3eJCACfh4' },
  { size: [20, 20, true], thumbhash: 'o/iFFQ4nkIbAh3loiMCwDPlogIeAiIh4iA==' },
] as const

describe('encodeThumbHash', () => {
  it.each(REFERENCE)("gives the author's hash of $size", ({ size, thumbhash }) => {
    expect(Buffer.from(encodeThumbHash(gradient(size[0], size[1], size[2]))).toString('base64')).toBe(thumbhash)
  })
})

describe('decodeThumbHash', () => {
  it("shows the author's pixels, opacity included", () => {
    const shown = decodeThumbHash(Buffer.from(REFERENCE[2].thumbhash, 'base64'), { width: 32, height: 32 })
    const expected = Buffer.from('7e7e70137e7d7112', 'hex')
    for (const [at, level] of expected.entries()) expect(Math.abs(shown[at]! - level)).toBeLessThanOrEqual(1)
  })

  it('gives one colour back', () => {
    const data = Uint8Array.from({ length: 64 }, (_, at) => [200, 100, 50, 255][at % 4]!)
    const hash = encodeThumbHash({ data, width: 4, height: 4, hasAlpha: false })
    const [red = 0, green = 0, blue = 0] = decodeThumbHash(hash, { width: 1, height: 1 })
    for (const difference of [red - 200, green - 100, blue - 50]) expect(Math.abs(difference)).toBeLessThan(6)
  })
})

describe('encodeBlurHash', () => {
  // The hashes are those of blurhash 2.0.5, the author's own package.
  it.each([
    [40, 30, 'L.Het8|^$5xFq8oKjtj@gcfjfQfj'],
    [30, 40, 'T.Het8|_$5q7kAjtgcfjfQo_j@jt'],
  ] as const)("gives the author's hash of %i × %i pixels", (width, height, hash) => {
    expect(encodeBlurHash(falling(width, height))).toBe(hash)
  })

  it('takes the mean of what is seen where a picture is transparent', () => {
    const red = [255, 0, 0, 255]
    const half = Uint8Array.from({ length: 16 * 16 * 4 }, (_, at) => (at >> 2 >= 128 ? 0 : red[at % 4]!))
    const whole = Uint8Array.from({ length: 16 * 16 * 4 }, (_, at) => red[at % 4]!)
    const size = { width: 16, height: 16 }
    expect(encodeBlurHash({ data: half, ...size, hasAlpha: true })).toBe(
      encodeBlurHash({ data: whole, ...size, hasAlpha: false }),
    )
  })
})

describe('decodeBlurHash', () => {
  it('shows what was hashed', () => {
    const shown = decodeBlurHash('L.Het8|^$5xFq8oKjtj@gcfjfQfj', { width: 4, height: 4 })
    const corner = (x: number, y: number): number[] => [...shown.subarray((y * 4 + x) * 4, (y * 4 + x) * 4 + 4)]
    expect(corner(0, 0)[0]).toBeGreaterThan(corner(3, 0)[0]! + 80)
    expect(corner(0, 0)[1]).toBeGreaterThan(corner(0, 3)[1]! + 80)
    expect(corner(0, 0)[3]).toBe(255)
  })
})

const colourOf = (pixels: readonly (readonly number[])[], hasAlpha = false): string =>
  dominantColour({ data: Uint8Array.from(pixels.flat()), width: pixels.length, height: 1, hasAlpha })

describe('dominantColour', () => {
  const blue = [10, 20, 200, 255]
  const white = [255, 255, 255, 255]

  it('is the commonest, not the mean', () => {
    expect(colourOf([blue, blue, white, blue, white])).toBe('#0a14c8')
  })

  it('has the mean opacity of a picture that is not opaque, and no colour of clear pixels', () => {
    expect(colourOf([blue, [255, 0, 0, 0], [255, 0, 0, 0], [255, 0, 0, 0]], true)).toBe('#0a14c840')
  })

  it('is clear for a picture of nothing', () => {
    expect(colourOf([[9, 9, 9, 0]], true)).toBe('#00000000')
  })
})
