import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { PixpressError } from '../../../src/base/errors.ts'
import {
  createGuards,
  findRefusal,
  refusalAtTwice,
  shares,
  violations,
  worseRefusal,
  worst,
  type GuardMeasures,
  type ResultKind,
} from '../../../src/quality/guards/index.ts'
import { WINDOW_NAMES } from '../../../src/quality/guards/instance.ts'
import { enlargeTwice } from '../../../src/quality/guards/twice.ts'
import type { Pixels } from '../../../src/quality/metric/ssimulacra2.ts'
import { fixture, noisy, randomPixels } from '../metric/distortions.ts'
import { definedWindows } from './definition.ts'

const START = { x: 0, y: 0 }
const NOTHING: GuardMeasures = {
  alpha: 0,
  flat: 0,
  means: 0,
  colours: 0,
  band: 0,
  edges: 0,
  jag: 0,
  gone: 0,
  places: {
    alpha: START,
    flat: START,
    means: START,
    colours: START,
    band: START,
    edges: START,
    jag: START,
    gone: START,
  },
}

/** Measures pixels as a part of a screenshot, whose longest side is not that of an icon. */
function measured(original: Pixels, distorted: Pixels, side = 1000): GuardMeasures {
  const guards = createGuards(original, { side })
  try {
    return guards.measure(distorted)
  } finally {
    guards.dispose()
  }
}

/** Rows of three or four values per pixel, by their place. */
function drawn(
  width: number,
  height: number,
  channels: 3 | 4,
  colour: (x: number, y: number) => readonly number[],
): Pixels {
  const rows = Array.from({ length: width * height }, (_, i) => [...colour(i % width, Math.floor(i / width))])
  return { data: Uint8Array.from(rows.flat()), width, height, channels }
}

/** Thin strokes of a colour on white. */
const letters =
  (colour: readonly number[]) =>
  (x: number, y: number): readonly number[] =>
    ((x >> 1) + (y >> 2)) % 4 === 0 ? colour : [255, 255, 255]

const shadow = (step: number): Pixels =>
  drawn(160, 160, 3, (x, y) => {
    const light = 200 + 50 * Math.min(1, Math.hypot(x - 20, y - 20) / 130)
    const grey = step === 0 ? light : Math.round(light / step) * step
    return [grey, grey, grey]
  })

const nose = (colour: readonly number[]): Pixels =>
  drawn(160, 160, 3, (x, y) => {
    const away = Math.hypot((x - 80) / 1.4, y - 80)
    return away < 5 ? colour : away < 9 ? [0, 0, 0] : [255, 225, 76]
  })

