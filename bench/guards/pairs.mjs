import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { DRAWN } from './drawn.mjs'

const ROOT = path.resolve(import.meta.dirname, '../..')

/**
 * A source of a pair as 8-bit sRGB: a file of the repository, or `drawn:` and the name of a picture of drawn.mjs.
 * @param crop `left,top,width,height` in pixels, or `-` for all of it
 * @returns pixels, `side`, the longest of the whole picture, and `whole`, the pixels of that
 */
export async function openSource(source, crop) {
  const drawn = source.startsWith('drawn:') ? DRAWN[source.slice('drawn:'.length)] : undefined
  const file = drawn === undefined ? await readFile(path.join(ROOT, source)) : Buffer.from(drawn)
  const whole = sharp(file).autoOrient()
  const { hasAlpha } = await sharp(file).metadata()
  const flat = (hasAlpha ? whole.ensureAlpha() : whole.removeAlpha()).toColourspace('srgb')
  const { data, info } = await flat.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const side = Math.max(info.width, info.height)
  const all = pixelsOf({ data, info })
  if (crop === '-') return { ...all, side, whole: all }
  const [left, top, width, height] = crop.split(',').map(Number)
  const part = sharp(data, { raw: info }).extract({ left, top, width, height })
  return { ...pixelsOf(await part.raw().toBuffer({ resolveWithObject: true })), side, whole: all }
}

/** Opaque pictures get three channels, as in a build. */
function pixelsOf({ data, info: { width, height, channels } }) {
  const isOpaque = channels === 4 && !data.some((value, at) => at % 4 === 3 && value < 255)
  if (!isOpaque) return { data: new Uint8Array(data), width, height, channels }
  const opaque = new Uint8Array(width * height * 3)
  for (let pixel = 0; pixel < width * height; pixel++) {
    opaque.set(data.subarray(pixel * 4, pixel * 4 + 3), pixel * 3)
  }
  return { data: opaque, width, height, channels: 3 }
}

/**
 * Makes a candidate: `palette:COLOURS`, `palette:COLOURS:DITHER`, `jpeg:QUALITY`, `webp:QUALITY` or `avif:QUALITY`.
 * @param createQuantiser the product's own palettes
 */
export async function makeCandidate(picture, recipe, createQuantiser) {
  const [name, setting, dither] = recipe.split(':')
  if (name === 'palette') return paletteOf(picture, Number(setting), Number(dither ?? 0), createQuantiser)
  const { width, height, channels } = picture
  const image = sharp(picture.data, { raw: { width, height, channels } })
  const written = await image.toFormat(name, { quality: Number(setting), ...SETTINGS[name] }).toBuffer()
  const decoded = sharp(written).toColourspace('srgb')
  const { data } = await (channels === 4 ? decoded.ensureAlpha() : decoded.removeAlpha())
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const result = new Uint8Array(data)
  // A build encodes the alpha of an AVIF on its own, exact at 0 and 255.
  if (name === 'avif' && channels === 4) for (let at = 3; at < result.length; at += 4) result[at] = picture.data[at]
  return { ...picture, data: result }
}

/** Settings near those of a build, but quick. */
const SETTINGS = { jpeg: { mozjpeg: true }, webp: { alphaQuality: 100 }, avif: { effort: 4 } }

function paletteOf(picture, colours, dither, createQuantiser) {
  const quantiser = createQuantiser(picture)
  try {
    return { ...picture, data: quantiser.map(colours, { dither }).pixels.slice() }
  } finally {
    quantiser.dispose()
  }
}

/** Returns the kind by which the guards judge a candidate. */
export const kindOf = (recipe, kindOfBlocks) => (recipe.startsWith('palette') ? 'palette' : kindOfBlocks)

const COLUMNS = ['source', 'crop', 'candidate', 'verdict', 'fault', 'ground', 'seen']

/** The labelled pairs of a table, whose first line names the columns. */
export async function readLabels(file) {
  const [head, ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\n')
  if (head !== COLUMNS.join('\t')) throw new Error(`${file}: the first line should name ${COLUMNS.join(', ')}.`)
  return lines.map((line) => Object.fromEntries(line.split('\t').map((cell, index) => [COLUMNS[index], cell])))
}
