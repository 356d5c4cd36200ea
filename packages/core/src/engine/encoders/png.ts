import { losslessCompressPng } from '@napi-rs/image'
import type { PNGLosslessOptions } from '@napi-rs/image'
import { stripMetadata } from '../../metadata/index.ts'
import type { Candidate } from '../job.ts'
import { fromPicture } from '../picture.ts'
import type { Picture } from '../picture.ts'
import type { EncodeRequest, Encoder } from './encoder.ts'
import { searchPalettes } from './palette.ts'

/** Lossless as oxipng does it, and the palettes that keep the promise. */
export const encodePng: Encoder = async (request) => {
  const candidates = await lossless(request)
  for (const { png, score } of await searchPalettes(request)) {
    candidates.push({ data: await repack(png, AS_PALETTE), type: 'image/png', score })
  }
  return candidates
}

/**
 * From the source's own bytes, which keeps 16 bits per channel and colour profiles. From the decoded pixels as well where
 * they need less: what colour transparent pixels have is not seen, nor, by any target below 100, more than 8 bits. And
 * where oxipng refuses the file.
 */
async function lossless({ picture, source, target }: EncodeRequest): Promise<Candidate[]> {
  const packed = source === undefined ? undefined : await repack(source).catch(() => undefined)
  const found: Uint8Array[] = []
  if (packed !== undefined) found.push(stripMetadata(packed, 'image/png'))
  const cleaned = withClearTransparency(picture)
  if (packed === undefined || cleaned !== picture || (bitDepth(source!) === 16 && target < 100)) {
    found.push(await repack(await fromPicture(cleaned).png({ compressionLevel: 2 }).toBuffer(), { strip: true }))
  }
  return found.map((data) => ({ data, type: 'image/png', score: 100 }))
}

/** Of `IHDR`, which every PNG begins with. */
const bitDepth = (png: Uint8Array): number => png[24]!

/** The same picture with its transparent pixels black, or itself where they are. */
function withClearTransparency(picture: Picture): Picture {
  if (picture.channels === 3) return picture
  let data: Buffer | undefined
  for (let at = 0; at < picture.data.length; at += 4) {
    if (picture.data[at + 3] !== 0 || picture.data.readUIntBE(at, 3) === 0) continue
    data ??= Buffer.from(picture.data)
    data.fill(0, at, at + 3)
  }
  return data === undefined ? picture : { ...picture, data }
}

/** Stays what it is, so that a file of chosen colours can be told from one of few: `isLossy` goes by that. */
const AS_PALETTE: PNGLosslessOptions = { strip: true, grayscaleReduction: false, colorTypeReduction: false }

/** oxipng: filters, bit depth, colour type, palette order and deflate, without touching a pixel. */
async function repack(png: Uint8Array, options: PNGLosslessOptions = { strip: false }): Promise<Uint8Array> {
  const packed = await losslessCompressPng(png, options)
  return packed.length < png.length ? packed : png
}
