import { decodeIndependently, requireTool } from '@pixpress/testkit'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { createPicture } from '../../../src/encoding/picture.ts'
import type { Picture } from '../../../src/encoding/picture.ts'
import { encodeWithAlpha } from '../../../src/formats/avif/alpha.ts'
import { worstAlphaEnd } from '../../../src/quality/guards/alpha-ends.ts'
import { wordsOf } from '../../../src/resample/raster.ts'

/** A disc with a soft or a hard edge on nothing. */
function disc(softness: number): Picture {
  const size = 64
  const data = Buffer.alloc(size * size * 4)
  for (let at = 0; at < size * size; at++) {
    const distance = Math.hypot((at % size) - 32, Math.floor(at / size) - 32)
    const alpha = Math.min(1, Math.max(0, (26 - distance) / softness + 0.5))
    data.set([230, 60 + distance, 40, Math.round(255 * alpha)], 4 * at)
  }
  return createPicture({ data, width: size, height: size, channels: 4 })
}

async function samples(avif: Uint8Array): Promise<Uint16Array> {
  const opened = sharp(avif).ensureAlpha().toColourspace('rgb16')
  return wordsOf(await opened.raw({ depth: 'ushort' }).toBuffer(), 10)
}

async function alphas(file: Uint8Array): Promise<Uint8Array> {
  const words = (await samples(file)).filter((_, at) => at % 4 === 3)
  return Uint8Array.from(words, (word) => Math.round((word * 255) / 65_535))
}

const worstEnd = (picture: Picture, shown: Uint8Array): number =>
  worstAlphaEnd(
    picture.data.filter((_, at) => at % 4 === 3),
    shown,
    picture,
  ).share

describe('an AVIF with transparency', () => {
  it.each([
    ['hard', 1],
    ['soft', 24],
  ])('has no veil and no body that is seen through at low settings, with a %s edge', async (_, softness) => {
    const picture = disc(softness)
    for (const quality of [20, 60]) {
      const shown = await alphas(await encodeWithAlpha(picture, quality, { effort: 0 }))
      expect(worstEnd(picture, shown)).toBeLessThanOrEqual(1)
    }
  })

  it('changes with the setting in its colours alone', async () => {
    const picture = disc(8)
    const [low, high] = await Promise.all(
      [20, 90].map(async (quality) => encodeWithAlpha(picture, quality, { effort: 0 })),
    )
    expect(await alphas(low!)).toEqual(await alphas(high!))
    expect(low!.length).toBeLessThan(high!.length)
  })

  it.skipIf(requireTool('avifdec') === undefined)('is a file that another decoder reads', async () => {
    const picture = disc(8)
    const { pixels } = await decodeIndependently(await encodeWithAlpha(picture, 60, { effort: 0 }))
    expect(
      worstEnd(
        picture,
        pixels.filter((_, at) => at % 4 === 3),
      ),
    ).toBeLessThanOrEqual(1)
  })
})

describe('the alpha plane', () => {
  const SIZE = 160

  /** A picture with as many colours as a photograph, which fades out like a vignette. */
  function fading(): Picture {
    const data = Buffer.alloc(SIZE * SIZE * 4)
    for (let at = 0; at < SIZE * SIZE; at++) {
      const alpha = 1.6 - (3 / SIZE) * Math.hypot((at % SIZE) - SIZE / 2, Math.floor(at / SIZE) - SIZE / 2)
      data.set([90, 140, 200, Math.round(255 * Math.min(1, Math.max(0, alpha)))], 4 * at)
    }
    return createPicture({ data, width: SIZE, height: SIZE, channels: 4 })
  }

  it('takes a tenth of the bytes without loss where it is soft', async () => {
    const picture = fading()
    const file = await encodeWithAlpha(picture, 60, { effort: 1 })
    const raw = { width: SIZE, height: SIZE, channels: 4 } as const
    const plain = { effort: 1, bitdepth: 10, chromaSubsampling: '4:4:4', lossless: true } as const
    const black = Buffer.from(picture.data.map((value, at) => (at % 4 === 3 ? value : 0)))
    expect(file.length).toBeLessThan(0.1 * (await sharp(black, { raw }).avif(plain).toBuffer()).length)
    const shown = await alphas(file)
    expect(worstEnd(picture, shown)).toBeLessThanOrEqual(1)
    for (const [pixel, level] of shown.entries()) {
      expect(Math.abs(level - picture.data[4 * pixel + 3]!)).toBeLessThanOrEqual(12)
    }
  })

  it('is without loss where nothing is soft', async () => {
    const data = fading().data.map((value, at) => (at % 4 === 3 ? (value > 127 ? 255 : 0) : value))
    const picture = createPicture({ data: Buffer.from(data), width: SIZE, height: SIZE, channels: 4 })
    const shown = await alphas(await encodeWithAlpha(picture, 60, { effort: 1 }))
    expect([...shown].every((level, pixel) => level === picture.data[4 * pixel + 3]!)).toBe(true)
  })
})

describe('an opaque AVIF', () => {
  it('has white for white and black for black', async () => {
    const data = Buffer.alloc(32 * 32 * 3, 255)
    data.fill(0, data.length / 2)
    const picture = createPicture({ data, width: 32, height: 32, channels: 3 })
    const file = await encodeWithAlpha(picture, 90, { effort: 0 })
    const shown = wordsOf(await sharp(file).toColourspace('rgb16').raw({ depth: 'ushort' }).toBuffer(), 10)
    const levels = [shown[0]!, shown.at(-1)!].map((word) => Math.round(word / 257))
    expect(levels).toEqual([255, 0])
  })
})
