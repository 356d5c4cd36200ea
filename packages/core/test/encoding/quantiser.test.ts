import { describe, expect, it } from 'vitest'
import { createQuantiser } from '../../src/encoding/quantiser.ts'
import type { Mapping } from '../../src/encoding/quantiser.ts'
import { snapPalette } from '../../src/quality/guards/snap.ts'
import type { Pixels } from '../../src/quality/metric/ssimulacra2.ts'

const MAPPINGS: readonly Mapping[] = [{}, { tolerance: 10 }, { dither: 0.5 }]

type Colour = readonly [number, number, number, number]

function draw(width: number, height: number, channels: 3 | 4, colourAt: (x: number, y: number) => Colour): Pixels {
  const data = new Uint8Array(width * height * channels)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.set(colourAt(x, y).slice(0, channels), (y * width + x) * channels)
  }
  return { data, width, height, channels }
}

/** Many colours without noise, as in a photograph of hills. */
const hills = (x: number, y: number): Colour => [
  Math.round(128 + 100 * Math.sin(x / 17 + y / 31)),
  Math.round(128 + 90 * Math.sin(x / 23 - y / 19 + 1)),
  Math.round(128 + 80 * Math.cos(x / 29 + y / 13)),
  255,
]

/** Squares of one colour each. */
const steps = (x: number, y: number): Colour => hills(x - (x % 12), y - (y % 9))

/** A disc that fades out, on transparent red. */
const disc = (x: number, y: number): Colour => {
  const alpha = Math.round(255 * Math.min(1, Math.max(0, (60 - Math.hypot(x - 64, y - 64)) / 20)))
  return alpha === 0 ? [255, 0, 0, 0] : [2 * x, 255 - y, 90, alpha]
}

const alphas = (data: Uint8Array): number[] => Array.from(data).filter((_, at) => at % 4 === 3)

function quantise(picture: Pixels, colours: number, mapping: Mapping) {
  const quantiser = createQuantiser(picture)!
  const { indices, palette, pixels } = quantiser.map(colours, mapping)
  const copy = { indices: indices.slice(), palette: palette.slice(), pixels: pixels.slice() }
  quantiser.dispose()
  return copy
}

describe.each(MAPPINGS)('a palette mapped with %o', (mapping) => {
  it('is the same again, whatever was quantised between', () => {
    const photograph = draw(200, 150, 3, hills)
    const first = quantise(photograph, 100, mapping)
    quantise(draw(128, 128, 4, disc), 20, mapping)
    expect(quantise(photograph, 100, mapping)).toEqual(first)
  })

  it.each([2, 3, 8, 40, 256])('of %i colours keeps alpha 0 and 255', (colours) => {
    const picture = draw(128, 128, 4, disc)
    const { pixels } = quantise(picture, colours, mapping)
    for (let at = 3; at < pixels.length; at += 4) {
      const alpha = picture.data[at]!
      if (alpha === 0 || alpha === 255) expect([at, pixels[at]]).toEqual([at, alpha])
    }
  })

  it.each([7, 60])('of %i colours needs none of the repairs that other palettes get', (colours) => {
    for (const picture of [draw(333, 190, 3, steps), draw(331, 90, 3, hills), draw(128, 128, 4, disc)]) {
      const { indices, palette } = quantise(picture, colours, mapping)
      expect(snapPalette(picture, indices, palette)).toBe(palette)
    }
  })

  it('keeps the colours of large flat areas', () => {
    const flats: readonly Colour[] = [
      [255, 255, 255, 255],
      [252, 252, 252, 255],
      [18, 98, 211, 255],
    ]
    const picture = draw(240, 160, 3, (x, y) => (x < 120 ? flats[Math.floor(x / 40)]! : hills(x, y)))
    const { pixels } = quantise(picture, 32, mapping)
    for (const [index, flat] of flats.entries()) {
      for (const y of [1, 80, 158]) {
        const at = (y * 240 + index * 40 + 20) * 3
        expect([...pixels.subarray(at, at + 3)]).toEqual(flat.slice(0, 3))
      }
    }
  })

  it('keeps a red dot of a two-thousandth of the picture red', () => {
    const picture = draw(200, 200, 3, (x, y) =>
      Math.abs(x - 100) <= 2 && Math.abs(y - 90) <= 1 ? [230, 10, 20, 255] : [40, 90 + (x >> 2), 60 + (y >> 1), 255],
    )
    const { pixels } = quantise(picture, 24, mapping)
    const at = (90 * 200 + 100) * 3
    expect(pixels[at]).toBeGreaterThan(200)
    expect(Math.max(pixels[at + 1]!, pixels[at + 2]!)).toBeLessThan(50)
  })

  it.each([40, 120, 160, 200, 240])(
    'keeps what is opaque opaque, and clear what is clear, in %d colours',
    (colours) => {
      // Two pixels to an entry, of which one is nearly opaque or nearly clear.
      const source = draw(20, 20, 4, (x, y) => {
        const [red, green, blue] = hills(3 * x, 5 * y)
        const step = (7 * x + 13 * y + x * y) % 3
        return [red, green, blue, y < 15 ? 253 + step : step]
      })
      const { pixels } = quantise(source, colours, mapping)
      const [before, after] = [alphas(source.data), alphas(pixels)]
      const changed = before.filter((alpha, at) => (alpha === 0 || alpha === 255) && after[at] !== alpha)
      expect(changed).toEqual([])
    },
  )

  it('shows what its indices and entries say, and has no entry without a pixel', () => {
    const picture = draw(128, 128, 4, disc)
    const { indices, palette, pixels } = quantise(picture, 50, mapping)
    expect(palette.length / 4).toBeLessThanOrEqual(50)
    expect(new Set(indices).size).toBe(palette.length / 4)
    const shown = Uint8Array.from(indices).reduce(
      (all, entry, pixel) => (all.set(palette.subarray(4 * entry, 4 * entry + 4), 4 * pixel), all),
      new Uint8Array(4 * indices.length),
    )
    expect(shown).toEqual(pixels)
  })
})

