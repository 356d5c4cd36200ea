import { describe, expect, it } from 'vitest'
import { moved, shared, shownSize } from '../src/geometry.ts'

const STAGE = { width: 800, height: 400 }

describe('shownSize', () => {
  it.each([
    ['wide', { width: 1600, height: 400 }, { width: 800, height: 200 }],
    ['high', { width: 400, height: 1600 }, { width: 100, height: 400 }],
    ['small', { width: 30, height: 20 }, { width: 60, height: 40 }],
  ])('fits a %s picture into the stage, and enlarges it at most twice', (_, picture, expected) => {
    expect(shownSize(picture, STAGE, 'fit', 1)).toEqual(expected)
  })

  it('counts device pixels for each of the picture', () => {
    expect(shownSize({ width: 300, height: 200 }, STAGE, '1', 2)).toEqual({ width: 150, height: 100 })
    expect(shownSize({ width: 300, height: 200 }, STAGE, '4', 2)).toEqual({ width: 600, height: 400 })
  })
})

describe('shared', () => {
  it('gives the part of a line that two spans share', () => {
    expect(shared({ start: 0, end: 10 }, { start: -5, end: 6 })).toEqual({ start: 0, end: 6 })
    expect(shared({ start: 0, end: 10 }, { start: 20, end: 30 })).toEqual({ start: 20, end: 20 })
  })
})

describe('moved', () => {
  it.each([
    ['ArrowRight', false, 0.51],
    ['ArrowRight', true, 0.6],
    ['ArrowLeft', true, 0.4],
    ['PageUp', false, 0.6],
    ['Home', false, 0],
    ['End', false, 1],
    ['a', false, undefined],
  ])('takes %s to its place (Shift: %s)', (key, isTenfold, expected) => {
    expect(moved(0.5, key, isTenfold)).toBe(expected)
  })

  it('stays on the picture', () => {
    expect(moved(0.995, 'ArrowRight', true)).toBe(1)
    expect(moved(0.02, 'PageDown', false)).toBe(0)
  })
})
