import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import type { ZlibOptions } from 'node:zlib'
import { losslessCompressPng } from '@napi-rs/image'
import type { PNGLosslessOptions } from '@napi-rs/image'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { stripMetadata } from '../../metadata/index.ts'
import { colourFormatOf } from '../apng/colour-format.ts'
import { BLEND, DISPOSE, frameAsPng } from '../apng/read.ts'
import type { Candidate } from '../job.ts'
import { hasChosenColours } from '../lossy-source.ts'
import { fromPicture } from '../picture.ts'
import type { Picture } from '../picture.ts'
import { clearTransparency } from './clear-transparency.ts'
import type { EncodeRequest, Encoder } from './encoder.ts'
import { searchPalettes } from './palette.ts'

const deflated: (data: Uint8Array, options: ZlibOptions) => Promise<Buffer> = promisify(deflate)

/** Bytes below which oxipng is asked again and again, as it may find a better order of the palette that it chose before. */
const SMALL = 8192

/** Lossless as oxipng does it, and the palettes that keep the promise. */
export const encodePng: Encoder = async (request) => {
  const candidates = await lossless(request)
  for (const { png, score } of await searchPalettes(request)) {
    // The exact palette is among the lossless results.
    if (score === 100) continue
    for (const ordered of [png, await indexed(sharp(png))]) {
      candidates.push({ data: await repackPalette(ordered, { strip: true }), type: 'image/png', score })
    }
  }
  return candidates
}

/**
 * From the source's own bytes, which keeps 16 bits per channel and colour profiles. From the decoded pixels as well where
 * they need less: what colour transparent pixels have is not seen, nor, by any target below 100, more than 8 bits. And
 * where oxipng refuses the file.
 */
async function lossless({ picture, source, target }: EncodeRequest): Promise<Candidate[]> {
  const pack = source !== undefined && hasChosenColours(source) ? repackPalette : repack
  const packed = source === undefined ? undefined : await pack(source, { strip: false }).catch(() => undefined)
  const found: Uint8Array[] = []
  if (packed !== undefined) found.push(stripMetadata(packed, 'image/png'))
  const cleaned = withClearTransparency(picture)
  if (packed === undefined || cleaned !== picture || (bitDepth(source!) === 16 && target < 100)) {
    found.push(await pack(await fromPicture(cleaned).png({ compressionLevel: 2 }).toBuffer(), { strip: true }))
  }
  if (picture.paletted) found.push(await pack(await indexed(fromPicture(cleaned)), { strip: true }))
  return found.map((data) => ({ data, type: 'image/png', score: 100 }))
}

/** Of `IHDR`, which every PNG begins with. */
const bitDepth = (png: Uint8Array): number => png[24]!

/** The same picture with its transparent pixels black, or itself where they are. */
function withClearTransparency(picture: Picture): Picture {
  if (picture.channels === 3) return picture
  const data = clearTransparency(picture.data)
  return data === picture.data ? picture : { ...picture, data }
}

/**
 * Pixels of at most 256 colours with a palette by how often each occurs, for oxipng to begin with. It gives that
 * back where its own ways are larger, as they are for charts of straight lines.
 */
async function indexed(pipeline: Sharp): Promise<Uint8Array> {
  const { data, info } = await pipeline.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const frame = {
    left: 0,
    top: 0,
    width,
    height,
    dispose: DISPOSE.none,
    blend: BLEND.source,
    pixels: clearTransparency(data),
  }
  const { header, chunks, rows } = colourFormatOf([frame])
  const packed = await deflated(rows(frame), { level: 9, memLevel: 9 })
  return frameAsPng({ format: header, shared: chunks }, { ...frame, delay: [0, 0], pixels: [packed] })
}

/** A palette stays one unless the file is tiny, so that its colours can be told to be chosen ones when it comes back. */
async function repackPalette(png: Uint8Array, options: PNGLosslessOptions): Promise<Uint8Array> {
  const packed = await repack(png, options)
  if (hasChosenColours(packed)) return packed
  return repack(png, { ...options, grayscaleReduction: false, colorTypeReduction: false })
}

/** oxipng: filters, bit depth, colour type, palette order and deflate, without touching a pixel. */
async function repack(png: Uint8Array, options: PNGLosslessOptions): Promise<Uint8Array> {
  const packed = await losslessCompressPng(png, options)
  if (packed.length >= png.length) return png
  return packed.length < SMALL ? repack(packed, options) : packed
}
