import { describe, expect, it } from 'vitest'
import { findFlatColours, largestFlatShift } from '../../../src/quality/guards/flat.ts'
import type { FlatColours, FlatShift } from '../../../src/quality/guards/flat.ts'
import { oklab } from '../../../src/quality/guards/oklab.ts'
import type { Pixels } from '../../../src/quality/metric/ssimulacra2.ts'
import { randomPixels } from '../metric/distortions.ts'
import { definedLab } from './definition.ts'

type Rgba = readonly [number, number, number, number]

const WHITE: Rgba = [255, 255, 255, 255]
const BRAND: Rgba = [200, 16, 46, 255]

/** A picture whose pixels have the colour that a function gives for their place. */
function drawn(width: number, height: number, colour: (x: number, y: number) => Rgba): Pixels {
  const rows = Array.from({ length: width * height }, (_, i) => [...colour(i % width, Math.floor(i / width))])
  return { data: Uint8Array.from(rows.flat()), width, height, channels: 4 }
}

/** White with a square of the brand's colour at 10, 10. */
function logo(side: number, brand: Rgba = BRAND, ground: Rgba = WHITE): Pixels {
  return drawn(60, 40, (x, y) => (x >= 10 && x < 10 + side && y >= 10 && y < 10 + side ? brand : ground))
}

/** A square of the brand's colour on 160,000 pixels of white. */
function large(side: number): Pixels {
  return drawn(400, 400, (x, y) => (x > 10 && x <= 10 + side && y > 10 && y <= 10 + side ? BRAND : WHITE))
}

const pixelOf = ([r, g, b, a]: Rgba): number => ((a << 24) | (b << 16) | (g << 8) | r) >>> 0

function distance(a: readonly number[], b: readonly number[]): number {
  const [one, other] = [definedLab(a), definedLab(b)]
  return Math.hypot(...one.map((value, c) => value - other[c]!))
}

/** Rectangles of one colour each. */
const stretches = (x: number, y: number): Rgba => [(x >> 6) * 40, (y >> 4) * 30, 90, x < 200 ? 255 : 128]

function inChannels(pixels: Pixels, channels: 3 | 4): Pixels {
  return channels === 4 ? pixels : { ...pixels, channels, data: pixels.data.filter((_, at) => at % 4 !== 3) }
}

/** A pixel here and there of another value, in stretches that begin and end as they did. */
const changedHere = (pixels: Pixels): Pixels => ({
  ...pixels,
  data: pixels.data.map((value, at) => (at % (37 * pixels.channels) === 0 ? value ^ 64 : value)),
})

/** The definition: each colour's mean, pixel by pixel. */
function plainShift({ colours, runs }: FlatColours, { data, channels }: Pixels, greys: readonly number[]): FlatShift {
  const found = { shift: 0, first: 0 }
  for (const [index, colour] of colours.entries()) {
    const ofColour = Array.from({ length: runs.length / 3 }, (_, run) => runs.subarray(3 * run, 3 * run + 3)).filter(
      ([, , number]) => number === index,
    )
    const pixels = ofColour.flatMap(([start, count]) => Array.from({ length: count! }, (_, pixel) => start! + pixel))
    const alphaAt = (pixel: number): number => (channels === 4 ? data[4 * pixel + 3]! : 255)
    const alphas = pixels.reduce((sum, pixel) => sum + alphaAt(pixel), 0)
    const alpha = colour >>> 24
    for (const grey of greys) {
      const had = [0, 1, 2].map((c) => (((colour >>> (8 * c)) & 255) * alpha + grey * (255 - alpha)) / 255)
      const has = [0, 1, 2].map((c) => {
        const sum = pixels.reduce((sums, pixel) => sums + data[channels * pixel + c]! * alphaAt(pixel), 0)
        return (sum + grey * (255 * pixels.length - alphas)) / (255 * pixels.length)
      })
      const [a, b] = [oklab(had[0]!, had[1]!, had[2]!), oklab(has[0]!, has[1]!, has[2]!)]
      const shift = Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)
      if (shift > found.shift) Object.assign(found, { shift, first: ofColour[0]![0] })
    }
  }
  return found
}

