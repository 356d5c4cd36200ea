import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import type { ZlibOptions } from 'node:zlib'
import { losslessCompressPng, PngRowFilter } from '@napi-rs/image'
import type { PNGLosslessOptions } from '@napi-rs/image'
import type { Sharp } from 'sharp'
import type { Effort, ResolvedSettings } from '../../types.ts'
import { clearTransparency, fromPicture } from '../../encoding/picture.ts'
import type { Picture } from '../../encoding/picture.ts'
import { searchPalettes } from '../../encoding/palette.ts'
import { quantisePng } from '../../encoding/quantise.ts'
import type { Candidate, EncodeRequest, Encoder } from '../../encoding/request.ts'
import { colourFormatOf } from './apng/colour-format.ts'
import { BLEND, DISPOSE, frameAsPng } from './apng/read.ts'
import { hasChosenColours } from '../../metadata/png-chunks.ts'
import { stripPng } from './metadata.ts'
import { countPack } from '../../work-counters.ts'

const deflated: (data: Uint8Array, options: ZlibOptions) => Promise<Buffer> = promisify(deflate)

/** Bytes below which oxipng runs again on its own result as long as that gets smaller: it may order its palette better. */
const SMALL = 8192

/** How oxipng is to compress a picture. */
interface OxipngSettings extends PNGLosslessOptions {
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

/** A palette this much smaller than quick lossless PNGs stays smaller than what oxipng makes of them. */
const CLEARLY_SMALLER = 0.5

/** The palette that keeps the promise, and, unless that is clearly smaller, lossless by oxipng. */
export const encodePng: Encoder = async (request) => {
  const { effort } = request
  // The exact palette is among the lossless results.
  const versions = (await searchPalettes(request)).filter(({ score }) => score < 100)
  const candidates: Candidate[] = []
  for (const { png, score } of versions) {
    candidates.push({ data: await recompressPalette(png, { strip: true, effort }), type: 'image/png', score })
  }
  const smallest = Math.min(...candidates.map(({ data }) => data.length))
  return (await losslessIsLarger(request, smallest)) ? candidates : [...(await lossless(request)), ...candidates]
}

/** Whether every lossless result is larger, by quick ones with each way of filtering, and by the source. */
async function losslessIsLarger(
  { picture, source, effort, mostBytes }: EncodeRequest,
  bytes: number,
): Promise<boolean> {
  if (effort === 'max' || picture.paletted || bytes > (mostBytes ?? Infinity)) return false
  if (bytes > CLEARLY_SMALLER * (source?.length ?? Infinity)) return false
  for (const adaptiveFiltering of [false, true]) {
    const quick = await fromPicture(picture).png({ compressionLevel: 4, adaptiveFiltering }).toBuffer()
    if (bytes > CLEARLY_SMALLER * quick.length) return false
  }
  return true
}

/**
 * From the source's own bytes, which keeps 16 bits per channel and colour profiles. Also from the decoded pixels where
 * those take less (the colours of transparent pixels are not seen, nor, with any target below 100, more than 8 bits), and
 * where oxipng refuses the file.
 */
async function lossless({ picture, source, target, effort }: EncodeRequest): Promise<Candidate[]> {
  const compress = source !== undefined && hasChosenColours(source) ? recompressPalette : recompress
  // With little effort only the filter that suits most pictures of the kind is tried.
  const filter = effort === 'fast' ? [picture.graphic ? PngRowFilter.None : PngRowFilter.Average] : undefined
  const settingsFor = (strip: boolean): OxipngSettings => ({ strip, effort, ...(filter !== undefined && { filter }) })
  const compressed =
    source === undefined ? undefined : await compress(source, settingsFor(false)).catch(() => undefined)
  const found: Uint8Array[] = []
  if (compressed !== undefined) found.push(stripPng(compressed))
  const cleaned = withClearTransparency(picture)
  if (compressed === undefined || cleaned !== picture || (bitDepth(source!) === 16 && target < 100)) {
    found.push(await compress(await fromPicture(cleaned).png({ compressionLevel: 2 }).toBuffer(), settingsFor(true)))
  }
  if (picture.paletted) found.push(await compress(await indexed(fromPicture(cleaned)), settingsFor(true)))
  return found.map((data) => ({ data, type: 'image/png', score: 100 }))
}

/** With the colours of transparent pixels, which may be data, and from a source with all of its bits. */
export async function encodeLosslessPng({
  picture,
  source,
  effort,
}: Pick<EncodeRequest, 'picture' | 'source' | 'effort'>): Promise<readonly Uint8Array[]> {
  const png = source ?? (await fromPicture(picture).png({ compressionLevel: 2 }).toBuffer())
  return [stripPng(await recompress(png, { strip: false, effort }))]
}

/** Bit depth in `IHDR`, which every PNG begins with. */
const bitDepth = (png: Uint8Array): number => png[24]!

/** The same picture with its transparent pixels black, or itself where they are. */
function withClearTransparency(picture: Picture): Picture {
  if (picture.channels === 3) return picture
  const data = clearTransparency(picture.data)
  return data === picture.data ? picture : { ...picture, data }
}

/**
 * Pixels of at most 256 colours with a palette in the order of how often each occurs, for oxipng to start from. oxipng
 * returns it where its own ways take more bytes, as they do for charts of straight lines.
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
  const compressed = await deflated(rows(frame), { level: 9, memLevel: 9 })
  return frameAsPng({ format: header, shared: chunks }, { ...frame, delay: [0, 0], pixels: [compressed] })
}

/** A palette stays one unless the file is tiny, so that its colours are known to be chosen when the file comes back. */
async function recompressPalette(png: Uint8Array, settings: OxipngSettings): Promise<Uint8Array> {
  const compressed = await recompress(png, settings)
  if (hasChosenColours(compressed)) return compressed
  return recompress(png, { ...settings, grayscaleReduction: false, colorTypeReduction: false })
}

/** oxipng: filters, bit depth, colour type, palette order and deflate, without touching a pixel. */
async function recompress(png: Uint8Array, settings: OxipngSettings): Promise<Uint8Array> {
  const { effort, ...options } = settings
  let compressed = await countPack(() => losslessCompressPng(png, options))
  if (effort === 'max') {
    for (const filter of EACH_FILTER) {
      const best = compressed
      const other = await countPack(() => losslessCompressPng(best, { ...options, filter: [filter], force: true }))
      if (other.length < compressed.length) compressed = other
    }
  }
  if (compressed.length >= png.length) return png
  return compressed.length < SMALL && effort !== 'fast' ? recompress(compressed, settings) : compressed
}

export function encodePlainPng(picture: Picture, { colours, dither }: ResolvedSettings<'png'>): Promise<Uint8Array> {
  if (colours === undefined) return fromPicture(picture).png({ compressionLevel: 9 }).toBuffer()
  return quantisePng(fromPicture(picture), { colours, dither, effort: 10 }, { compressionLevel: 9 })
}
