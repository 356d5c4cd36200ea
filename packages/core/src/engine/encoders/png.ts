import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import type { ZlibOptions } from 'node:zlib'
import { losslessCompressPng, PngRowFilter } from '@napi-rs/image'
import type { PNGLosslessOptions } from '@napi-rs/image'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import type { Effort } from '../../types.ts'
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

/** What oxipng is given of a picture's ways to be packed. */
interface Packing extends PNGLosslessOptions {
  effort: Effort
}

/** oxipng's own choice among filters is a guess by quick compression: at times 1 % more than the best one takes. */
const EACH_FILTER: readonly PngRowFilter[] = [
  PngRowFilter.None,
  PngRowFilter.Sub,
  PngRowFilter.Up,
  PngRowFilter.Average,
  PngRowFilter.Paeth,
]

/** Lossless as oxipng does it, and the palettes that keep the promise. */
export const encodePng: Encoder = async (request) => {
  const { effort } = request
  const candidates = await lossless(request)
  for (const { png, score } of await searchPalettes(request)) {
    // The exact palette is among the lossless results.
    if (score === 100) continue
    for (const ordered of effort === 'fast' ? [png] : [png, await indexed(sharp(png))]) {
      candidates.push({ data: await repackPalette(ordered, { strip: true, effort }), type: 'image/png', score })
    }
  }
  return candidates
}

/**
 * From the source's own bytes, which keeps 16 bits per channel and colour profiles. From the decoded pixels as well where
 * they need less: what colour transparent pixels have is not seen, nor, by any target below 100, more than 8 bits. And
 * where oxipng refuses the file.
 */
async function lossless({ picture, source, target, effort }: EncodeRequest): Promise<Candidate[]> {
  const pack = source !== undefined && hasChosenColours(source) ? repackPalette : repack
  // Quick: the filter that suits most pictures of its kind, without a look at the others.
  const filter = effort === 'fast' ? [picture.graphic ? PngRowFilter.None : PngRowFilter.Average] : undefined
  const packing = (strip: boolean): Packing => ({ strip, effort, ...(filter !== undefined && { filter }) })
  const packed = source === undefined ? undefined : await pack(source, packing(false)).catch(() => undefined)
  const found: Uint8Array[] = []
  if (packed !== undefined) found.push(stripMetadata(packed, 'image/png'))
  const cleaned = withClearTransparency(picture)
  if (packed === undefined || cleaned !== picture || (bitDepth(source!) === 16 && target < 100)) {
    found.push(await pack(await fromPicture(cleaned).png({ compressionLevel: 2 }).toBuffer(), packing(true)))
  }
  if (picture.paletted) found.push(await pack(await indexed(fromPicture(cleaned)), packing(true)))
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
async function repackPalette(png: Uint8Array, packing: Packing): Promise<Uint8Array> {
  const packed = await repack(png, packing)
  if (hasChosenColours(packed)) return packed
  return repack(png, { ...packing, grayscaleReduction: false, colorTypeReduction: false })
}

/** oxipng: filters, bit depth, colour type, palette order and deflate, without touching a pixel. */
async function repack(png: Uint8Array, packing: Packing): Promise<Uint8Array> {
  const { effort, ...options } = packing
  let packed = await losslessCompressPng(png, options)
  if (effort === 'max') {
    for (const filter of EACH_FILTER) {
      const other = await losslessCompressPng(packed, { ...options, filter: [filter], force: true })
      if (other.length < packed.length) packed = other
    }
  }
  if (packed.length >= png.length) return png
  return packed.length < SMALL && effort !== 'fast' ? repack(packed, packing) : packed
}
