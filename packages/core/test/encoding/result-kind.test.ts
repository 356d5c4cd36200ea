import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { createPicture } from '../../src/encoding/picture.ts'
import type { Picture } from '../../src/encoding/picture.ts'
import {
  blockKindOf,
  kindOfNearLossless,
  kindOfPalette,
  scoreOfSeen,
  scoreOfWhole,
} from '../../src/encoding/result-kind.ts'

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

/** A square of 80 pixels on nothing; of 100 × 100 pixels 64 % are seen. */
function onNothing(colourAt: (x: number, y: number) => readonly [number, number, number]): Picture {
  const data = Buffer.alloc(100 * 100 * 4)
  for (let y = 10; y < 90; y++) for (let x = 10; x < 90; x++) data.set([...colourAt(x, y), 255], 4 * (100 * y + x))
  return createPicture({ data, width: 100, height: 100, channels: 4 })
}

const textured = onNothing((x, y) => [
  128 + ((x * 37 + y * 101) % 23),
  90 + ((x * 53 + y * 29) % 19),
  60 + ((x * y) % 17),
])
const soft = onNothing((x, y) => [2 * x, 2 * y, x + y])

describe('what the guards take a picture with transparency for', () => {
  it('is decided by its seen pixels: clear ones are equal in any picture', () => {
    expect(blockKindOf(textured)).toBe('photograph')
    expect(kindOfNearLossless(textured)).toBe('photograph')
  })

  it('is a drawing’s where it is soft, though it has many colours', () => {
    expect(soft.graphic).toBe(false)
    expect(blockKindOf(soft)).toBe('block')
    expect(kindOfNearLossless(soft)).toBe('palette')
  })
})

/** A white picture, a third of which has many colours. */
function mostlyWhite(): Picture {
  const data = Buffer.alloc(100 * 100 * 3, 255)
  for (let at = 0; at < 3000; at++) data.set([at % 256, (at * 7) % 256, at >> 4], 3 * at)
  return createPicture({ data, width: 100, height: 100, channels: 3 })
}

describe('what the guards take an opaque picture of many colours for', () => {
  it('is a drawing’s where most of its pixels are equal, but for those of a JPEG', () => {
    expect(mostlyWhite().graphic).toBe(false)
    expect(blockKindOf(mostlyWhite())).toBe('block')
    expect(blockKindOf({ ...mostlyWhite(), fromJpeg: true })).toBe('photograph')
  })
})

describe('the score of a drawing with transparency', () => {
  it('is that of its seen pixels, of which at least 40 % count', () => {
    expect(scoreOfSeen(90, soft)).toBeCloseTo(100 - 10 / 0.64, 9)
    const dot = createPicture({ ...soft, data: soft.data.map((value, at) => (at < 20_000 ? value : 0)) as Buffer })
    expect(scoreOfSeen(92, dot)).toBeCloseTo(80, 9)
    expect(scoreOfWhole(scoreOfSeen(87.5, soft), soft)).toBeCloseTo(87.5, 9)
    expect(scoreOfSeen(100, soft)).toBe(100)
  })

  it('is that of the whole for palettes, for photographs and without transparency', () => {
    expect(scoreOfSeen(90, soft, 'palette')).toBe(90)
    expect(scoreOfSeen(90, textured)).toBe(90)
    expect(scoreOfWhole(90, textured)).toBe(90)
  })
})

describe('what the guards take a palette for', () => {
  it('is a drawing’s until it has 192 colours', () => {
    expect(kindOfPalette(191, { graphic: true })).toBe('palette')
    expect(kindOfPalette(192, { graphic: true })).toBe('grain')
    expect(kindOfPalette(16, { graphic: false })).toBe('grain')
  })
})
