import { describe, expect, it } from 'vitest'
import { OPAQUE, WINDOW_NAMES, worstWindows } from '../../../src/quality/guards/instance.ts'
import { findFlatColours } from '../../../src/quality/guards/flat.ts'
import { snapPalette } from '../../../src/quality/guards/snap.ts'
import type { Build } from '../../../src/quality/metric/instance.ts'
import type { Pixels } from '../../../src/quality/metric/ssimulacra2.ts'
import { blurred, changed, fixture, noisy, randomPixels, shifted } from '../metric/distortions.ts'
import { definedWindows } from './definition.ts'

const BUILDS: readonly Build[] = ['simd', 'plain']

/** Widths and heights around the vector of four, the window of eight, its step, and the batch of rows. */
const SIZES: readonly (readonly [number, number])[] = [
  [1, 1],
  [1, 9],
  [2, 3],
  [7, 40],
  [8, 8],
  [9, 15],
  [13, 8],
  [34, 33],
  [31, 64],
  [67, 5],
  [37, 99],
]

function agree(original: Pixels, result: Pixels, background: number): void {
  const defined = definedWindows(original, result, background)
  for (const build of BUILDS) {
    const windows = worstWindows(original, result, background, { build })
    for (const name of WINDOW_NAMES) expect(windows[name].value, name).toBeCloseTo(defined[name], 5)
  }
}

function expectTheSame(original: Pixels, result: Pixels, background: number): void {
  for (const build of BUILDS) {
    expect(worstWindows(original, result, background, { build, compares: true })).toEqual(
      worstWindows(original, result, background, { build, compares: false }),
    )
  }
}

describe('the definition', () => {
  it.each(SIZES)('gives the same for random opaque pixels of %i × %i', (width, height) => {
    agree(randomPixels(width, height, 3, width), randomPixels(width, height, 3, height + 100), OPAQUE)
  })

  it.each(SIZES)('gives the same for random transparent pixels of %i × %i, on white and on black', (width, height) => {
    for (const background of [255, 0]) {
      agree(randomPixels(width, height, 4, width), randomPixels(width, height, 4, height + 100), background)
      agree(randomPixels(width, height, 3, width), randomPixels(width, height, 4, height + 100), background)
    }
  })

  it.each(['chelsea', 'coffee', 'docs'])('gives the same for the codecs of %s', async (name) => {
    const original = await fixture(`${name}.png`)
    for (const file of ['q50.jpg', 'q95.jpg', 'q60.webp']) agree(original, await fixture(`${name}-${file}`), OPAQUE)
  })

  it('gives the same for what blurs, shifts or adds noise', async () => {
    const original = await fixture('coffee.png')
    for (const distort of [blurred, noisy, shifted]) agree(original, distort(original), OPAQUE)
  })
})

describe('skipping what is alike', () => {
  it.each([...SIZES, [100, 70] as const])('changes nothing about one pixel at %i × %i', (width, height) => {
    const original = randomPixels(width, height, 3, 1)
    const columns = [0, 3, 4, 7, 12, 31, width - 9, width - 5, width - 1].filter((x) => x >= 0 && x < width)
    const rows = [0, 3, 4, 8, 31, 32, height - 9, height - 5, height - 1].filter((y) => y >= 0 && y < height)
    for (const x of columns) {
      for (const y of rows) expectTheSame(original, changed(original, [x, y, x + 1, y + 1]), OPAQUE)
    }
  })

  it.each(['coffee', 'docs'])('changes nothing about %s', async (name) => {
    const original = await fixture(`${name}.png`)
    const { width, height } = original
    const some = changed(original, [60, 50, 150, 60], [64, 90, 65, height], [200, 0, width, 9], [20, 120, 21, 121])
    for (const result of [some, changed(original, [0, 40, width, 44]), noisy(original), original]) {
      expectTheSame(original, result, OPAQUE)
    }
  })

  it('changes nothing where pixels are clear', () => {
    const original = randomPixels(150, 99, 4, 7)
    for (let i = 3; i < original.data.length; i += 4) original.data[i] = (i * 7) % 4 === 0 ? 255 : 0
    const other = changed(original, [20, 20, 60, 40], [100, 60, 101, 61])
    other.data[4 * (150 * 70 + 70) + 3]! ^= 255
    for (const background of [0, 255, OPAQUE]) expectTheSame(original, other, background)
  })
})