describe('createQuantiser', () => {
  it('tells of an error that falls as colours are added', () => {
    const quantiser = createQuantiser(draw(200, 150, 3, hills))!
    expect(quantiser.largest).toBe(256)
    for (let colours = 2; colours < 256; colours++) {
      expect(quantiser.errorOf(colours)).toBeGreaterThanOrEqual(quantiser.errorOf(colours + 1))
    }
    expect(quantiser.errorOf(2)).toBeGreaterThan(20 * quantiser.errorOf(200))
    quantiser.dispose()
  })

  it('keeps a picture of few colours exactly', () => {
    const picture = draw(64, 64, 4, (x, y) => [x & 8 ? 255 : 12, y & 16 ? 77 : 78, 3, x < 32 ? 255 : 100])
    const { pixels, palette } = quantise(picture, 256, {})
    expect(palette.length / 4).toBe(8)
    expect(pixels).toEqual(picture.data)
  })

  it('tells colours apart that differ by one level, though there are more than 16,384', () => {
    const picture = draw(256, 256, 3, (x, y) => (y < 128 ? [x, 2 * y, 128, 255] : [200, 30, 31, 255]))
    const { pixels } = quantise(picture, 64, {})
    expect([...pixels.subarray(-3)]).toEqual([200, 30, 31])
  })

  it('makes a picture of one pixel', () => {
    expect([...quantise({ data: Uint8Array.of(1, 2, 3), width: 1, height: 1, channels: 3 }, 4, {}).pixels]).toEqual([
      1, 2, 3,
    ])
  })

  it('leaves pictures alone whose pixels would take too much memory', () => {
    expect(createQuantiser({ data: new Uint8Array(), width: 10_000, height: 6000, channels: 4 })).toBeUndefined()
  })
})

describe('emphasise', () => {
  const SPOT = { x: 96, y: 64 }
  const isSpot = (x: number, y: number): boolean => x >= SPOT.x && x < SPOT.x + 8 && y >= SPOT.y && y < SPOT.y + 8
  const spotted = draw(200, 150, 4, (x, y) =>
    isSpot(x, y) ? [200 - 20 * (y - SPOT.y), 60 + 20 * (x - SPOT.x), 40, 255] : hills(x, y),
  )

  function errorOfSpot(pixels: Uint8Array): number {
    let sum = 0
    for (let y = SPOT.y; y < SPOT.y + 8; y++) {
      const start = (y * 200 + SPOT.x) * 4
      for (let at = start; at < start + 32; at++) sum += Math.abs(pixels[at]! - spotted.data[at]!)
    }
    return sum
  }

  it('brings the colours of a place nearer', () => {
    const quantiser = createQuantiser(spotted)!
    const errors = [0, 1, 2].map((times) => {
      if (times > 0) quantiser.emphasise(SPOT)
      return errorOfSpot(quantiser.map(40, {}).pixels)
    })
    expect(errors[1]).toBeLessThan(errors[0]!)
    expect(errors[2]).toBeLessThan(0.8 * errors[0]!)
    quantiser.dispose()
  })

  it('takes a place at the edge, and leaves nothing to the next picture', () => {
    const first = quantise(spotted, 40, {})
    const quantiser = createQuantiser(spotted)!
    quantiser.emphasise({ x: 197, y: 149 })
    quantiser.emphasise(SPOT)
    quantiser.dispose()
    expect(quantise(spotted, 40, {})).toEqual(first)
  })
})