describe('createGuards', () => {
  it('measures nothing where nothing changed', () => {
    const pixels = randomPixels(200, 150, 4, 5)
    expect(measured(pixels, { ...pixels, data: pixels.data.slice() })).toEqual(NOTHING)
  })

  it('measures opaque pictures once, and transparent ones on white and on black', () => {
    for (const channels of [3, 4] as const) {
      const [original, result] = [randomPixels(150, 60, channels, 1), randomPixels(150, 60, channels, 2)]
      const windows = [255, 0].map((background) => definedWindows(original, result, background))
      const measures = measured(original, result)
      for (const name of WINDOW_NAMES) {
        expect(measures[name]).toBeCloseTo(Math.max(...windows.map((of) => of[name])), 5)
      }
    }
  })

  it('measures most of pictures up to 128 pixels at twice their size, with places at their own', () => {
    const [original, result] = [randomPixels(128, 31, 3, 1), randomPixels(128, 31, 3, 2)]
    const twice = definedWindows(enlargeTwice(original), enlargeTwice(result), 255)
    const { places, ...measures } = measured(original, result)
    expect(measures.means).toBeCloseTo(twice.means, 5)
    const once = definedWindows(original, result, 255)
    for (const name of ['band', 'jag', 'gone'] as const) expect(measures[name]).toBeCloseTo(once[name], 5)
    expect(Math.max(places.means.x, places.band.x)).toBeLessThan(128)
    expect(Math.max(places.means.y, places.band.y)).toBeLessThan(31)

    const [wide, other] = [randomPixels(129, 31, 3, 1), randomPixels(129, 31, 3, 2)]
    expect(measured(wide, other).means).toBeCloseTo(definedWindows(wide, other, 255).means, 5)
  })

  it('counts pixels of alpha 0 and 255 that have another alpha', () => {
    const alpha = (values: readonly number[]): Pixels => drawn(200, 1, 4, (x) => [9, 9, 9, values[x] ?? 0])
    expect(measured(alpha([255, 255, 100, 0]), alpha([255, 254, 90, 1])).alpha).toBe(2)
    expect(measured(alpha([255, 128]), alpha([255, 0])).alpha).toBe(0)
    const opaque = drawn(200, 1, 3, () => [9, 9, 9])
    expect(measured(opaque, alpha([])).alpha).toBe(200)
    expect(measured(alpha([]), opaque).alpha).toBe(200)
  })

  it('leaves out what says nothing about how a result was made', () => {
    const [original, result] = [randomPixels(150, 60, 3, 1), randomPixels(150, 60, 3, 2)]
    const guards = createGuards(original)
    const [all, palette, photograph] = [undefined, 'palette', 'photograph'].map((kind) =>
      guards.measure(result, kind as ResultKind | undefined),
    ) as [GuardMeasures, GuardMeasures, GuardMeasures]
    guards.dispose()
    expect(palette).toEqual({ ...all, gone: 0, places: { ...all.places, gone: START } })
    expect(photograph).toEqual({ ...all, jag: 0, places: { ...all.places, jag: START } })
    expect(all.jag).toBeGreaterThan(0)
  })

  it('counts staircases and bands of icons, up to 512 pixels a side, more than those of larger pictures', () => {
    const pair = [randomPixels(150, 60, 3, 1), randomPixels(150, 60, 3, 2)] as const
    const [icon, large] = [measured(...pair, 512), measured(...pair, 513)]
    expect(icon.jag / large.jag).toBeCloseTo(14 / 9, 6)
    expect(icon.band / large.band).toBeCloseTo(1.15, 6)
    expect({ ...icon, jag: 0, band: 0 }).toEqual({ ...large, jag: 0, band: 0 })
    const guards = createGuards(pair[0])
    expect(guards.measure(pair[1])).toEqual(icon)
    guards.dispose()
  })

  it('compares pictures with and without an alpha channel', () => {
    const rgb = randomPixels(140, 20, 3, 1)
    const rgba = drawn(140, 20, 4, (x, y) => [...rgb.data.subarray((y * 140 + x) * 3, (y * 140 + x) * 3 + 3), 255])
    expect(measured(rgb, rgba)).toEqual(NOTHING)
    expect(measured(rgba, rgb)).toEqual(NOTHING)
  })

  it('refuses other dimensions, data of another length, and work after dispose', () => {
    const pixels = randomPixels(20, 10, 3, 1)
    const guards = createGuards(pixels)
    expect(() => guards.measure({ ...pixels, width: 10, height: 20 })).toThrow(PixpressError)
    expect(() => guards.measure({ ...pixels, channels: 4 })).toThrow('600 bytes')
    guards.dispose()
    expect(() => guards.measure(pixels)).toThrow('disposed')
    expect(() => createGuards({ ...pixels, width: 21 })).toThrow(PixpressError)
  })
})

describe('violations', () => {
  it.each([
    ['palette', 80, { flat: 0.008, means: 0.009, colours: 0.0185, band: 0.0038, edges: 0.056, jag: 0.056, gone: 0.5 }],
    ['palette', 60, { flat: 0.016, means: 0.018, colours: 0.037, band: 0.0076, edges: 0.112, jag: 0.112 }],
    ['palette', 100, { flat: 0.004, means: 0.0045, colours: 0.00925, band: 0.0019, edges: 0.028, jag: 0.028 }],
    ['grain', 80, { flat: 0.008, means: 0.009, colours: 0.022, band: 0.0043, edges: 0.056, jag: 0.068 }],
    ['grain', 100, { flat: 0.004, means: 0.0045, colours: 0.011, band: 0.00215, edges: 0.028, jag: 0.034 }],
    ['block', 80, { flat: 0.01, means: 0.01125, colours: 0.0275, band: 0.0044, edges: 0.075, jag: 0.071, gone: 0.44 }],
    ['block', 60, { flat: 0.02, means: 0.0225, colours: 0.055, band: 0.0088, edges: 0.15, jag: 0.142, gone: 0.88 }],
    ['block', 90, { flat: 0.01, means: 0.01125, colours: 0.0275, band: 0.0044, edges: 0.075, jag: 0.071, gone: 0.44 }],
    ['photograph', 80, { flat: 0.01, means: 0.01125, colours: 0.0275, band: 0.0044, edges: 0.075, gone: 0.72 }],
    ['photograph', 90, { flat: 0.01, means: 0.01125, colours: 0.0275, band: 0.0044, edges: 0.075, gone: 0.72 }],
  ] as const)('of a %s at %i begin above the thresholds', (kind, promise, thresholds) => {
    for (const [name, threshold] of Object.entries(thresholds)) {
      expect(violations({ ...NOTHING, [name]: threshold * 0.999 }, promise, kind)).toEqual([])
      expect(violations({ ...NOTHING, [name]: threshold * 1.001 }, promise, kind)).toEqual([name])
      expect(worst({ ...NOTHING, [name]: threshold / 2 }, promise, kind)).toBeCloseTo(0.5, 6)
    }
  })

  it('include every wrong alpha', () => {
    expect(violations({ ...NOTHING, alpha: 1 }, 0, 'block')).toEqual(['alpha'])
    expect(worst({ ...NOTHING, alpha: 1 }, 0, 'palette')).toBe(Infinity)
    for (const share of Object.values(shares(NOTHING, 80, 'palette'))) expect(share).toBe(0)
  })
})

