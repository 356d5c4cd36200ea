import { expect, it } from 'vitest'
import { squarify } from '../../page/treemap.ts'

const WEIGHTS = [600, 600, 400, 300, 200, 200, 100, 40, 3, 1, 1, 0.5]

it('gives every weight its share of the area', () => {
  const total = WEIGHTS.reduce((sum, weight) => sum + weight, 0)
  for (const [at, { width, height }] of squarify(WEIGHTS, 3).entries()) {
    expect(width * height).toBeCloseTo(WEIGHTS[at]! / total, 9)
  }
})

it('keeps tiles within the whole, apart from each other and close to squares', () => {
  const tiles = squarify(WEIGHTS, 3)
  for (const [at, a] of tiles.entries()) {
    expect(Math.min(a.left, a.top)).toBeGreaterThan(-1e-9)
    expect(Math.max(a.left + a.width, a.top + a.height)).toBeLessThan(1 + 1e-9)
    const ratio = (a.width * 3) / a.height
    expect(Math.max(ratio, 1 / ratio)).toBeLessThan(4)
    for (const b of tiles.slice(at + 1)) {
      const across = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left)
      const down = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top)
      expect(Math.min(across, down)).toBeLessThan(1e-9)
    }
  }
})

it('lays out nothing, and one alone', () => {
  expect(squarify([], 3)).toEqual([])
  expect(squarify([7], 3)).toEqual([{ left: 0, top: 0, width: expect.closeTo(1, 9), height: expect.closeTo(1, 9) }])
})
