import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { createPicture, createScorer, fromPicture, fromPictureIn16Bits } from '../../src/engine/picture.ts'
import { cutout, graphic, photo } from '../images.ts'

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

describe('scores', () => {
  it('are 100 for the same pixels, and fall with quality', async () => {
    const picture = createPicture(photo())
    const scorer = createScorer(picture)
    const encode = (quality: number) =>
      fromPictureIn16Bits(picture).avif({ quality, effort: 0, bitdepth: 10 }).toBuffer()
    expect(await scorer.score(await fromPicture(picture).png().toBuffer())).toBe(100)
    const [low, high] = [await scorer.score(await encode(30)), await scorer.score(await encode(90))]
    expect(high).toBeGreaterThan(low)
    scorer.dispose()
  })

  it('of decoded pixels are those of their file', async () => {
    const picture = createPicture(photo())
    const scorer = createScorer(picture)
    const file = await fromPicture(picture).webp({ quality: 60 }).toBuffer()
    const pixels = await sharp(file).removeAlpha().raw().toBuffer()
    expect(scorer.scorePixels(pixels)).toBe(await scorer.score(file))
    expect(scorer.scorePixels(picture.data)).toBe(100)
    scorer.dispose()
  })
})

describe('10 bits', () => {
  it('have white for white and black for black, as browsers show them', async () => {
    for (const level of [255, 128, 0]) {
      const picture = createPicture({ data: Buffer.alloc(32 * 32 * 3, level), width: 32, height: 32, channels: 3 })
      const file = await fromPictureIn16Bits(picture).avif({ quality: 90, effort: 0, bitdepth: 10 }).toBuffer()
      const scorer = createScorer(picture)
      expect(await scorer.score(file)).toBe(100)
      scorer.dispose()
    }
  })
})