describe('worstWindows', () => {
  it('gives the same bits in both builds', async () => {
    const pairs = [
      [await fixture('docs.png'), await fixture('docs-q80.jpg')],
      [await fixture('coffee.png'), await fixture('coffee-q60.webp')],
      [randomPixels(41, 57, 4, 1), randomPixels(41, 57, 4, 2)],
    ] as const
    for (const [original, result] of pairs) {
      for (const background of [OPAQUE, 0, 255]) {
        expect(worstWindows(original, result, background, { build: 'plain' })).toEqual(
          worstWindows(original, result, background, { build: 'simd' }),
        )
      }
    }
  })

  it('gives the same bits on every machine', async () => {
    const windows = worstWindows(await fixture('docs.png'), await fixture('docs-q80.jpg'), OPAQUE, { build: 'plain' })
    expect(windows).toMatchInlineSnapshot(`
      {
        "band": {
          "value": 0.0043200553506678235,
          "x": 48,
          "y": 40,
        },
        "colours": {
          "value": 3.051502967128126e-8,
          "x": 8,
          "y": 60,
        },
        "edges": {
          "value": 0.026915493987290637,
          "x": 56,
          "y": 36,
        },
        "gone": {
          "value": 0.34449463584955375,
          "x": 84,
          "y": 36,
        },
        "jag": {
          "value": 0.03060416525123733,
          "x": 40,
          "y": 112,
        },
        "means": {
          "value": 0.004266073744480008,
          "x": 48,
          "y": 44,
        },
      }
    `)
  })

  it('finds nothing where nothing changed', () => {
    const pixels = randomPixels(50, 30, 4, 7)
    const nothing = { value: 0, x: 0, y: 0 }
    for (const windows of Object.values(worstWindows(pixels, pixels, 0, { build: 'simd' }))) {
      expect(windows).toEqual(nothing)
    }
  })

  it('says where the worst window is', () => {
    const original: Pixels = { data: new Uint8Array(100 * 60 * 3).fill(128), width: 100, height: 60, channels: 3 }
    const data = original.data.slice()
    for (let y = 41; y < 45; y++) for (let x = 73; x < 77; x++) data[(y * 100 + x) * 3] = 255
    const { means, colours } = worstWindows(original, { ...original, data }, OPAQUE, { build: 'simd' })
    expect(means).toMatchObject({ x: 72, y: 40 })
    // The ground is one colour, so that the pixel with the largest shift is found, not a window.
    expect(colours).toMatchObject({ x: 74, y: 42 })
  })

  it('measures the same of an original that is kept, whatever was compared between', async () => {
    const original = await fixture('docs.png')
    const [other, clear] = [await fixture('coffee.png'), randomPixels(150, 99, 4, 7)]
    const results = [await fixture('docs-q80.jpg'), noisy(original), changed(original, [0, 40, original.width, 44])]
    const [keeper, another] = [{}, {}]
    for (const build of BUILDS) {
      const between = [
        () => {},
        () => worstWindows(other, noisy(other), OPAQUE, { build }),
        () => worstWindows(clear, changed(clear, [3, 3, 50, 60]), 255, { build, keeper: another }),
        () => findFlatColours(other),
        () => snapPalette(other, new Uint8Array(other.width * other.height), Uint8Array.of(1, 2, 3, 255)),
      ]
      for (const result of results) {
        for (const compares of [false, true]) {
          const alone = worstWindows(original, result, OPAQUE, { build, compares })
          for (const go of between) {
            expect(worstWindows(original, result, OPAQUE, { build, compares, keeper })).toEqual(alone)
            go()
          }
        }
      }
    }
  })

  it('forgets the pair before', () => {
    const small = [randomPixels(20, 20, 3, 1), randomPixels(20, 20, 3, 2)] as const
    const first = worstWindows(...small, OPAQUE, { build: 'simd' })
    worstWindows(randomPixels(301, 203, 4, 3), randomPixels(301, 203, 4, 4), 0, { build: 'simd' })
    expect(worstWindows(...small, OPAQUE, { build: 'simd' })).toEqual(first)
  })
})