describe('findRefusal', () => {
  const places = { ...NOTHING.places, flat: { x: 3, y: 4 }, means: { x: 8, y: 12 }, alpha: { x: 1, y: 2 } }

  it('names the guard that is furthest beyond its limit, and its place', () => {
    const measures = { ...NOTHING, flat: 0.016, means: 0.027, places }
    expect(findRefusal(measures, 80, 'palette')).toEqual({ guard: 'means', x: 8, y: 12, share: expect.closeTo(3, 6) })
    expect(findRefusal(measures, 60, 'palette')).toMatchObject({ guard: 'means', share: expect.closeTo(1.5, 6) })
    expect(findRefusal(measures, 40, 'palette')).toBeUndefined()
    expect(findRefusal({ ...measures, alpha: 1 }, 40, 'palette')).toEqual({
      guard: 'alpha',
      x: 1,
      y: 2,
      share: Infinity,
    })
  })

  it('finds the place in a picture', () => {
    const white = drawn(160, 90, 4, () => [255, 255, 255, 255])
    const spot = (alpha: number): Pixels =>
      drawn(160, 90, 4, (x, y) =>
        x >= 120 && x < 128 && y >= 48 && y < 56 ? [230, 255, 255, alpha] : [255, 255, 255, 255],
      )
    expect(findRefusal(measured(white, spot(255)), 80, 'palette')).toMatchObject({ x: 120, y: 48 })
    expect(findRefusal(measured(white, spot(254)), 80, 'palette')).toMatchObject({ guard: 'alpha', x: 120, y: 48 })
  })

  it('is compared with what a small picture shows at twice its size', () => {
    expect(refusalAtTwice(80, 80)).toBeUndefined()
    const twice = refusalAtTwice(60, 80)!
    expect(twice).toEqual({ guard: 'twice', x: 0, y: 0, share: 2 })
    const other = { guard: 'means', x: 8, y: 12, share: 1.5 } as const
    expect(worseRefusal(other, twice)).toBe(twice)
    expect(worseRefusal(undefined, other)).toBe(other)
    expect(worseRefusal(twice, undefined)).toBe(twice)
  })
})

/** A disc of one grey on another, white on black where none are given, whose edge is so many pixels wide. */
const disc = (softness: number, from = 0, to = 255): Pixels =>
  drawn(140, 140, 3, (x, y) => {
    const light = Math.min(1, Math.max(0, (60 - Math.hypot(x - 70, y - 70)) / softness + 0.5))
    const grey = from + (to - from) * light
    return [grey, grey, grey]
  })

