import { describe, expect, it } from 'vitest'
import { PixpressError } from '../../../src/base/errors.ts'
import { createReference, metricBytes, type Pixels, ssimulacra2 } from '../../../src/quality/metric/ssimulacra2.ts'
import { definedScore, linearImage } from './definition.ts'
import { blurred, fixture, noisy, randomPixels, shifted } from './distortions.ts'
import table from './reference-scores.json' with { type: 'json' }

const DISTORTIONS: Record<string, (pixels: Pixels) => Pixels> = { blurred, noisy, shifted }

async function pair(original: string, distorted: string): Promise<[Pixels, Pixels]> {
  const pixels = await fixture(original)
  const distort = DISTORTIONS[distorted]
  return [pixels, distort ? distort(pixels) : await fixture(distorted)]
}

/** A part of an image, from its upper left corner. */
function cropped({ data, width, channels }: Pixels, wide: number, high: number): Pixels {
  const rows = Array.from({ length: high }, (_, y) => [
    ...data.subarray(y * width * channels, (y * width + wide) * channels),
  ])
  return { data: Uint8Array.from(rows.flat()), width: wide, height: high, channels }
}

function withAlpha({ data, width, height }: Pixels, alpha: (x: number, y: number) => number): Pixels {
  const rgba = new Uint8Array(width * height * 4)
  for (let i = 0; i < width * height; i++) {
    rgba.set(data.subarray(i * 3, i * 3 + 3), i * 4)
    rgba[i * 4 + 3] = alpha(i % width, Math.floor(i / width))
  }
  return { data: rgba, width, height, channels: 4 }
}

function flat(width: number, height: number, grey: number): Pixels {
  return { data: new Uint8Array(width * height * 3).fill(grey), width, height, channels: 3 }
}

/** Alpha of every value, rising along rows and columns. */
function ramp(x: number, y: number): number {
  return (x * 3 + y) % 256
}

/** Alpha that is opaque but for a square. */
function hole(x: number, y: number): number {
  return x > 8 && x < 24 && y > 8 && y < 24 ? 0 : 255
}

function score(original: Pixels, distorted: Pixels, options: Parameters<typeof createReference>[1]): number {
  const reference = createReference(original, options)
  const result = reference.score(distorted)
  reference.dispose()
  return result
}

describe('the published tool', () => {
  it.each(table.pairs)('scores $original against $distorted alike', async ({ original, distorted, ...published }) => {
    const result = ssimulacra2(...(await pair(original, distorted)))
    // Its recursive blur rounds badly on large bright areas, up to a whole point on the screenshot; with that blur in
    // double precision it agrees everywhere.
    if (original !== 'docs.png') expect(Math.abs(result - published.score)).toBeLessThan(0.1)
    expect(Math.abs(result - published.exactBlur)).toBeLessThan(0.02)
  })

  it('has pairs from bad to nearly lossless', () => {
    const scores = table.pairs.map((entry) => entry.score)
    expect(Math.min(...scores)).toBeLessThan(30)
    expect(Math.max(...scores)).toBeGreaterThan(90)
  })
})

describe('the definition', () => {
  // Widths and heights around the vector of four, around halving to odd sizes, and around the end of the scales.
  it.each([
    [8, 8],
    [9, 15],
    [15, 16],
    [17, 31],
    [34, 33],
    [67, 8],
    [8, 70],
    [96, 65],
  ])('is met at %i × %i pixels', async (width, height) => {
    const original = cropped(await fixture('chelsea.png'), width, height)
    const distorted = cropped(await fixture('chelsea-q50.jpg'), width, height)
    const expected = definedScore(linearImage(original), linearImage(distorted))
    expect(expected).toBeLessThan(95)
    expect(Math.abs(ssimulacra2(original, distorted) - expected)).toBeLessThan(0.01)
    expect(Math.abs(score(original, distorted, { build: 'plain' }) - expected)).toBeLessThan(0.01)
  })

  it('is met where all is noise, with a negative score', () => {
    const [original, distorted] = [randomPixels(71, 53, 3, 1), randomPixels(71, 53, 3, 2)]
    const expected = definedScore(linearImage(original), linearImage(distorted))
    expect(expected).toBeLessThan(0)
    expect(Math.abs(ssimulacra2(original, distorted) - expected)).toBeLessThan(0.01)
  })

  it('is met in flat bright areas, where rounding errors are largest', async () => {
    const [original, distorted] = await pair('docs.png', 'docs-q95.jpg')
    const expected = definedScore(linearImage(original), linearImage(distorted))
    expect(Math.abs(ssimulacra2(original, distorted) - expected)).toBeLessThan(0.002)
  })
})

