import { describe, expect, it } from 'vitest'
import { createGuards, violations } from '../../../src/quality/guards/index.ts'
import { ThinLines, findAreas } from '../../../src/quality/guards/thin-lines.ts'
import type { Pixels } from '../../../src/quality/metric/ssimulacra2.ts'

type Colour = readonly [red: number, green: number, blue: number, alpha?: number]

const WHITE: Colour = [255, 255, 255]
const GREY: Colour = [187, 188, 192]
/** The same lightness as GREY. */
const BLUE: Colour = [174, 190, 218]

function drawn(width: number, height: number, colourAt: (x: number, y: number) => Colour, channels: 3 | 4 = 3): Pixels {
  const data = new Uint8Array(width * height * channels)
  for (let at = 0; at < width * height; at++) {
    const [red, green, blue, alpha = 255] = colourAt(at % width, Math.floor(at / width))
    data.set([red, green, blue, alpha].slice(0, channels), at * channels)
  }
  return { data, width, height, channels }
}

function hueOf(before: Pixels, after: Pixels, background = 255): { value: number; x: number; y: number } {
  return new ThinLines(before, background, findAreas(before)).worst(after)
}

const rule = (colour: Colour): Pixels => drawn(160, 140, (_, y) => (y === 120 ? colour : WHITE))
const strokes = (colour: Colour): Pixels =>
  drawn(96, 96, (x, y) => (x % 24 > 10 && x % 24 < 13 && y % 24 > 5 && y % 24 < 14 ? colour : WHITE))

const edge = (colour: Colour): Pixels =>
  drawn(90, 90, (x) => (x < 40 ? WHITE : x === 40 ? colour : ([90, 90, 90] as const)))
const texture = (colour: Colour): Pixels => drawn(90, 90, (x, y) => ((x + y) % 2 === 0 ? colour : WHITE))
const letter = (...stems: Colour[]): Pixels =>
  drawn(96, 96, (x, y) => (y % 24 > 5 && y % 24 < 17 ? (stems[(x % 24) - 9] ?? WHITE) : WHITE))
const soft = ([red, green, blue]: Colour, alpha: number): Pixels =>
  drawn(90, 90, (x) => (x === 50 ? [red, green, blue, alpha] : [0, 0, 0, 0]), 4)

describe('the hue of thin lines', () => {
  it.each([
    ['a rule of one pixel', rule],
    ['a column of one pixel', (colour: Colour) => drawn(90, 90, (x) => (x === 50 ? colour : WHITE))],
    ['a slanted line', (colour: Colour) => drawn(90, 90, (x, y) => (x === y ? colour : WHITE))],
    ['small letters', strokes],
    ['a rule on black', (colour: Colour) => drawn(90, 90, (_, y) => (y === 40 ? colour : [0, 0, 0]))],
  ])('is measured by their own pixels: %s', (_, picture) => {
    const { value } = hueOf(picture(GREY), picture(BLUE))
    expect(value).toBeGreaterThan(0.019)
    expect(value).toBeLessThan(0.05)
    expect(hueOf(picture(GREY), picture(GREY)).value).toBe(0)
  })

  it('refuses a palette that turns a grey rule blue, and says where', () => {
    const guards = createGuards(rule(GREY))
    const measures = guards.measure(rule(BLUE), 'palette')
    expect(violations(measures, 80, 'palette')).toEqual(['colours'])
    expect(measures.places.colours.y).toBe(120)
    expect(violations(guards.measure(rule([186, 189, 193]), 'palette'), 80, 'palette')).toEqual([])
    expect(violations(guards.measure(rule(BLUE), 'block'), 80, 'block')).toEqual([])
    guards.dispose()
  })

  it('does not take the edge of a wide shape, a texture, or a lighter line for one', () => {
    for (const picture of [edge, texture]) expect(hueOf(picture(GREY), picture(BLUE)).value).toBe(0)
    expect(hueOf(rule([250, 250, 250]), rule([240, 250, 255])).value).toBe(0)
  })

  it('counts less in letters with coloured fringes for subpixels', () => {
    const fringed = letter([170, 60, 10], [60, 60, 60], [10, 60, 170])
    const plain = letter([70, 70, 70], [60, 60, 60], [70, 70, 70])
    const ofFringed = hueOf(fringed, letter([170, 60, 10], [40, 60, 90], [10, 60, 170])).value
    const ofPlain = hueOf(plain, letter([70, 70, 70], [40, 60, 90], [70, 70, 70])).value
    expect(ofFringed).toBeLessThan(0.6 * ofPlain)
  })

  it('is seen on the background: pixels with alpha, in pictures of any size', () => {
    for (const background of [255, 0]) {
      expect(hueOf(soft(GREY, 200), soft(BLUE, 200), background).value).toBeGreaterThan(0.01)
    }
    expect(hueOf(soft(GREY, 0), soft(BLUE, 0)).value).toBe(0)
    for (const [width, height] of [
      [1, 1],
      [3, 200],
      [200, 5],
    ] as const) {
      const tiny = (colour: Colour): Pixels => drawn(width, height, (x, y) => (x === 2 && y < 3 ? colour : WHITE))
      expect(hueOf(tiny(GREY), tiny(BLUE)).value).toBeLessThan(0.05)
    }
  })

  it('is the same with rows that do not begin at a multiple of four bytes', () => {
    const picture = drawn(90, 90, (x) => (x === 50 ? GREY : WHITE), 4)
    const moved = new Uint8Array(picture.data.length + 1)
    moved.set(picture.data, 1)
    const after = drawn(90, 90, (x) => (x === 50 ? BLUE : WHITE), 4)
    expect(hueOf({ ...picture, data: moved.subarray(1) }, after)).toEqual(hueOf(picture, after))
  })
})
