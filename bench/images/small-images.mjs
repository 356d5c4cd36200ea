import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { randomNumbers } from './random.mjs'
import { imagesBelow, siteName } from './source-files.mjs'

const EXAMPLES = path.resolve(import.meta.dirname, '../../examples/images')

/** Sides in pixels, and sizes in bytes. The largest side of a type keeps most of its cuts below the limit of bytes. */
const SIDE = { smallest: 48, png: 88, jpeg: 200, webp: 200 }
const BYTES = { from: 5_000, to: 20_000 }

const ENCODE = {
  png: { compressionLevel: 6 },
  jpeg: { quality: 92 },
  webp: { quality: 94 },
}
const TYPES = Object.keys(ENCODE)

/**
 * Maximum number of tries per image until a cut has a size within the limits. Even plain skies are left behind long
 * before.
 */
const TRIES = 500

/**
 * Makes cuts of the example photos at random places, as PNG, JPEG and WebP in turn, 48 to 200 pixels wide and high, and
 * 5 to 20 kB large. They are the same in every run. Returns their names.
 */
export async function makeSmallImages(into, count) {
  await mkdir(into, { recursive: true })
  const photos = await readPhotos()
  const random = randomNumbers(1)
  const names = []
  for (let index = 0; index < count; index++) {
    const type = TYPES[index % TYPES.length]
    const name = siteName(index, `small.${type === 'jpeg' ? 'jpg' : type}`)
    await writeFile(path.join(into, name), await cutWithinBounds(photos, type, random))
    names.push(name)
  }
  return names
}

async function cutWithinBounds(photos, type, random) {
  for (let tries = 0; tries < TRIES; tries++) {
    const photo = photos[Math.floor(random() * photos.length)]
    const [width, height] = [side(type, random), side(type, random)]
    const left = Math.floor(random() * (photo.raw.width - width))
    const top = Math.floor(random() * (photo.raw.height - height))
    const bytes = await sharp(photo.pixels, { raw: photo.raw })
      .extract({ left, top, width, height })
      .toFormat(type, ENCODE[type])
      .toBuffer()
    if (bytes.length >= BYTES.from && bytes.length <= BYTES.to) return bytes
  }
  throw new Error(`No cut of the example photos has ${BYTES.from} to ${BYTES.to} bytes as ${type}.`)
}

const side = (type, random) => SIDE.smallest + Math.floor(random() * (SIDE[type] - SIDE.smallest + 1))

async function readPhotos() {
  const files = (await imagesBelow(EXAMPLES)).filter((file) => file.endsWith('.jpg'))
  if (files.length === 0) throw new Error(`There are no photos in ${EXAMPLES}.`)
  return Promise.all(
    files.map(async (file) => {
      const { data, info } = await sharp(file)
        .autoOrient()
        .toColourspace('srgb')
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true })
      return { pixels: data, raw: { width: info.width, height: info.height, channels: info.channels } }
    }),
  )
}