describe('createReference', () => {
  it('gives exactly 100 to identical pixels', async () => {
    for (const file of ['coffee.png', 'docs.png']) {
      const pixels = await fixture(file)
      expect(ssimulacra2(pixels, { ...pixels, data: pixels.data.slice() })).toBe(100)
    }
  })

  it('scores any number of images, in any order, always the same', async () => {
    const [original, bad] = await pair('coffee.png', 'coffee-q20.jpg')
    const good = await fixture('coffee-q95.jpg')
    const reference = createReference(original)
    const first = [reference.score(bad), reference.score(good), reference.score(original)]
    expect([reference.score(bad), reference.score(good), reference.score(original)]).toEqual(first)
    reference.dispose()
    expect(first[0]).toBeLessThan(first[1] ?? 0)
    expect([ssimulacra2(original, bad), ssimulacra2(original, good), 100]).toEqual(first)
  })

  it('is not disturbed by what an instance compared before', async () => {
    const [original, distorted] = await pair('chelsea.png', 'chelsea-q50.jpg')
    const before = ssimulacra2(original, distorted)
    ssimulacra2(randomPixels(150, 90, 4, 3), randomPixels(150, 90, 4, 4))
    ssimulacra2(randomPixels(11, 200, 3, 5), randomPixels(11, 200, 4, 6))
    expect(ssimulacra2(original, distorted)).toBe(before)
  })

  it('keeps references apart that live at the same time', async () => {
    const [coffee, coffeeBad] = await pair('coffee.png', 'coffee-q20.jpg')
    const [chelsea, chelseaBad] = await pair('chelsea.png', 'chelsea-q20.jpg')
    const references = [createReference(coffee), createReference(chelsea)] as const
    expect(references[0].score(coffeeBad)).toBe(ssimulacra2(coffee, coffeeBad))
    expect(references[1].score(chelseaBad)).toBe(ssimulacra2(chelsea, chelseaBad))
    for (const reference of references) reference.dispose()
  })

  it('agrees with and without SIMD', async () => {
    for (const { original, distorted } of table.pairs) {
      const [a, b] = await pair(original, distorted)
      expect(Math.abs(score(a, b, { build: 'simd' }) - score(a, b, { build: 'plain' }))).toBeLessThan(1e-3)
    }
  })

  it('gives the same score in strips as with the whole original prepared', () => {
    // Taller than several batches of rows, with heights that end in the middle of one at every scale.
    for (const [width, height] of [
      [40, 333],
      [131, 64],
      [33, 97],
    ] as const) {
      const original = randomPixels(width, height, 3, width)
      const distorted = blurred(original)
      const options = { maxBytes: 0 }
      expect(score(original, distorted, options)).toBe(ssimulacra2(original, distorted))
      const transparent = withAlpha(original, (x) => x * 5)
      expect(score(transparent, distorted, options)).toBe(ssimulacra2(transparent, distorted))
    }
  })

  it('refuses other dimensions, data that does not fit them, and use after dispose()', () => {
    const pixels = randomPixels(16, 12, 3, 1)
    const reference = createReference(pixels)
    const internal = expect.objectContaining({ code: 'INTERNAL' }) as PixpressError
    expect(() => reference.score(randomPixels(12, 16, 3, 1))).toThrow(internal)
    expect(() => reference.score({ ...pixels, channels: 4 })).toThrow(internal)
    expect(() => createReference({ ...pixels, height: 13 })).toThrow(internal)
    expect(() => createReference({ ...pixels, data: new Uint8Array(), height: 0 })).toThrow(internal)
    reference.dispose()
    reference.dispose()
    expect(() => reference.score(pixels)).toThrow(internal)
  })
})

