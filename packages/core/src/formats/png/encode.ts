import { withoutIt } from '../../base/faults.ts'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import type { ZlibOptions } from 'node:zlib'
import type { Sharp } from 'sharp'
import type { Effort } from '../../base/types.ts'
import { clearTransparency, fromPicture } from '../../encoding/picture.ts'
import type { Picture } from '../../encoding/picture.ts'
import { searchPalettes } from '../../encoding/palette.ts'
import type { PaletteVersion } from '../../encoding/palette.ts'
import { WORTHWHILE } from '../../encoding/codec.ts'
import { quantisePng } from '../../encoding/quantise.ts'
import type { Candidate, EncodeRequest, Encoder } from '../../encoding/request.ts'
import { isNearLossless } from '../../encoding/truecolour-png.ts'
import { COMPRESSED_SHARE, estimateTruecolour, searchTruecolour } from '../../encoding/truecolour.ts'
import type { TruecolourVersion } from '../../encoding/truecolour.ts'
import { colourFormatOf } from './apng/colour-format.ts'
import { BLEND, DISPOSE, frameAsPng } from './apng/read.ts'
import { hasChosenColours, hasPalette } from '../../metadata/png-chunks.ts'
import {
  compressPalette,
  compressPixels,
  compressSource,
  compressTruecolour,
  isPackedHere,
  mostBytesAgain,
  recompress,
} from './compress.ts'
import type { OxipngSettings } from './compress.ts'
import { SHARE_OF_FEWER, isTheirChoice, scoreOfFewer, shareOfColours } from './chosen-colours.ts'
import { isSurelyOurs } from './mark.ts'
import { stripPng } from './metadata.ts'
import { repeatsLittle, takesMoreLosslessly } from './photograph.ts'
import { countPack } from '../../base/counters.ts'
import type { ResolvedSettings } from '../../operations/encoder-settings.ts'

const deflated: (data: Uint8Array, options: ZlibOptions) => Promise<Buffer> = promisify(deflate)

/** A palette this much smaller than quick lossless PNGs stays smaller than what oxipng makes of them. */
const CLEARLY_SMALLER = 0.5

/**
 * Quick bytes per pixel from which a picture is like a photograph, although it may have few colours for its size: it is
 * grey, or has flat areas. Photographs took 0.26 and more, in grey, too; drawings and screenshots up to 0.04, icons of
 * many colours up to 0.2.
 */
const DETAILED = 0.25

/**
 * Bytes per pixel, and pixels from which on, near-lossless pixels take less than a palette where hardly any pixel
 * repeats: of 25 photographs palettes were smaller where these took 0.5 and more, by 2 to 15 %, and took 0.45 at least
 * themselves.
 */
const SMALLER_THAN_PALETTES = 0.45
const SMALL = 100_000

/** Share of a palette's quick bytes that are left when it is compressed well, in most photographs. */
const PALETTE_COMPRESSED_SHARE = 0.9

/**
 * Returns the smallest result that keeps the promise, from a palette and truecolour; and, unless that is clearly
 * smaller, the lossless one by oxipng.
 */
export const encodePng: Encoder = async (request) => {
  const candidates = request.target < 100 && request.mostBytes !== 0 ? await lossyOrFewer(request) : []
  const smallest = Math.min(...candidates.map(({ data }) => data.length))
  return (await losslessIsLarger(request, smallest)) ? candidates : [...(await lossless(request)), ...candidates]
}

async function lossyOrFewer(request: EncodeRequest): Promise<Candidate[]> {
  const { source, picture, effort, target, mostBytes = Infinity } = request
  const least = scoreOfFewer(target)
  // Where bytes are bound, what is below the promise counts as well.
  const isBound = source === undefined || mostBytes > WORTHWHILE.palette * source.length
  if (least === undefined || isBound || !isTheirChoice(source) || isPackedHere(source, picture, effort)) {
    return lossy(request)
  }
  const found = await lossy({ ...request, mostBytes: SHARE_OF_FEWER * source.length })
  const isWorthIt = found.some(
    ({ data, score }) => data.length <= shareOfColours(source, { score, promise: target }) * source.length,
  )
  return isWorthIt ? found : fewerColours(request, least, source)
}

