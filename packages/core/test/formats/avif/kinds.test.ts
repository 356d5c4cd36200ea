import { describe, expect, it } from 'vitest'
import { createPicture } from '../../../src/encoding/picture.ts'
import type { Picture } from '../../../src/encoding/picture.ts'
import { libaomEffortOf, isFlat, kindOf } from '../../../src/formats/avif/kinds.ts'
import { cutout, photo } from '../../images.ts'

/** Squares of 8 × 8 pixels, of which so many in ten have stripes. */
function squares(striped: number, channels: 3 | 4 = 3, alpha = 255): Picture {
  const [width, height] = [80, 80]
  const data = Buffer.alloc(width * height * channels)
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)]
    const level = x < striped * 8 ? 40 * (y % 3) : 200
    data.set([level, 90, 30, alpha].slice(0, channels), at * channels)
  }
  return createPicture({ data, width, height, channels })
}

/** libaom's efforts for a picture of this size: of flat drawings, then of others, each from little to much effort. */
function efforts(width: number, height: number): number[] {
  const picture = createPicture({ data: Buffer.alloc(width * height * 3), width, height, channels: 3 })
  return (['flat', 'drawing'] as const).flatMap((kind) =>
    (['fast', 'default', 'max'] as const).map((effort) => libaomEffortOf(kind, picture, effort)),
  )
}

describe('a muted photograph', () => {
  it('is encoded like a drawing, with more than 8 bits', () => {
    const { data, ...size } = photo(400, 300)
    for (let at = 0; at < data.length; at += 3) data.fill(data[at + 1]!, at, at + 3)
    const picture = createPicture({ ...size, data })
    expect(picture.muted).toBe(true)
    expect(kindOf(picture, 'default')).toBe('drawing')
    expect(kindOf({ ...picture, muted: false }, 'default')).toBe('photograph')
  })
})

describe('a flat drawing', () => {
  it('has one colour in at least half of its blocks', () => {
    expect([0, 4, 5, 6, 10].map((striped) => isFlat(squares(striped)))).toEqual([true, true, true, false, false])
  })

  it('is no photograph, has no transparency, and needs more than little effort', () => {
    expect(kindOf(squares(2), 'default')).toBe('flat')
    expect(kindOf(squares(2), 'max')).toBe('flat')
    expect(kindOf(squares(2), 'fast')).toBe('drawing')
    expect(kindOf(squares(8), 'default')).toBe('drawing')
    expect(kindOf(squares(2, 4, 128), 'default')).toBe('drawing')
    expect(kindOf(createPicture(cutout()), 'default')).not.toBe('flat')
    expect(isFlat(createPicture(photo(80, 80)))).toBe(false)
  })

  it('is none where the picture is smaller than a block', () => {
    expect(isFlat(createPicture({ data: Buffer.alloc(4 * 4 * 3), width: 4, height: 4, channels: 3 }))).toBe(false)
  })

  it('takes an effort less where it is large', () => {
    expect(efforts(999, 1000)).toEqual([1, 3, 4, 1, 2, 4])
    expect(efforts(1000, 1000)).toEqual([1, 2, 4, 1, 2, 4])
  })
})