describe('images below 8 pixels', () => {
  it('are judged as mirrored at their edges', () => {
    const mirror = [0, 1, 2, 2, 1, 0, 0, 1]
    const grow = ({ data }: Pixels): Pixels => ({
      data: Uint8Array.from(
        mirror.flatMap((y) => mirror.flatMap((x) => [...data.subarray((y * 3 + x) * 3, (y * 3 + x) * 3 + 3)])),
      ),
      width: 8,
      height: 8,
      channels: 3,
    })
    const [original, distorted] = [randomPixels(3, 3, 3, 1), randomPixels(3, 3, 3, 2)]
    expect(ssimulacra2(original, distorted)).toBe(ssimulacra2(grow(original), grow(distorted)))
  })

  it('can have one pixel', () => {
    const [dark, similar, bright] = [90, 95, 200].map((grey) => flat(1, 1, grey)) as [Pixels, Pixels, Pixels]
    expect(ssimulacra2(dark, dark)).toBe(100)
    expect(ssimulacra2(dark, similar)).toBeGreaterThan(ssimulacra2(dark, bright))
  })
})

describe('transparency', () => {
  it('does not count where all is opaque', async () => {
    const [original, distorted] = await pair('coffee.png', 'coffee-q50.jpg')
    const opaque = [withAlpha(original, () => 255), withAlpha(distorted, () => 255)] as const
    expect(ssimulacra2(...opaque)).toBe(ssimulacra2(original, distorted))
    expect(ssimulacra2(original, opaque[1])).toBe(ssimulacra2(original, distorted))
  })

  it('is judged on white and on black, and the lower score counts', async () => {
    const [original, distorted] = await pair('coffee.png', 'coffee-q50.jpg')
    const [a, b] = [withAlpha(original, ramp), withAlpha(distorted, (x, y) => Math.min(255, ramp(x, y) + 9))]
    const expected = [255, 0].map((grey) => definedScore(linearImage(a, grey), linearImage(b, grey)))
    expect(Math.abs((expected[0] ?? 0) - (expected[1] ?? 0))).toBeGreaterThan(1)
    expect(Math.abs(ssimulacra2(a, b) - Math.min(...expected))).toBeLessThan(0.01)
  })

  it.each([0, 255])('that is lost shows on the other background than %i', (grey) => {
    const opaque = flat(32, 32, grey)
    const transparent = withAlpha(opaque, hole)
    expect(ssimulacra2(transparent, opaque)).toBeLessThan(60)
    expect(ssimulacra2(opaque, transparent)).toBeLessThan(60)
  })

  it('hides what lies beneath it', () => {
    const [original, distorted] = [randomPixels(20, 20, 3, 1), randomPixels(20, 20, 3, 2)]
    expect(
      ssimulacra2(
        withAlpha(original, () => 0),
        withAlpha(distorted, () => 0),
      ),
    ).toBe(100)
  })
})

describe('metricBytes', () => {
  it('is about 21 bytes per pixel, twice that with transparency', () => {
    expect(metricBytes(2000, 1500) / (2000 * 1500)).toBeGreaterThan(20)
    expect(metricBytes(2000, 1500) / (2000 * 1500)).toBeLessThan(22)
    expect(metricBytes(2000, 1500, true)).toBe(2 * metricBytes(2000, 1500))
  })

  it('stays small for images whose original is not held', () => {
    expect(metricBytes(4000, 4000)).toBeGreaterThan(300e6)
    expect(metricBytes(8000, 8000)).toBeLessThan(20e6)
    expect(metricBytes(4000, 4000, true)).toBeLessThan(20e6)
    expect(metricBytes(16_383, 16_383)).toBeLessThan(40e6)
    expect(metricBytes(2000, 1500, false, 1e6)).toBeLessThan(10e6)
  })
})