/** Returns the palette or the near-lossless pixels, whichever is smaller by drafts; none where neither is to be had. */
async function lossy(request: EncodeRequest): Promise<Candidate[]> {
  const { picture, effort, mostBytes = Infinity } = request
  const isTried = isFirst(request)
  let first = isTried ? searchTruecolour({ ...request, mostBytes }) : undefined
  // With little effort a photograph is not given a palette as well, which takes longer than all else.
  if (first !== undefined && (effort !== 'fast' || isDetailed(first.draftBytes(), picture))) {
    const candidate = await truecolourCandidate(first, request)
    if (candidate !== undefined && candidate.data.length <= mostBytes) return [candidate]
    first = undefined
  }
  // The exact palette is among the lossless results.
  const palette = searchPalettes(request).find(({ score }) => score < 100)
  const most = Math.min(mostBytes, (palette?.png.length ?? Infinity) * PALETTE_COMPRESSED_SHARE)
  const isLeft = !isTried && mayBePhotograph(picture, palette, effort)
  const found = isLeft ? searchTruecolour({ ...request, mostBytes: most }) : first
  if (found !== undefined && found.draftBytes() * COMPRESSED_SHARE <= most) {
    const candidate = await truecolourCandidate(found, request)
    if (candidate !== undefined) return [candidate]
  }
  if (palette === undefined) return []
  return [{ data: await compressPalette(palette, picture, effort), type: 'image/png', score: palette.score }]
}

/**
 * Reduces a palette that others have chosen to fewer colours, for a score so far above the promise that the loss is
 * hardly seen a second time. A palette of ours has the fewest already.
 */
async function fewerColours(request: EncodeRequest, target: number, { length }: Uint8Array): Promise<Candidate[]> {
  const { picture, effort } = request
  const mostBytes = SHARE_OF_FEWER * length
  const palette = searchPalettes({ ...request, target, mostBytes }).find(({ score }) => score < 100)
  if (palette === undefined) return []
  return [{ data: await compressPalette(palette, picture, effort), type: 'image/png', score: palette.score }]
}

/** Tells whether near-lossless pixels are looked for first, because a palette would take more bytes. */
function isFirst(request: EncodeRequest): boolean {
  const { picture, effort } = request
  if (picture.graphic || effort === 'max' || !repeatsLittle(picture)) return false
  const pixels = picture.width * picture.height
  return effort === 'fast' || (pixels > SMALL && estimateTruecolour(request) < SMALLER_THAN_PALETTES * pixels)
}

async function truecolourCandidate(
  found: TruecolourVersion,
  { picture, effort }: EncodeRequest,
): Promise<Candidate | undefined> {
  const data = await compressTruecolour(found, picture, effort)
  return data && { data, type: 'image/png', score: found.score }
}

function mayBePhotograph(picture: Picture, palette: PaletteVersion | undefined, effort: Effort): boolean {
  const { graphic, paletted, grey } = picture
  if (effort === 'fast' && palette !== undefined) return false
  return !graphic || (palette === undefined ? grey || !paletted : isDetailed(palette.png.length, picture))
}

const isDetailed = (bytes: number, { width, height }: Picture): boolean => bytes >= DETAILED * width * height

/** Tells whether every lossless result is larger, by quick encodes and by the source. */
async function losslessIsLarger(
  { picture, source, effort, mostBytes }: EncodeRequest,
  bytes: number,
): Promise<boolean> {
  if (effort === 'max' || picture.paletted || bytes > (mostBytes ?? Infinity)) return false
  if (bytes > CLEARLY_SMALLER * (source?.length ?? Infinity)) return false
  // With little effort, a source is taken to be compressed well enough to tell.
  if (effort === 'fast' && source !== undefined) return true
  return takesMoreLosslessly(picture, bytes / CLEARLY_SMALLER)
}