describe('findFlatColours', () => {
  it('finds exact colours by the pixels that have four neighbours of the same', () => {
    // 8 × 8 pixels have 6 × 6 inside, fewer than 48; 9 × 9 have 7 × 7.
    expect([...findFlatColours(logo(8)).colours]).toEqual([pixelOf(WHITE)])
    expect([...findFlatColours(logo(9)).colours]).toEqual([pixelOf(WHITE), pixelOf(BRAND)])
  })

  it('counts a share of the pixels of a large picture', () => {
    // 0.05 % of 160,000 pixels are 80.
    expect(findFlatColours(large(10)).colours).toHaveLength(1)
    expect(findFlatColours(large(11)).colours).toHaveLength(2)
  })

  it('covers each inner pixel of a flat colour once', () => {
    const { runs } = findFlatColours(logo(12))
    const pixels = Array.from({ length: runs.length / 3 }, (_, run) => runs.subarray(3 * run, 3 * run + 3)).flatMap(
      ([start, length]) => Array.from({ length: length! }, (_, i) => start! + i),
    )
    expect(new Set(pixels).size).toBe(pixels.length)
    // All but the border, the square's own border, and the white around it.
    expect(pixels).toHaveLength(58 * 38 - (12 * 12 - 10 * 10) - 4 * 12)
    expect(pixels).toContain(15 * 60 + 15)
    expect(pixels).not.toContain(10 * 60 + 15)
  })

  it('takes all pixels of alpha 0 for one colour', () => {
    let shade = 0
    const clear = drawn(20, 20, () => [shade++ % 256, 0, 0, 0])
    expect([...findFlatColours(clear).colours]).toEqual([0])
  })

  it('finds none in noise, nor in pictures without an inside', () => {
    expect(findFlatColours(randomPixels(200, 100, 3, 1)).colours).toHaveLength(0)
    expect(findFlatColours(drawn(200, 2, () => WHITE)).colours).toHaveLength(0)
    expect(findFlatColours(drawn(2, 200, () => WHITE)).colours).toHaveLength(0)
  })
})

describe('largestFlatShift', () => {
  it('is the distance of the colour that moved most', () => {
    const flat = findFlatColours(logo(12))
    expect(largestFlatShift(flat, logo(12), [255]).shift).toBe(0)
    const result = logo(12, [205, 16, 46, 255], [252, 252, 252, 255])
    const expected = Math.max(distance([255, 255, 255], [252, 252, 252]), distance([200, 16, 46], [205, 16, 46]))
    expect(largestFlatShift(flat, result, [255]).shift).toBeCloseTo(expected, 10)
  })

  it.each([3, 4] as const)('gives the bits that adding up pixel by pixel gives, of %i channels', (channels) => {
    const original = inChannels(drawn(320, 64, stretches), channels)
    const flat = findFlatColours(original)
    expect(flat.colours.length).toBeGreaterThan(15)
    const moved = { ...original, data: original.data.map((value, at) => (at % channels < 3 ? value ^ 3 : value)) }
    for (const result of [original, moved, changedHere(original), randomPixels(320, 64, channels, 9)]) {
      expect(largestFlatShift(flat, result, [255, 0])).toEqual(plainShift(flat, result, [255, 0]))
    }
  })

  it('says which pixel is the first of that colour', () => {
    const flat = findFlatColours(drawn(60, 40, (x, y) => (x >= 20 && y >= 10 ? BRAND : WHITE)))
    const result = drawn(60, 40, (x, y) => (x >= 20 && y >= 10 ? [205, 16, 46, 255] : WHITE))
    // The colour's first pixel with four neighbours of the same.
    expect(largestFlatShift(flat, result, [255]).first).toBe(11 * 60 + 21)
  })

  it('compares the mean, so that noise around the colour is none', () => {
    const flat = findFlatColours(drawn(40, 40, () => [128, 128, 128, 255]))
    const noisy = drawn(40, 40, (x, y) => ((x + y) % 2 === 0 ? [126, 126, 126, 255] : [130, 130, 130, 255]))
    expect(largestFlatShift(flat, noisy, [255]).shift).toBeLessThan(1e-6)
  })

  it('sees a faint box on the background where it is seen most', () => {
    const flat = findFlatColours(drawn(40, 40, () => [0, 0, 0, 0]))
    const box = drawn(40, 40, () => [0, 0, 0, 10])
    expect(largestFlatShift(flat, box, [0]).shift).toBe(0)
    const expected = distance([255, 255, 255], [245, 245, 245])
    expect(largestFlatShift(flat, box, [255, 0]).shift).toBeCloseTo(expected, 10)
  })

  it('reads results without alpha', () => {
    const flat = findFlatColours(logo(12))
    const rgb: Pixels = { data: new Uint8Array(60 * 40 * 3).fill(255), width: 60, height: 40, channels: 3 }
    expect(largestFlatShift(flat, rgb, [255]).shift).toBeCloseTo(distance([200, 16, 46], [255, 255, 255]), 10)
  })
})
