import { describe, expect, it } from 'vitest'
import { thumbFrame } from '../../src/crop/thumb-frame.ts'

const box = (left: number, top: number, width: number, height: number) => ({ left, top, width, height })

describe('thumbFrame', () => {
  it('takes the object with some air, centred', () => {
    expect(thumbFrame(box(400, 300, 200, 100), { width: 1000, height: 800 }, { width: 110, height: 110 })).toEqual({
      cut: box(390, 240, 220, 220),
      placed: box(0, 0, 110, 110),
    })
  })

  it('slides to stay inside', () => {
    const { cut, placed } = thumbFrame(box(0, 700, 200, 100), { width: 1000, height: 800 }, { width: 110, height: 110 })
    expect(cut).toEqual(box(0, 580, 220, 220))
    expect(placed).toEqual(box(0, 0, 110, 110))
  })

  it('sticks out where it is larger than the picture, with all of that in it', () => {
    expect(thumbFrame(box(20, 10, 80, 180), { width: 120, height: 200 }, { width: 99, height: 99 })).toEqual({
      cut: box(0, 1, 120, 198),
      placed: box(20, 0, 60, 99),
    })
  })

  it('never scales up', () => {
    expect(thumbFrame(box(20, 20, 10, 10), { width: 50, height: 40 }, { width: 300, height: 200 })).toEqual({
      cut: box(0, 0, 50, 40),
      placed: box(125, 75, 50, 40),
    })
  })

  it('holds the object and stays in its bounds, whatever is asked', () => {
    const picture = { width: 90, height: 60 }
    for (const target of [
      { width: 1, height: 1 },
      { width: 300, height: 2 },
      { width: 2, height: 300 },
      { width: 45, height: 30 },
    ])
      for (const object of [box(0, 0, 1, 1), box(0, 0, 90, 60), box(85, 10, 5, 45), box(3, 50, 80, 10)]) {
        const { cut, placed } = thumbFrame(object, picture, target)
        expect(cut.left).toBeGreaterThanOrEqual(0)
        expect(cut.top).toBeGreaterThanOrEqual(0)
        expect(cut.left).toBeLessThanOrEqual(object.left)
        expect(cut.top).toBeLessThanOrEqual(object.top)
        expect(cut.left + cut.width).toBeGreaterThanOrEqual(object.left + object.width)
        expect(cut.top + cut.height).toBeGreaterThanOrEqual(object.top + object.height)
        expect(cut.left + cut.width).toBeLessThanOrEqual(picture.width)
        expect(cut.top + cut.height).toBeLessThanOrEqual(picture.height)
        expect(placed.width).toBeGreaterThanOrEqual(1)
        expect(placed.height).toBeGreaterThanOrEqual(1)
        expect(placed.width).toBeLessThanOrEqual(cut.width)
        expect(placed.height).toBeLessThanOrEqual(cut.height)
        expect(placed.left + placed.width).toBeLessThanOrEqual(target.width)
        expect(placed.top + placed.height).toBeLessThanOrEqual(target.height)
      }
  })
})