/**
 * Encodes losslessly from the source's own bytes, which keeps 16 bits per channel and colour profiles. Also from the
 * decoded pixels where those take less (the colours of transparent pixels are not seen, nor, with any target below 100,
 * more than 8 bits), and where oxipng refuses the file.
 */
async function lossless({ picture, source, target, effort }: EncodeRequest): Promise<Candidate[]> {
  // A few bytes more or less are not worth another look at what was packed as well as it could be.
  if (source !== undefined && effort !== 'max' && isSurelyOurs(source)) {
    return [{ data: stripPng(source), type: 'image/png', score: 100 }]
  }
  const settingsFor = (strip: boolean): OxipngSettings => ({ strip, effort })
  const chosen = source !== undefined && hasChosenColours(source)
  const compressed =
    source === undefined ? undefined : await compressSource(source, picture, settingsFor(false)).catch(withoutIt)
  const found: Uint8Array[] = []
  if (compressed !== undefined) found.push(stripPng(compressed))
  // A result of this engine is not encoded again from its pixels: that would save little and take much more time.
  const isWrittenHere = source !== undefined && (hasPalette(source) || isNearLossless(source))
  if (compressed !== undefined && compressed === source && effort !== 'max' && isWrittenHere) {
    return [{ data: stripPng(source), type: 'image/png', score: 100 }]
  }
  // Under transparency near-lossless pixels are what is predicted, and need not be cleared.
  const cleaned = source !== undefined && isNearLossless(source) ? picture : withClearTransparency(picture)
  const compress = (png: Uint8Array): Promise<Uint8Array> =>
    chosen ? compressSource(png, picture, settingsFor(true)) : compressPixels(png, picture, settingsFor(true))
  if (compressed === undefined || cleaned !== picture || (bitDepth(source!) === 16 && target < 100)) {
    found.push(await compress(await fromPicture(cleaned).png({ compressionLevel: 2 }).toBuffer()))
  }
  if (picture.paletted) found.push(await compress(await indexed(fromPicture(cleaned))))
  const most = source === undefined ? Infinity : mostBytesAgain(source, effort)
  const kept = found.every(({ length }) => length > most) ? [stripPng(source!)] : found
  return kept.map((data) => ({ data, type: 'image/png', score: 100 }))
}

/** Keeps the colours of transparent pixels, which may be data, and all bits of a source. */
export async function encodeLosslessPng({
  picture,
  source,
  effort,
}: Pick<EncodeRequest, 'picture' | 'source' | 'effort'>): Promise<readonly Uint8Array[]> {
  const png = source ?? (await fromPicture(picture).png({ compressionLevel: 2 }).toBuffer())
  return [stripPng(await recompress(png, { strip: false, effort }))]
}

/** Reads the bit depth in `IHDR`, which every PNG begins with. */
const bitDepth = (png: Uint8Array): number => png[24]!

/** Returns the same picture with its transparent pixels black, or itself where they are. */
function withClearTransparency(picture: Picture): Picture {
  if (picture.channels === 3) return picture
  const data = clearTransparency(picture.data)
  return data === picture.data ? picture : { ...picture, data }
}

/**
 * Returns the pixels of at most 256 colours with a palette in the order of how often each occurs, for oxipng to start
 * from. oxipng returns it where its own ways take more bytes, as they do for charts of straight lines.
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
  const compressed = await countPack(() => deflated(rows(frame), { level: 9, memLevel: 9 }))
  return frameAsPng({ format: header, shared: chunks }, { ...frame, delay: [0, 0], pixels: [compressed] })
}

/** Encodes once with the caller's own settings. */
export function encodePlainPng(picture: Picture, { colours, dither }: ResolvedSettings<'png'>): Promise<Uint8Array> {
  if (colours === undefined) return fromPicture(picture).png({ compressionLevel: 9 }).toBuffer()
  return quantisePng(fromPicture(picture), { colours, dither, effort: 10 }, { compressionLevel: 9 })
}
