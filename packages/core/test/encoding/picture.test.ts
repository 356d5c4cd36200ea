import { describe, expect, it } from 'vitest'
import { clearTransparency, createPicture } from '../../src/encoding/picture.ts'
import { cutout, graphic } from '../images.ts'

describe('createPicture', () => {
  it('tells what encoders want to know', () => {
    const noise = Buffer.from(
      Array.from({ length: 60 * 60 * 3 }, (_, index) => Math.floor(Math.sin(index * 12.9898) * 43_758.5453) & 255),
    )
    const picture = createPicture({ data: noise, width: 60, height: 60, channels: 3 })
    expect(picture).toMatchObject({ channels: 3, grey: false, paletted: false, graphic: false, space: 'srgb' })
    expect(createPicture(graphic())).toMatchObject({ channels: 3, paletted: true, graphic: true, space: 'srgb' })
    expect(createPicture(cutout(), 'display-p3')).toMatchObject({ channels: 4, space: 'display-p3' })
    const opaque = { data: Buffer.alloc(16, 255), width: 2, height: 2, channels: 4 } as const
    expect(createPicture(opaque)).toMatchObject({ channels: 3, grey: true, data: Buffer.alloc(12, 255) })
  })
})

describe('clearTransparency', () => {
  it('makes transparent pixels black in a copy', () => {
    const pixels = Buffer.from([1, 2, 3, 0, 4, 5, 6, 7])
    expect([...clearTransparency(pixels)]).toEqual([0, 0, 0, 0, 4, 5, 6, 7])
    expect(pixels[0]).toBe(1)
  })

  it('returns the same pixels where there is nothing to clear', () => {
    const pixels = Buffer.from([0, 0, 0, 0, 4, 5, 6, 7])
    expect(clearTransparency(pixels)).toBe(pixels)
  })
})
