import { inflateSync } from 'node:zlib'
import { losslessCompressPng, PngRowFilter } from '@napi-rs/image'
import type { PNGLosslessOptions } from '@napi-rs/image'
import type { Picture } from '../../encoding/picture.ts'
import { deflate } from '../../encoding/deflate.ts'
import type { Packing } from '../../encoding/deflate.ts'
import type { PaletteVersion } from '../../encoding/palette.ts'
import { isNearLossless } from '../../encoding/truecolour-png.ts'
import type { TruecolourVersion } from '../../encoding/truecolour.ts'
import { concatBytes } from '../../metadata/bytes.ts'
import { hasChosenColours, pngChunks } from '../../metadata/png-chunks.ts'
import type { Effort } from '../../base/types.ts'
import { countPack } from '../../base/counters.ts'

/** Settings of oxipng for one picture. */
export interface OxipngSettings extends PNGLosslessOptions {
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

/** Bytes below which a palette is small: oxipng then looks for a better order, colour type and filter. */
const SMALL = 8192

/**
 * Bytes below which oxipng runs again on its own result as long as that gets smaller. For 543 small PNGs, 809 second
 * runs took a fifth of all processor time and saved 140 bytes, all of them in files of less than 100 bytes.
 */
const AGAIN = 256

/** Pixels up to which deflate is thorough with little effort, too: it takes 10 ms. */
const QUICK_ANYHOW = 100_000

/**
 * Pixels up to which oxipng looks for an order of the palette, another colour type and a filter for what takes less
 * than `SMALL`, and bytes per pixel from which it looks for a filter: dithered photographs, of which some took 12 %
 * fewer bytes with one.
 */
const LOOKED_INTO = { pixels: 250_000, share: 0.25 } as const

/** The share of a palette's quick PNG that thorough compression leaves, for most drawings. */
const THOROUGH_SHARE = 0.85

/**
 * The filter of a large dithered palette. For four photographs, it took 0.1% more bytes than the filter that oxipng
 * chose, and two fifths of its time.
 */
const OF_DITHERED: readonly PngRowFilter[] = [PngRowFilter.Sub]

/**
 * Bytes per pixel up to which a palette, a gradient's, is packed thoroughly anyhow: it is quick to be, and up to half
 * was to be gained.
 */
const GRADIENT = 0.01

/**
 * Share of its bytes that a palette which was there before has to fall to, unless it is small. oxipng's guesses depend
 * on what it starts from: of 58 palettes of ours 4 lost another 0.1 to 1.3 % in a second run.
 */
const WORTH_IT = 0.98

/**
 * Returns the bytes above which compressing a source again changes nothing, as it is somebody's choice of colours,
 * compressed well enough.
 */
export function mostBytesAgain(source: Uint8Array, effort: Effort): number {
  return hasChosenColours(source) && source.length >= SMALL && effort !== 'max' ? WORTH_IT * source.length : Infinity
}

type Size = Pick<Picture, 'width' | 'height'>

const pixelsOf = ({ width, height }: Size): number => width * height

const packingFor = (size: Size, effort: Effort): Packing =>
  effort === 'fast' && pixelsOf(size) > QUICK_ANYHOW ? 'quick' : 'thorough'

/**
 * Returns the packing of near-lossless rows, in which a thorough search finds little more; with much effort oxipng
 * packs what is found.
 */
const packingOfRows = (size: Size, effort: Effort): Packing =>
  effort === 'default' && packingFor(size, effort) === 'thorough' ? 'rows' : packingFor(size, effort)

/** Tells whether oxipng is worth its time for a palette of so many bytes. */
function isLookedInto({ length }: Pick<Uint8Array, 'length'>, size: Size, effort: Effort): boolean {
  const isSmall = length < SMALL && pixelsOf(size) <= LOOKED_INTO.pixels
  return effort === 'max' || (effort === 'default' && (isSmall || isDithered(length, size)))
}

const isDithered = (bytes: number, size: Size): boolean => bytes >= LOOKED_INTO.share * pixelsOf(size)

/** Compresses a palette that was found. */
export async function compressPalette(
  { png: draft, encode }: Pick<PaletteVersion, 'png' | 'encode'>,
  size: Size,
  effort: Effort,
): Promise<Uint8Array> {
  const settings = { strip: true, effort }
  // Without a filter it is not what is kept.
  if (effort !== 'fast' && isDithered(draft.length, size)) return recompressPalette(draft, ofDithered(settings, size))
  // Deflate is as thorough in oxipng: for 155 small palettes, starting from a thorough PNG saved 0.01%.
  const willBeSmall = isLookedInto({ length: THOROUGH_SHARE * draft.length }, size, effort)
  if (willBeSmall && effort === 'default') return recompressPalette(draft, settings)
  const packing = packingFor(size, effort)
  const packed = encode(packing)
  const isGradient = packing === 'quick' && packed.length < GRADIENT * pixelsOf(size)
  const png = isGradient ? encode('thorough') : packed
  return isLookedInto(png, size, effort) ? recompressPalette(png, settings) : png
}

const ofDithered = (settings: OxipngSettings, size: Size): OxipngSettings =>
  settings.effort === 'max' || pixelsOf(size) <= LOOKED_INTO.pixels
    ? settings
    : { ...settings, filter: [...OF_DITHERED] }

/**
 * Compresses near-lossless rows, which are made for one filter: oxipng finds no better one, and with another the file
 * could not be told to be near-lossless. With the effort `max` oxipng packs them, in 4 % fewer bytes and more than
 * twice the time. `undefined` for a file that could not be told to be near-lossless anyhow: it would lose a little each
 * time.
 */
export async function compressTruecolour(
  { draft, encode }: Pick<TruecolourVersion, 'draft' | 'encode'>,
  size: Size,
  effort: Effort,
): Promise<Uint8Array | undefined> {
  const packed = encode(packingOfRows(size, effort))
  // The first bytes tell which it is, and a better deflate shows more of them.
  const png = isNearLossless(packed) ? packed : draft()
  if (!isNearLossless(png)) return undefined
  return effort === 'max' ? recompressTruecolour(png, { strip: true }) : png
}

async function recompressTruecolour(png: Uint8Array, options: PNGLosslessOptions): Promise<Uint8Array> {
  const compressed = await countPack(() => losslessCompressPng(png, { ...options, filter: [PngRowFilter.Average] }))
  return compressed.length < png.length ? compressed : png
}

/** 16 bits of red, green, blue and alpha. */
const MOST_BYTES_PER_PIXEL = 8

/** Bytes in front of a zlib stream's blocks (RFC 1950, section 2.2). */
const STREAM_HEADER = 2

/**
 * Tells whether a PNG's rows are compressed exactly as they would be here: then it was made here, and nothing is to be
 * gained.
 */
export function isPackedHere(png: Uint8Array, size: Size, effort: Effort): boolean {
  const pieces = [...pngChunks(png)].filter(({ type }) => type === 'IDAT')
  const compressed = concatBytes(pieces.map(({ content, contentEnd }) => png.subarray(content, contentEnd)))
  const usual = isNearLossless(png) ? packingOfRows(size, effort) : packingFor(size, effort)
  const packing = png.length < GRADIENT * pixelsOf(size) ? 'thorough' : usual
  try {
    const rows = inflateSync(compressed, { maxOutputLength: size.height * (size.width * MOST_BYTES_PER_PIXEL + 1) })
    // In front is what the stream says of itself, which a mark changes.
    const [ours, theirs] = [deflate(rows, packing), compressed].map((stream) => stream.subarray(STREAM_HEADER))
    return Buffer.compare(ours!, theirs!) === 0
  } catch {
    // The stream is damaged where decoders overlook it, or has more bytes than the picture.
    return false
  }
}

/** Compresses a PNG that was there before, every pixel as it is. */
export async function compressSource(
  png: Uint8Array,
  picture: Size & Pick<Picture, 'graphic'>,
  settings: OxipngSettings,
): Promise<Uint8Array> {
  const { effort, ...options } = settings
  const isChosen = hasChosenColours(png)
  if (!isChosen && !isNearLossless(png)) return compressPixels(png, picture, settings)
  const isLeft = effort !== 'max' && !(isChosen && isLookedInto(png, picture, effort))
  if (isLeft && isPackedHere(png, picture, effort)) return png
  if (!isChosen) return effort === 'fast' ? png : recompressTruecolour(png, options)
  return recompressPalette(png, isLeft ? { ...settings, filter: [PngRowFilter.None] } : settings)
}

/**
 * Compresses a PNG without a palette of its own: with little effort with the one filter that suits most pictures of the
 * kind.
 */
export function compressPixels(
  png: Uint8Array,
  { graphic }: Pick<Picture, 'graphic'>,
  settings: OxipngSettings,
): Promise<Uint8Array> {
  const filter = [graphic ? PngRowFilter.None : PngRowFilter.Average]
  return recompress(png, settings.effort === 'fast' ? { ...settings, filter } : settings)
}

/** A palette stays one unless the file is tiny, so that its colours are known to be chosen when the file comes back. */
export async function recompressPalette(png: Uint8Array, settings: OxipngSettings): Promise<Uint8Array> {
  const compressed = await recompress(png, settings)
  if (hasChosenColours(compressed)) return compressed
  return recompress(png, { ...settings, grayscaleReduction: false, colorTypeReduction: false })
}

/** Runs oxipng: filters, bit depth, colour type, palette order and deflate, without touching a pixel. */
export async function recompress(png: Uint8Array, settings: OxipngSettings): Promise<Uint8Array> {
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
  return compressed.length < AGAIN && effort !== 'fast' ? recompress(compressed, settings) : compressed
}
