/**
 * The alpha plane of an AVIF, exact where the picture is transparent or opaque. Libaom's lossy planes ring around soft
 * edges, by a level or two; without loss, soft shadows and blurred outlines take up to ten times the bytes, as each of
 * their 10 bits is kept. So the soft ends of a plane make room for that ringing before it is encoded.
 */
import sharp from 'sharp'
import type { AvifOptions } from 'sharp'
import { PixpressError } from '../../base/errors.ts'
import { counted } from '../../encoding/counted.ts'
import type { Picture } from '../../encoding/picture.ts'
import { wordsOf } from '../../resample/raster.ts'
import { toByte } from '../../resample/transfer.ts'
import { itemData, parseAvif } from './metadata-items.ts'
import type { AvifFile, Item } from './metadata-items.ts'
import { primaryItem } from './metadata-write.ts'

/** Bits of each of the plane's samples, of which readers show 8. */
export const BITS = 10

/**
 * Settings that are tried in turn, until one is not exact. At 98, planes of soft cut-outs took 15 to 45 % fewer bytes
 * than without loss; at 95, that of a vignette a sixth of them.
 */
const QUALITIES = [98, 95, 90, 75, 60] as const

/**
 * Levels, of 255, by which the softest samples come closer to 0 and to 255. Up to three times as many levels from the
 * ends, samples move by at most so much, along a straight line: without it, 98 was exact for one plane of nine, with it
 * for six.
 */
const ROOM = 3

/** Samples that are not exact up to which their surroundings are moved once more, and how often. */
const FEW = 32
const MOST_REPAIRS = 2

/** Pixels around such a sample in which soft samples move, and by how many levels of 255: most are wrong by one. */
const REACH = 4
const NUDGE = 1.5

/** One sample of each pixel, 0 to 255, in fractions of levels. */
type Alphas = Float32Array

/** Encodes the smallest plane that is exact at 0 and 255, and returns its AV1 bytes. */
export async function encodePlane(picture: Picture, settings: AvifOptions): Promise<Uint8Array> {
  const given = Float32Array.from({ length: picture.width * picture.height }, (_, at) => picture.data[4 * at + 3]!)
  const encode = (alphas: Alphas, how: AvifOptions): Promise<Uint8Array> =>
    encodeAlphas(picture, alphas, { ...settings, ...how })
  let smallest = planeOf(await encode(given, { lossless: true, quality: 100 }))
  if (!given.some((alpha) => alpha > 0 && alpha < 255)) return smallest
  const roomy = given.map(withRoom)
  for (const quality of QUALITIES) {
    const plane = await exactPlane(picture, roomy, (alphas) => encode(alphas, { quality }))
    if (plane === undefined || plane.length >= smallest.length) break
    smallest = plane
  }
  return smallest
}

/** Returns the plane at one setting, moved where it is not exact; `undefined` where that does not make it so. */
async function exactPlane(
  picture: Picture,
  roomy: Alphas,
  encode: (alphas: Alphas) => Promise<Uint8Array>,
): Promise<Uint8Array | undefined> {
  let alphas = roomy
  for (let repairs = 0; repairs <= MOST_REPAIRS; repairs++) {
    const encoded = await encode(alphas)
    const wrong = await wrongPixels(picture, encoded)
    if (wrong.length === 0) return planeOf(encoded)
    if (wrong.length > FEW) return undefined
    alphas = nudged(alphas, picture, wrong)
  }
  return undefined
}

/** A sample closer to the end of the range that it is near. */
const withRoom = (alpha: number): number => (alpha < 128 ? lowered(alpha) : 255 - lowered(255 - alpha))

const lowered = (alpha: number): number => (alpha <= 3 * ROOM ? Math.max(0, (alpha - ROOM) * 1.5) : alpha)

/** Black pixels, whose colours take no bytes. */
function encodeAlphas({ width, height }: Picture, alphas: Alphas, settings: AvifOptions): Promise<Uint8Array> {
  const words = new Uint16Array(4 * alphas.length)
  for (let at = 0; at < alphas.length; at++) words[4 * at + 3] = Math.round(257 * alphas[at]!)
  return counted(sharp(words, { raw: { width, height, channels: 4 }, limitInputPixels: false }))
    .toColourspace('rgb16')
    .avif(settings)
    .toBuffer()
}

/** Returns the pixels that are transparent or opaque in the picture and not in the file, by their place. */
async function wrongPixels({ data }: Picture, encoded: Uint8Array): Promise<number[]> {
  const opened = sharp(encoded, { limitInputPixels: false }).ensureAlpha().toColourspace('rgb16')
  const shown = wordsOf(await opened.raw({ depth: 'ushort' }).toBuffer(), BITS)
  const wrong: number[] = []
  for (let at = 3; at < data.length && wrong.length <= FEW; at += 4) {
    const alpha = data[at]!
    if ((alpha === 0 || alpha === 255) && toByte(shown[at]!) !== alpha) wrong.push((at - 3) / 4)
  }
  return wrong
}

/** Moves the soft samples around wrong ones towards what these should be. */
function nudged(alphas: Alphas, { data, width, height }: Picture, wrong: readonly number[]): Alphas {
  const moved = alphas.slice()
  for (const pixel of wrong) {
    const isOpaque = data[4 * pixel + 3] === 255
    const [x, y] = [pixel % width, Math.floor(pixel / width)]
    for (let row = Math.max(0, y - REACH); row <= Math.min(height - 1, y + REACH); row++) {
      for (let column = Math.max(0, x - REACH); column <= Math.min(width - 1, x + REACH); column++) {
        const at = row * width + column
        const alpha = data[4 * at + 3]!
        if (alpha === 0 || alpha === 255) continue
        // Several wrong samples nearby move it once.
        moved[at] = isOpaque ? Math.min(255, alphas[at]! + NUDGE) : Math.max(0, alphas[at]! - NUDGE)
      }
    }
  }
  return moved
}

/** The AV1 bytes of a file's alpha plane. */
function planeOf(encoded: Uint8Array): Uint8Array {
  const { file, alpha } = parsedAlpha(encoded)
  const plane = itemData(encoded, file, alpha)
  if (plane === undefined) throw new PixpressError('INTERNAL', 'An AVIF has no bytes of its alpha plane')
  return Uint8Array.from(plane)
}

/** Parses a file as libheif writes it: `ftyp`, `meta` and `mdat`, with one item of colours and one of their alpha. */
export function parsedAlpha(encoded: Uint8Array): { file: AvifFile; alpha: Item } {
  const file = parseAvif(encoded)
  const primary = file === undefined ? undefined : primaryItem(encoded, file)
  const alpha = file?.items.find(({ id }) => id !== primary)
  const layout = file?.boxes.map(({ type }) => type).join(' ')
  if (file === undefined || alpha === undefined || file.items.length !== 2 || layout !== 'ftyp meta mdat') {
    throw new PixpressError(
      'INTERNAL',
      `An AVIF with transparency was expected as 'ftyp meta mdat', and is '${layout}'`,
    )
  }
  return { file, alpha }
}
