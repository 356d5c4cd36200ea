import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { imagesBelow } from '../images/source-files.mjs'

/** 16-bit steps to one of 8 bits. */
const STEP = 257

/** A picture with fewer pixels is left out, because the fixed bytes of a tool would weigh more than its compression. */
const MIN_PIXELS = 4096

/**
 * Converts the still bitmaps of some folders to PNG files of 8-bit sRGB. Every tool starts from them, so that the
 * former format of an image neither helps nor harms a tool.
 * @param limit maximum number of images, which are spread evenly over all of them
 * @param maxPixels larger images are scaled down to it
 * @returns for each image its `name`, the `file` and bytes (`png`) of the PNG, its `pixels` (for scores), and
 * `transparent`
 */
export async function preparePictures(folders, into, { limit, maxPixels }) {
  const files = (await Promise.all(folders.map(imagesBelow))).flat()
  const usable = []
  for (const file of files) if (await isUsable(file)) usable.push(file)
  const count = Math.min(limit, usable.length)
  const chosen = Array.from({ length: count }, (_, index) => usable[Math.floor((index * usable.length) / count)])
  const pictures = []
  for (const [index, file] of chosen.entries()) pictures.push(await prepare(file, index, into, maxPixels))
  return pictures
}

async function isUsable(file) {
  const metadata = await sharp(file)
    .metadata()
    // Damaged images of a project are left out: this benchmark does not test them.
    .catch(() => undefined)
  const { pages = 1, width = 0, height = 0, format } = metadata ?? {}
  return pages === 1 && format !== 'svg' && width * height >= MIN_PIXELS
}

async function prepare(file, index, into, maxPixels) {
  const upright = sharp(file).autoOrient()
  const { width, height } = (await sharp(file).metadata()).autoOrient
  const scale = Math.min(1, Math.sqrt(maxPixels / (width * height)))
  const sized = scale < 1 ? upright.resize(Math.round(width * scale)) : upright
  const { data, info } = await sized.toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const png = await sharp(data, { raw: info }).png({ compressionLevel: 6, palette: false }).toBuffer()
  const pixels = await decodePixels(png)
  const name = path.basename(file)
  const written = path.join(into, `${String(index).padStart(4, '0')}.png`)
  await writeFile(written, png)
  const transparent = pixels.data.some((value, at) => at % 4 === 3 && value !== 255)
  return { name, file: written, png, pixels, transparent }
}

/** RGBA, each sample of more than 8 bits rounded to the nearest, as browsers show it. */
export async function decodePixels(bytes) {
  const image = sharp(bytes)
  const deep = (await image.metadata()).depth === 'ushort'
  const { data, info } = await image
    .toColourspace(deep ? 'rgb16' : 'srgb')
    .ensureAlpha()
    .raw({ depth: deep ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const words = deep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : undefined
  const rounded = words === undefined ? data : Uint8Array.from(words, (word) => Math.round(word / STEP))
  return { data: rounded, width: info.width, height: info.height, channels: 4 }
}
