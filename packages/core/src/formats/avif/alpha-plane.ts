/**
 * The alpha plane of an AVIF. Alpha that is exact at 0 and 255 took 63 % of the bytes of 31 transparent pictures, so
 * errors that nobody sees are allowed there: `quality/guards/alpha-ends.ts` has the limits.
 */
import sharp from 'sharp'
import type { AvifOptions } from 'sharp'
import { PixpressError } from '../../base/errors.ts'
import { counted } from '../../encoding/counted.ts'
import type { Picture } from '../../encoding/picture.ts'
import { PROMISE_OF_LIMITS, createGuards, worst } from '../../quality/guards/index.ts'
import type { Pixels } from '../../quality/metric/ssimulacra2.ts'
import { wordsOf } from '../../resample/raster.ts'
import { toByte } from '../../resample/transfer.ts'
import { itemData, parseAvif } from './metadata-items.ts'
import type { AvifFile, Item } from './metadata-items.ts'
import { primaryItem } from './metadata-write.ts'

/** Bits of each of the plane's samples, of which readers show 8. */
export const BITS = 10

/**
 * libaom's effort of a plane. At one quality it takes 9 to 15 % fewer bytes than effort 1, 3 to 4 % fewer than 2, and
 * errs less at the rim of shapes.
 */
const EFFORT = 4

/**
 * Qualities that are tried in turn: of 32 pictures, 16 took 82, 8 took 84, 3 took 86 and 88, and 2 each less and more.
 */
const FIRST = 82
const LOWER = [78, 74, 70] as const
const HIGHER = [84, 86, 90, 95, 98] as const

/** The share of every guard's limit that a plane may take, beside the picture's own colours: the rest is for theirs. */
const SHARE = 0.5

/** Encodes the smallest plane that keeps the guards' limits of transparency, and returns its AV1 bytes. */
export async function encodePlane(picture: Picture): Promise<Uint8Array> {
  if (!picture.data.some((value, at) => at % 4 === 3 && value > 0 && value < 255)) return encodeLossless(picture)
  const guards = createGuards(picture)
  const passing = async (quality: number): Promise<Uint8Array | undefined> => {
    const encoded = await encodeAlphas(picture, { quality })
    const measures = guards.measure(await withAlphasOf(encoded, picture), 'block')
    return worst(measures, PROMISE_OF_LIMITS, 'block') <= SHARE ? planeOf(encoded) : undefined
  }
  try {
    let plane = await passing(FIRST)
    if (plane !== undefined) {
      for (const quality of LOWER) {
        const smaller = await passing(quality)
        if (smaller === undefined) break
        plane = smaller
      }
      return plane
    }
    for (const quality of HIGHER) {
      plane = await passing(quality)
      if (plane !== undefined) return plane
    }
    return await encodeLossless(picture)
  } finally {
    guards.dispose()
  }
}

const encodeLossless = async (picture: Picture): Promise<Uint8Array> =>
  planeOf(await encodeAlphas(picture, { lossless: true, quality: 100 }))

/** Black pixels, whose colours take no bytes. */
function encodeAlphas({ data, width, height }: Picture, settings: AvifOptions): Promise<Uint8Array> {
  const words = new Uint16Array(data.length)
  for (let at = 3; at < data.length; at += 4) words[at] = 257 * data[at]!
  return counted(sharp(words, { raw: { width, height, channels: 4 }, limitInputPixels: false }))
    .toColourspace('rgb16')
    .avif({ effort: EFFORT, bitdepth: BITS, chromaSubsampling: '4:4:4', ...settings })
    .toBuffer()
}

/** The picture with the transparency of an encoded plane, as readers show it. */
async function withAlphasOf(encoded: Uint8Array, picture: Picture): Promise<Pixels> {
  const opened = sharp(encoded, { limitInputPixels: false }).ensureAlpha().toColourspace('rgb16')
  const shown = wordsOf(await opened.raw({ depth: 'ushort' }).toBuffer(), BITS)
  return { ...picture, data: picture.data.map((value, at) => (at % 4 === 3 ? toByte(shown[at]!) : value)) }
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
