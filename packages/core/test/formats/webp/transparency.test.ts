import { describe, expect, it } from 'vitest'
import { createPicture } from '../../../src/encoding/picture.ts'
import type { Picture } from '../../../src/encoding/picture.ts'
import { alphaQualityOf, hasSoftTransparency, isFaint } from '../../../src/formats/webp/transparency.ts'
import { photo } from '../../images.ts'

const SIDE = 100

/** A disc whose transparency falls off over so many pixels. */
function disc(falloff: number): Picture {
  const data = Buffer.alloc(SIDE * SIDE * 4, 120)
  for (let y = 0, at = 3; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++, at += 4) {
      const inside = (30 - Math.hypot(x - SIDE / 2, y - SIDE / 2)) / falloff
      data[at] = Math.round(255 * Math.min(1, Math.max(0, inside + 0.5)))
    }
  }
  return createPicture({ data, width: SIDE, height: SIDE, channels: 4 })
}

describe('hasSoftTransparency', () => {
  it('tells a shadow from the edge of a cut-out', () => {
    expect(hasSoftTransparency(disc(1))).toBe(false)
    expect(hasSoftTransparency(disc(3))).toBe(false)
    expect(hasSoftTransparency(disc(40))).toBe(true)
  })

  it('tells a small shadow in a large picture', () => {
    const [side, shadow] = [1000, disc(40)]
    const data = Buffer.alloc(side * side * 4, 255)
    for (let y = 0; y < SIDE; y++) shadow.data.copy(data, 4 * y * side, 4 * y * SIDE, 4 * (y + 1) * SIDE)
    expect(hasSoftTransparency(createPicture({ data, width: side, height: side, channels: 4 }))).toBe(true)
  })

  it('takes a pane of one transparency for soft, and no transparency for none', () => {
    const pane = { ...disc(1), data: Buffer.alloc(SIDE * SIDE * 4, 120) }
    expect(hasSoftTransparency(pane)).toBe(true)
    expect(hasSoftTransparency(createPicture(photo(40, 40)))).toBe(false)
  })
})

describe('isFaint', () => {
  it('tells a watermark from what is opaque anywhere, and from a picture without transparency', () => {
    const watermark = disc(3)
    for (let at = 3; at < watermark.data.length; at += 4) watermark.data[at] = watermark.data[at]! >> 3
    expect([isFaint(watermark), isFaint(disc(3)), isFaint(createPicture(photo(40, 40)))]).toEqual([true, false, false])
  })
})

describe('alphaQualityOf', () => {
  it('leaves a cut-out 16 levels at every effort, a shadow 96 or all of them, and opaque pictures alone', () => {
    const [hard, soft, opaque] = [disc(1), disc(40), createPicture(photo(40, 40))]
    expect([2, 4, 5].map((effort) => alphaQualityOf(hard, effort))).toEqual([70, 70, 70])
    expect([2, 4, 5].map((effort) => alphaQualityOf(soft, effort))).toEqual([100, 80, 80])
    expect(alphaQualityOf(opaque)).toBe(100)
  })
})