describe('what an eye sees at once', () => {
  /** A wide gradient, and the same in bands of some levels. */
  const gradient = drawn(256, 64, 3, (x) => [x / 2 + 60, 120, 180 - x / 4])
  const banded = drawn(256, 64, 3, (x) => [((x >> 5) << 4) + 68, 120, 176 - ((x >> 5) << 3)])

  it('is found: bands in a gradient', () => {
    expect(violations(measured(gradient, banded), 80, 'palette')).toContain('means')
  })

  it('is found: dither dots in a gradient', () => {
    const dotted = drawn(256, 64, 3, (x, y) => [x / 2 + 60 + ((x * 7 + y * 5) % 9 === 0 ? 24 : 0), 120, 180 - x / 4])
    expect(violations(measured(gradient, dotted), 80, 'palette')).toContain('band')
  })

  it('is found: a disc whose edge became jagged', () => {
    expect(violations(measured(disc(1), disc(0.001)), 80, 'palette')).toEqual(['edges', 'jag'])
  })

  it('is found: a pale disc that became jagged, though no pixel is far off', () => {
    const pale = disc(1.5, 255, 155)
    expect(violations(measured(pale, disc(0.001, 255, 155)), 80, 'palette')).toEqual(['jag'])
    expect(violations(measured(pale, disc(1.2, 255, 155)), 80, 'palette')).toEqual([])
  })

  it('is found: bands on a slope, which is no busyness to hide them', () => {
    const slope = drawn(128, 64, 3, (x) => [2 * x, 120, 255 - 2 * x])
    const stepped = drawn(128, 64, 3, (x) => [2 * (x & ~7) + 8, 120, 247 - 2 * (x & ~7)])
    const measures = measured(slope, stepped)
    for (const kind of ['palette', 'photograph'] as const) expect(violations(measures, 80, kind)).toContain('band')
  })

  /** A nearly white page with a few paler squares, or none. */
  const squares = (light: number): Pixels =>
    drawn(160, 160, 3, (x, y) => Array.from({ length: 3 }, () => (x % 48 < 18 && y % 48 < 18 ? light : 240)))

  it('is found: faint shapes that a block codec wiped out, which palettes do not do', () => {
    const measures = measured(squares(236), squares(240))
    expect(violations(measures, 80, 'photograph')).toContain('gone')
    const guards = createGuards(squares(236))
    expect(violations(guards.measure(squares(240), 'palette'), 80, 'palette')).not.toContain('gone')
    guards.dispose()
  })

  /** A page with one thin line along a row and one along a column, or none. */
  const ruled = (page: number, line: number): Pixels =>
    drawn(160, 120, 3, (x, y) => Array.from({ length: 3 }, () => (x === 70 || y === 41 ? line : page)))

  it.each([
    ['light', 255, 251],
    ['dark', 20, 26],
  ])('is found: thin lines of a %s page, some levels from it, that are gone or hardly there', (_, page, line) => {
    for (const left of [page, page + Math.sign(line - page)]) {
      const measures = measured(ruled(page, line), ruled(page, left))
      for (const kind of ['palette', 'block'] as const) expect(violations(measures, 80, kind)).toContain('gone')
    }
    const kept = measured(ruled(page, line), ruled(page, line - Math.sign(line - page)))
    expect(violations(kept, 80, 'palette')).toEqual([])
  })

  it('is not seen: a thin line of two levels in the dark', () => {
    expect(measured(ruled(20, 22), ruled(20, 20)).gone).toBe(0)
    expect(measured(ruled(30, 32), ruled(30, 30)).gone).toBe(0)
    expect(measured(ruled(30, 36), ruled(30, 30)).gone).toBeGreaterThan(0.9)
  })

  it('is found: the rings of a soft shadow in few greys', () => {
    expect(violations(measured(shadow(0), shadow(7)), 80, 'palette')).toContain('band')
    expect(violations(measured(shadow(0), shadow(2)), 80, 'palette')).toEqual([])
  })

  it('is found: a small brown nose turned grey', () => {
    const measures = measured(nose([130, 106, 92]), nose([109, 109, 109]))
    expect(violations(measures, 80, 'palette')).toContain('colours')
  })

  it('is not: faint grain that a block codec smoothed', () => {
    const grain = randomPixels(160, 160, 3, 3)
    grain.data.forEach((value, i) => (grain.data[i] = 200 + (value >> 5)))
    const smooth = drawn(160, 160, 3, () => [203, 203, 203])
    expect(violations(measured(grain, smooth), 80, 'photograph')).not.toContain('gone')
  })

  it('is found: red letters turned brown', () => {
    const red = drawn(160, 40, 3, letters([200, 0, 0]))
    const brown = drawn(160, 40, 3, letters([120, 60, 40]))
    expect(violations(measured(red, brown), 80, 'palette')).toContain('colours')
  })

  it('is found: white that is not white any more', () => {
    const white = drawn(160, 40, 3, (x) => (x < 10 ? [0, 0, 0] : [255, 255, 255]))
    const grey = drawn(160, 40, 3, (x) => (x < 10 ? [0, 0, 0] : [252, 252, 252]))
    expect(violations(measured(white, grey), 80, 'palette')).toContain('flat')
  })

  it('is found: a faint box behind an icon', async () => {
    const { data, info } = await sharp(
      await readFile(path.join(import.meta.dirname, '../../fixtures/guards/layers.png')),
    )
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const icon: Pixels = { data: new Uint8Array(data), width: info.width, height: info.height, channels: 4 }
    const boxed = { ...icon, data: icon.data.map((value, i) => (i % 4 === 3 && value === 0 ? 6 : value)) }
    expect(violations(measured(icon, boxed), 80, 'palette')).toContain('alpha')
  })

  it('is not: a photograph that keeps its promise, nor its noise', async () => {
    const photograph = await fixture('coffee.png')
    expect(violations(measured(photograph, await fixture('coffee-q95.jpg')), 80, 'block')).toEqual([])
    expect(violations(measured(photograph, noisy(photograph)), 60, 'block')).toEqual([])
  })
})
