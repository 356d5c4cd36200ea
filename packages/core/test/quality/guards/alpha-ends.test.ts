import { describe, expect, it } from 'vitest'
import { worstAlphaEnd } from '../../../src/quality/guards/alpha-ends.ts'

/** A soft disc on nothing, or an icon whose strokes have no inside. */
const PICTURES = {
  disc: drawn(96, (x, y) => 255 * Math.max(0, 32.5 - Math.hypot(x - 48, y - 48))),
  icon: drawn(48, (x, y) => 120 * Math.max(0, 4 - Math.min(Math.abs(x - 24), Math.abs(y - 24)))),
}

interface Plane {
  readonly alphas: Uint8Array
  readonly size: { width: number; height: number }
}

function drawn(side: number, alphaAt: (x: number, y: number) => number): Plane {
  const alphas = Uint8Array.from({ length: side * side }, (_, at) =>
    Math.min(255, alphaAt(at % side, Math.floor(at / side))),
  )
  return { alphas, size: { width: side, height: side } }
}

function worst({ alphas, size }: Plane, change: (alpha: number, x: number, y: number) => number): number {
  const after = alphas.map((alpha, at) => change(alpha, at % size.width, Math.floor(at / size.width)))
  return worstAlphaEnd(alphas, after, size).share
}

describe('the alpha of a block codec’s result', () => {
  it.each(Object.entries(PICTURES))('is refused with a veil, a box or a body that is seen through: %s', (_, plane) => {
    for (const level of [1, 2, 3]) expect(worst(plane, (alpha) => (alpha === 0 ? level : alpha))).toBeGreaterThan(1)
    for (const level of [252, 253]) expect(worst(plane, (alpha) => (alpha === 255 ? level : alpha))).toBeGreaterThan(1)
    expect(worst(plane, (alpha, x, y) => (alpha === 0 && x < 24 && y < 24 ? 1 : alpha))).toBeGreaterThan(1)
  })

  it.each(Object.entries(PICTURES))('may differ by what is not seen: %s', (_, plane) => {
    expect(worst(plane, (alpha) => alpha)).toBe(0)
    expect(worst(plane, (alpha, x, y) => (alpha === 0 && (x + y) % 2 === 0 ? 1 : alpha))).toBeLessThanOrEqual(1)
    expect(worst(plane, (alpha) => (alpha > 0 && alpha < 255 ? alpha - 9 : alpha))).toBe(0)
  })

  it('may ring by four levels at the rim of a shape, and by two inside', () => {
    const { alphas, size } = PICTURES.disc
    const at = (x: number, y: number, error: number): { share: number; place: { x: number; y: number } } => {
      const after = alphas.slice()
      after[y * size.width + x]! += error
      return worstAlphaEnd(alphas, after, size)
    }
    expect(at(48, 14, 4).share).toBe(1)
    expect(at(48, 14, 5)).toEqual({ share: 1.25, place: { x: 48, y: 14 } })
    expect(at(48, 17, -4).share).toBe(1)
    expect(at(2, 2, 2).share).toBe(1)
    expect(at(2, 2, 3)).toEqual({ share: 1.5, place: { x: 2, y: 2 } })
    expect(at(48, 48, -3).share).toBe(1.5)
  })

  it.each([16, 17, 18, 19])('is refused with a veil over only the last rows and columns of %i', (side) => {
    const clear = drawn(side, () => 0)
    const last = side - 8
    expect(worst(clear, (_, x, y) => (x >= last && y >= last ? 1 : 0))).toBe(2)
    expect(worst(clear, (_, x) => (x >= last ? 1 : 0))).toBe(2)
    expect(worst(clear, (_, x, y) => (y >= last ? 1 : 0))).toBe(2)
  })

  it('is judged in pictures smaller than a window', () => {
    const size = { width: 3, height: 2 }
    expect(worstAlphaEnd(new Uint8Array(6), new Uint8Array(6).fill(1), size).share).toBe(2)
    expect(worstAlphaEnd(new Uint8Array(6), Uint8Array.of(0, 0, 1, 0, 0, 0), size).share).toBe(0.5)
  })
})
