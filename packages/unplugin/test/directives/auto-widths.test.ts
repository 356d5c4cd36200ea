import { describe, expect, it } from 'vitest'
import { asksForAutoWidths, widthsByBytes, withAutoWidths } from '../../src/directives/auto-widths.ts'
import { resolvePresets } from '../../src/directives/presets.ts'
import { parseQuery } from '../../src/directives/query.ts'

/** Bytes that grow with the pixels. */
const CURVE = [500, 1000, 2000].map((width) => ({ width, bytes: width * width }))
const SOURCE = { width: 2000, height: 1000, type: 'image/jpeg', hasAlpha: false } as const

const stepsOf = (widths: readonly number[]): number[] =>
  widths.slice(1).map((width, index) => 1 - (widths[index]! / width) ** 2)

describe('widthsByBytes', () => {
  it('has about a quarter of the bytes between neighbours, from the narrowest of use to the largest', () => {
    const widths = widthsByBytes(CURVE, 1600)
    expect([widths[0], widths.at(-1)]).toEqual([320, 1600])
    for (const step of stepsOf(widths)) expect(step).toBeCloseTo(0.25, 1)
  })

  it('makes larger steps rather than more than twelve widths', () => {
    const widths = widthsByBytes([{ width: 20_000, bytes: 1e9 }], 20_000)
    expect(widths).toHaveLength(12)
    expect(widths).toEqual([...new Set(widths)].toSorted((a, b) => a - b))
  })

  it('follows the bytes where they grow unevenly', () => {
    const steep = widthsByBytes(
      [
        { width: 500, bytes: 90_000 },
        { width: 1000, bytes: 100_000 },
        { width: 2000, bytes: 900_000 },
      ],
      2000,
      500,
    )
    expect(steep.filter((width) => width > 500 && width < 1000)).toEqual([])
    expect(steep.length).toBeGreaterThan(5)
  })

  it('has one width where a narrower one saves nothing: too few bytes, or a source as narrow', () => {
    expect(widthsByBytes([{ width: 2000, bytes: 4000 }], 2000)).toEqual([2000])
    expect(widthsByBytes(CURVE, 300)).toEqual([300])
    expect(widthsByBytes([{ width: 2000, bytes: 50_000 }], 2000)[0]).toBeGreaterThan(320)
  })

  it('begins with the width that is asked for', () => {
    expect(widthsByBytes(CURVE, 400, 100)[0]).toBe(100)
  })
})

describe('withAutoWidths', () => {
  it('leaves other widths as they are, and keeps the order of the words', () => {
    expect(withAutoWidths({ w: [1, 2] }, SOURCE, CURVE)).toEqual({ w: [1, 2] })
    const auto = withAutoWidths({ format: ['webp'], w: ['auto'], quality: [80] }, SOURCE, CURVE)
    expect(Object.keys(auto)).toEqual(['format', 'w', 'quality'])
    expect(auto.w).toEqual(widthsByBytes(CURVE, 2000))
  })

  it('takes the widths that pages draw in place of the curve, within the bounds and the source', () => {
    const drawn = [390, 780, 2560]
    expect(withAutoWidths({ w: ['auto'] }, SOURCE, CURVE, drawn)).toEqual({ w: [390, 780, 2000] })
    expect(withAutoWidths({ w: ['auto', 600] }, SOURCE, undefined, drawn)).toEqual({ w: [390, 600] })
    expect(withAutoWidths({ w: ['auto', 500, 900] }, SOURCE, CURVE, drawn)).toEqual({ w: [500, 780, 900] })
    expect(withAutoWidths({ w: ['auto'], aspect: ['1:1'] }, SOURCE, CURVE, drawn).w).toEqual([390, 780, 1000])
    expect(withAutoWidths({ w: [5] }, SOURCE, CURVE, drawn)).toEqual({ w: [5] })
  })

  it('takes one number as the largest width and two as the bounds', () => {
    const upTo = withAutoWidths({ w: ['auto', 1600] }, SOURCE, CURVE).w
    const between = withAutoWidths({ w: [800, 'auto', 1600] }, SOURCE, CURVE).w
    expect([upTo?.[0], upTo?.at(-1)]).toEqual([320, 1600])
    expect([between?.[0], between?.at(-1)]).toEqual([800, 1600])
    expect(withAutoWidths({ w: ['auto', 9000] }, SOURCE, CURVE).w?.at(-1)).toBe(2000)
  })

  it('ends at the width of the crop, whose bytes are its share', () => {
    const { w = [] } = withAutoWidths({ w: ['auto'], aspect: [1] }, SOURCE, CURVE)
    expect(w.at(-1)).toBe(1000)
    for (const step of stepsOf(w)) expect(step).toBeCloseTo(0.25, 1)
  })

  it('is one width without a curve: the largest', () => {
    expect(withAutoWidths({ w: ['auto', 640] }, SOURCE, undefined)).toEqual({ w: [640] })
    expect(withAutoWidths({ w: ['auto'] }, SOURCE, undefined)).toEqual({ w: [2000] })
    expect(withAutoWidths({ w: ['auto'], quality: [80] }, { ...SOURCE, width: 0 }, undefined)).toEqual({
      quality: [80],
    })
  })

  it.each([
    [{ w: ['auto', 1, 2, 3] as const }, "Expected at most two numbers beside 'auto' for 'w'"],
    [{ w: ['auto'] as const, h: [100] }, "Expected a number beside 'h' for 'w' but received 'auto'"],
  ])('refuses %j', (alternatives, message) => {
    expect(() => withAutoWidths(alternatives, SOURCE, CURVE)).toThrow(message)
  })
})

describe('asksForAutoWidths', () => {
  const presets = resolvePresets({
    auto: { w: 'auto' },
    parts: [{ media: 'print', w: ['auto', 900] }, { w: 200 }],
    other: { w: 200, format: 'auto' },
  })

  it.each([
    ['?w=auto', true],
    ['?w=auto;900&as=img', true],
    ['?preset=auto', true],
    ['?preset=parts', true],
    ['?preset=other', false],
    ['?preset=unknown', false],
    ['?w=200&format=auto', false],
  ])('tells that of %s', (query, expected) => {
    expect(asksForAutoWidths(parseQuery(query), presets, new Map())).toBe(expected)
  })

  it('looks at the default directives', () => {
    expect(asksForAutoWidths(parseQuery('?format=webp'), presets, new Map([['w', ['auto']]]))).toBe(true)
  })
})
