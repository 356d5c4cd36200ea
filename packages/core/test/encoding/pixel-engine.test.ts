import { describe, expect, it } from 'vitest'
import { averageRows, countColours, packPixels, repeatsMoreThan } from '../../src/encoding/pixel-engine.ts'
import type { Samples } from '../../src/encoding/near-lossless.ts'
import { PIXELS_MODULE } from '../../src/encoding/pixels.wasm.ts'
import type { Pixels } from '../../src/quality/metric/ssimulacra2.ts'
import { fixture, randomPixels } from '../quality/metric/distortions.ts'

/** Sizes around one batch of bytes, and a row that is longer than one. */
const SIZES = [
  [1, 1],
  [1, 9],
  [7, 5],
  [61, 33],
  [128, 128],
  [300, 70],
  [16_384, 3],
  [20_001, 2],
] as const

/** Few colours, of which some are grey, and stretches of one. */
function drawing(width: number, height: number, channels: 3 | 4): Pixels {
  const { data } = randomPixels(width, height, channels, width + height)
  for (let at = channels; at < data.length; at++) {
    const pixel = Math.floor(at / channels)
    data[at] = pixel % 7 < 4 ? data[at - channels]! : data[at]! & 0xc0
  }
  return { data, width, height, channels }
}

const pictures = async (): Promise<Pixels[]> => [
  ...SIZES.flatMap(([width, height]) =>
    ([3, 4] as const).flatMap((channels) => [
      randomPixels(width, height, channels, width),
      drawing(width, height, channels),
    ]),
  ),
  await fixture('coffee.png'),
  await fixture('docs.png'),
]

/** Four bytes as a number, opaque where there is no fourth. */
const colourAt = ({ data, channels }: Pixels, at: number): number =>
  data[at]! + 256 * (data[at + 1]! + 256 * (data[at + 2]! + 256 * (channels === 4 ? data[at + 3]! : 255)))

const coloursOf = (pixels: Pixels): number[] =>
  Array.from({ length: pixels.width * pixels.height }, (_, pixel) => colourAt(pixels, pixel * pixels.channels))

/** Counts the colours of pixels of four bytes. */
const count = (...bytes: number[]): unknown => countColours(Uint8Array.from(bytes), 4, 257)

describe('countColours', () => {
  it('counts what there is, up to enough', async () => {
    for (const pixels of await pictures()) {
      const distinct = new Set(coloursOf(pixels)).size
      for (const enough of [257, 1000, 65_536]) {
        const { colours } = countColours(pixels.data, pixels.channels, enough)
        expect(Math.min(colours, enough)).toBe(Math.min(distinct, enough))
      }
    }
  })

  it('counts transparent black and opaque white', () => {
    expect(count(0, 0, 0, 0)).toEqual({ colours: 1, grey: true })
    expect(count(0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0)).toEqual({ colours: 2, grey: true })
    expect(count(255, 255, 255, 255)).toEqual({ colours: 1, grey: true })
  })

  it('knows grey, beyond enough colours and in every place', () => {
    const data = Uint8Array.from({ length: 4 * 30_000 }, (_, at) => (at % 4 === 3 ? (at * 7) >> 9 : at >> 8))
    expect(countColours(data, 4, 300)).toMatchObject({ grey: true })
    for (const at of [0, 2, 4 * 12_287, 4 * 12_288 + 1, 4 * 29_999 + 2]) {
      const other = data.slice()
      other[at]! ^= 128
      expect(countColours(other, 4, 300)).toMatchObject({ grey: false })
      expect(countColours(other, 4, 65_536)).toMatchObject({ grey: false })
    }
  })
})

describe('repeatsMoreThan', () => {
  it('counts pixels that are like the one before', async () => {
    for (const pixels of await pictures()) {
      const colours = coloursOf(pixels)
      const repeats = colours.filter((colour, at) => at > 0 && colour === colours[at - 1]).length
      expect(repeatsMoreThan(repeats, pixels.data, pixels.channels)).toBe(false)
      expect(repeatsMoreThan(repeats - 1, pixels.data, pixels.channels)).toBe(true)
      expect(repeatsMoreThan(repeats - 0.5, pixels.data, pixels.channels)).toBe(true)
    }
  })
})

/** The same, byte by byte, by the PNG specification. */
function filteredPlainly({ data, width, height, channels }: Samples): Uint8Array {
  const rowBytes = width * channels
  const rows = new Uint8Array((rowBytes + 1) * height)
  for (let y = 0; y < height; y++) {
    rows[y * (rowBytes + 1)] = 3
    for (let x = 0; x < rowBytes; x++) {
      const left = x < channels ? 0 : data[y * rowBytes + x - channels]!
      const above = y === 0 ? 0 : data[(y - 1) * rowBytes + x]!
      rows[y * (rowBytes + 1) + 1 + x] = data[y * rowBytes + x]! - Math.floor((left + above) / 2)
    }
  }
  return rows
}

describe('averageRows', () => {
  it('filters as the specification says', async () => {
    for (const pixels of await pictures()) {
      expect(Buffer.compare(averageRows(pixels), filteredPlainly(pixels))).toBe(0)
    }
  })

  it.each([1, 2, 3, 4] as const)('filters samples of %i channels', (channels) => {
    for (const [width, height] of SIZES) {
      const data = randomPixels(width, height, 4, width).data.slice(0, width * height * channels)
      const samples = { data, width, height, channels }
      expect(Buffer.compare(averageRows(samples), filteredPlainly(samples))).toBe(0)
    }
  })
})

describe('packPixels', () => {
  it.each([1, 2, 4, 8])('packs pixels of %i bits', (depth) => {
    for (const [width, height] of SIZES) {
      const indices = randomPixels(width, height, 3, depth).data.slice(0, width * height)
      const places = Uint8Array.from({ length: 256 }, (_, entry) => (entry * 37 + 11) & ((1 << depth) - 1))
      const rowBytes = Math.ceil((width * depth) / 8) + 1
      const expected = new Uint8Array(rowBytes * height)
      for (let pixel = 0; pixel < indices.length; pixel++) {
        const bit = (pixel % width) * depth
        const at = Math.floor(pixel / width) * rowBytes + 1 + (bit >> 3)
        expected[at]! |= places[indices[pixel]!]! << (8 - depth - (bit & 7))
      }
      const packed = packPixels(indices, { width, height, depth, places })
      expect(Buffer.compare(packed, expected)).toBe(0)
    }
  })
})

it('is one small module', () => {
  expect(Buffer.from(PIXELS_MODULE, 'base64').length).toBeLessThan(2000)
})
