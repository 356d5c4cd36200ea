import { describe, expect, it } from 'vitest'
import { countEntries } from '../../../src/quality/guards/entries.ts'
import type { Pixels } from '../../../src/quality/metric/ssimulacra2.ts'
import { fixture, randomPixels } from '../metric/distortions.ts'

/** RGBA as a number, red lowest; 0 for all of alpha 0. */
function valueAt({ data, channels }: Pixels, pixel: number): number {
  const at = pixel * channels
  const alpha = channels === 4 ? data[at + 3]! : 255
  return alpha === 0 ? 0 : data[at]! + 256 * (data[at + 1]! + 256 * (data[at + 2]! + 256 * alpha))
}

/** The pixels of each entry by their values. */
function plainCounts(pixels: Pixels, indices: Uint8Array): Map<number, number>[] {
  const counts = Array.from({ length: 256 }, () => new Map<number, number>())
  indices.forEach((entry, pixel) => {
    const value = valueAt(pixels, pixel)
    counts[entry]!.set(value, (counts[entry]!.get(value) ?? 0) + 1)
  })
  return counts
}

const sumOf = (numbers: Iterable<number>): number => [...numbers].reduce((sum, each) => sum + each, 0)

const isOpaque = ([value]: [number, number]): boolean => value >= 2 ** 24 * 255

function expectTheCounts(pixels: Pixels, indices: Uint8Array): void {
  const { values, counts, opaque, totals } = countEntries(pixels, indices)
  const defined = plainCounts(pixels, indices)
  expect([...totals]).toEqual(defined.map((each) => sumOf(each.values())))
  expect([...opaque]).toEqual(defined.map((each) => sumOf([...each].filter(isOpaque).map(([, count]) => count))))
  const found = defined.map((_, entry) => {
    const both = [2 * entry, 2 * entry + 1].filter((at) => 2 * counts[at]! >= totals[entry]! && totals[entry]! > 0)
    return both.map((at) => [values[at], counts[at]]).sort((a, b) => a[0]! - b[0]!)
  })
  const halves = defined.map((each, entry) =>
    [...each].filter(([, count]) => 2 * count >= totals[entry]!).sort((a, b) => a[0] - b[0]),
  )
  expect(found).toEqual(halves)
}

/** Pixels of few values, of which one is more frequent from entry to entry, in stretches. */
function mixed(channels: 3 | 4): { pixels: Pixels; indices: Uint8Array } {
  const pixels = randomPixels(211, 190, channels, channels)
  const indices = Uint8Array.from({ length: 211 * 190 }, (_, pixel) => ((pixel * 7) >> 3) & 255)
  indices.forEach((entry, pixel) => {
    const at = pixel * channels
    const shade = (pixel * 2_654_435_761) % 256 < entry ? 9 : pixels.data[at]! >> 6
    pixels.data.fill(shade, at, at + channels)
    if (channels === 4) pixels.data[at + 3] = [0, 255, 128, 255][shade & 3]!
  })
  return { pixels, indices }
}

describe('countEntries', () => {
  it.each([3, 4] as const)('counts values that half of the pixels have, and pixels, of %i channels', (channels) => {
    const { pixels, indices } = mixed(channels)
    expectTheCounts(pixels, indices)
    expectTheCounts(pixels, new Uint8Array(indices.length))
    expectTheCounts(
      pixels,
      indices.map((_, pixel) => pixel & 15),
    )
  })

  it('counts where exactly half of the pixels have one value, or two', () => {
    const data = Uint8Array.from({ length: 3 * 4000 }, (_, at) => (Math.floor(at / 3) % 2 === 0 ? 5 : 7))
    const two = { data, width: 4000, height: 1, channels: 3 } as const
    expectTheCounts(two, new Uint8Array(4000))
    const one = data.map((value, at) => (value === 7 ? at >> 6 : value))
    expectTheCounts({ ...two, data: one }, new Uint8Array(4000))
    one[0] = 6
    expectTheCounts({ ...two, data: one }, new Uint8Array(4000))
  })

  it('counts the pixels of real pictures', async () => {
    for (const name of ['coffee.png', 'docs.png']) {
      const pixels = await fixture(name)
      const indices = Uint8Array.from({ length: pixels.width * pixels.height }, (_, at) => pixels.data[3 * at]! & 0xf8)
      expectTheCounts(pixels, indices)
    }
  })
})
