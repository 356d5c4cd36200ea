import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { createPicture } from '../../src/encoding/picture.ts'
import type { Picture } from '../../src/encoding/picture.ts'
import { blockKindOf, kindOfPalette } from '../../src/encoding/result-kind.ts'

const IMAGES = path.resolve(import.meta.dirname, '../../../../examples/images')

/** A photograph or drawing of the examples as somebody else's JPEG decodes. */
async function asJpeg(name: string, change: (image: Sharp) => Sharp): Promise<Picture> {
  const image = change(
    sharp(await readFile(path.join(IMAGES, name)))
      .resize({ width: 640, withoutEnlargement: true })
      .flatten({ background: '#fff' }),
  )
  const jpeg = await image.jpeg({ quality: 80 }).toBuffer()
  const { data, info } = await sharp(jpeg).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return createPicture({ data, width: info.width, height: info.height, channels: 3 })
}

const grey = (image: Sharp): Sharp => image.greyscale()
const blurred = (image: Sharp): Sharp => image.blur(60)

describe('what the guards take a block codec’s result for', () => {
  it.each(['sunrise.jpg', 'mountains.jpg'])(
    'is a photograph where grey leaves few colours of one: %s',
    async (name) => {
      const picture = await asJpeg(name, grey)
      expect(picture).toMatchObject({ graphic: false, muted: true })
      expect(blockKindOf(picture)).toBe('photograph')
      const small = await asJpeg(name, (image) => grey(image).resize(240))
      expect(small).toMatchObject({ graphic: true, muted: false })
      expect(blockKindOf(small)).toBe('photograph')
    },
  )

  it.each(['sunrise.jpg', 'mountains.jpg'])(
    'is a photograph where one is blurred to a few colours: %s',
    async (name) => {
      const picture = await asJpeg(name, blurred)
      expect(picture).toMatchObject({ graphic: false, muted: true })
      expect(blockKindOf(picture)).toBe('photograph')
    },
  )

  it('is a photograph where a blurred one is left with the grey of a ramp', async () => {
    const picture = await asJpeg('sunrise.jpg', (image) => blurred(image).greyscale())
    expect(picture).toMatchObject({ graphic: true, muted: false })
    expect(blockKindOf(picture)).toBe('photograph')
  })

  it.each(['chart.png', 'dashboard.png', 'logo.png', 'icon.png'])(
    'is a drawing’s where one is grey: %s',
    async (name) => {
      expect(blockKindOf(await asJpeg(name, grey))).toBe('block')
    },
  )

  it('is a drawing’s where lines are as faint as a gradient’s steps', () => {
    const data = Buffer.alloc(200 * 200 * 3, 240)
    for (let x = 20; x < 180; x++) data.fill(236, (100 * 200 + x) * 3, (100 * 200 + x) * 3 + 3)
    expect(blockKindOf(createPicture({ data, width: 200, height: 200, channels: 3 }))).toBe('block')
  })

  it('is a drawing’s in an icon, which has too few pixels to tell', async () => {
    const icon = await asJpeg('sunrise.jpg', (image) => grey(image).resize(48, 48))
    expect(icon.graphic).toBe(true)
    expect(blockKindOf(icon)).toBe('block')
  })
})

describe('what the guards take a palette for', () => {
  it('is a drawing’s until it has 192 colours', () => {
    expect(kindOfPalette(191, { graphic: true })).toBe('palette')
    expect(kindOfPalette(192, { graphic: true })).toBe('grain')
    expect(kindOfPalette(16, { graphic: false })).toBe('grain')
  })
})
