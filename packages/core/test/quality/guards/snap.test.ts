import { describe, expect, it } from 'vitest'
import { separateAlpha, snapPalette, snapSeparated } from '../../../src/quality/guards/snap.ts'
import type { EntryCounts } from '../../../src/quality/guards/entries.ts'
import type { Pixels } from '../../../src/quality/metric/ssimulacra2.ts'

type Rgba = readonly [number, number, number, number]

function row(...colours: readonly Rgba[]): Pixels {
  return { data: Uint8Array.from(colours.flat()), width: colours.length, height: 1, channels: 4 }
}

const A: Rgba = [10, 20, 30, 255]
const B: Rgba = [12, 22, 32, 255]
const C: Rgba = [14, 24, 34, 255]
const WRONG: Rgba = [1, 2, 3, 255]

function snapped(source: Pixels, palette: Rgba, indices = new Uint8Array(source.width)): number[] {
  return [...snapPalette(source, indices, Uint8Array.from(palette))]
}

describe('snapPalette', () => {
  it('sets an entry to what half of its pixels were', () => {
    expect(snapped(row(A, A, B, C), WRONG)).toEqual(A)
    expect(snapped(row(B, C, A, B, A, A, C, A), WRONG)).toEqual(A)
    expect(snapped(row(C, B, A, A), WRONG)).toEqual(A)
  })

  it('leaves an entry whose pixels have no majority', () => {
    expect(snapped(row(A, A, B, B, C), WRONG)).toEqual(WRONG)
  })

  it('makes an entry opaque whose pixels mostly were', () => {
    expect(snapped(row(A, B, C), [11, 21, 31, 240])).toEqual([11, 21, 31, 255])
    expect(snapped(row(A, B, [14, 24, 34, 200], [1, 1, 1, 190]), [11, 21, 31, 240])).toEqual([11, 21, 31, 240])
  })

  it('takes pixels of alpha 0 for one value, transparent black', () => {
    expect(snapped(row([9, 9, 9, 0], [8, 8, 8, 0], A, B), [5, 5, 5, 3])).toEqual([0, 0, 0, 0])
  })

  it('looks at each entry by itself, and keeps those without pixels', () => {
    const palette = Uint8Array.from([WRONG, [2, 2, 2, 255], WRONG].flat() as number[])
    const indices = Uint8Array.of(0, 2, 0, 2)
    expect([...snapPalette(row(A, B, A, B), indices, palette)]).toEqual([...A, 2, 2, 2, 255, ...B])
  })

  it('reads sources without alpha, and gives back a palette that is right', () => {
    const source: Pixels = { data: Uint8Array.of(10, 20, 30, 10, 20, 30), width: 2, height: 1, channels: 3 }
    expect(snapped(source, WRONG)).toEqual(A)
    const palette = Uint8Array.from(A)
    expect(snapPalette(source, new Uint8Array(2), palette)).toBe(palette)
  })
})

describe('separateAlpha', () => {
  const CLEAR: Rgba = [7, 7, 7, 0]
  const HALF: Rgba = [90, 90, 90, 128]
  const EDGE: Rgba = [60, 60, 60, 150]

  it('gives transparent pixels one entry, and the opaque ones of an entry one of their majority', () => {
    const indexed = { indices: Uint8Array.of(0, 0, 0, 0, 0, 0), palette: Uint8Array.from(EDGE) }
    expect(separateAlpha(row(HALF, A, CLEAR, A, B, CLEAR), indexed)).toEqual({
      indices: Uint8Array.of(0, 1, 2, 1, 1, 2),
      palette: Uint8Array.from([...EDGE, ...A, 0, 0, 0, 0]),
    })
  })

  it('gives the opaque pixels of an entry without a majority their mean', () => {
    const indexed = { indices: Uint8Array.of(0, 0, 0, 0), palette: Uint8Array.from(EDGE) }
    expect([...separateAlpha(row(HALF, A, B, C), indexed).palette]).toEqual([...EDGE, 12, 22, 32, 255])
  })

  it('uses the transparent entry that there is', () => {
    const indexed = { indices: Uint8Array.of(0, 1), palette: Uint8Array.from([...EDGE, 0, 0, 0, 0]) }
    expect([...separateAlpha(row(CLEAR, CLEAR), indexed).indices]).toEqual([1, 1])
  })

  it('takes the transparent and the nearest opaque entry of a full palette', () => {
    const palette = Uint8Array.from({ length: 1024 }, (_, at) => (at < 4 ? EDGE[at]! : at % 4 === 3 ? 255 : at >> 2))
    palette.set([0, 0, 0, 0], 4 * 200)
    const source = row(CLEAR, [10, 11, 12, 255], [250, 251, 251, 255])
    expect(separateAlpha(source, { indices: new Uint8Array(3), palette })).toEqual({
      indices: Uint8Array.of(200, 11, 251),
      palette,
    })
  })

  it('leaves what is right, and pixels that are neither', () => {
    const indexed = { indices: Uint8Array.of(0, 1), palette: Uint8Array.from([...EDGE, ...A]) }
    const result = separateAlpha(row(HALF, A), indexed)
    expect(result.indices).toBe(indexed.indices)
    expect(result.palette).toBe(indexed.palette)
  })
})

/** Counts of two pixels in one entry. */
const counted = (values: readonly [number, number], opaque: number): EntryCounts => ({
  values: Uint32Array.from([...values, 0, 0]),
  counts: Uint32Array.from([1, 1, 0, 0]),
  opaque: Uint32Array.from([opaque, 0]),
  totals: Uint32Array.from([2, 0]),
})

describe('snapSeparated', () => {
  const [TRANSLUCENT, OPAQUE] = [0xfe_10_20_30, 0xff_11_21_31]

  it('leaves an entry opaque whose first pixel is nearly opaque and whose second is', () => {
    const palette = Uint8Array.of(0x31, 0x21, 0x11, 255)
    expect([...snapSeparated(counted([TRANSLUCENT, OPAQUE], 1), palette)]).toEqual([...palette])
  })

  it('sets an opaque entry to what its pixels are where none is opaque', () => {
    const palette = Uint8Array.of(0x31, 0x21, 0x11, 255)
    expect([...snapSeparated(counted([TRANSLUCENT, TRANSLUCENT], 0), palette)]).toEqual([0x30, 0x20, 0x10, 0xfe])
  })

  it('leaves a clear entry clear', () => {
    const palette = Uint8Array.of(0, 0, 0, 0)
    expect([...snapSeparated(counted([TRANSLUCENT, 0], 0), palette)]).toEqual([0, 0, 0, 0])
  })
})
