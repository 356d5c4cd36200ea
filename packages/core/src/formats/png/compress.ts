import { losslessCompressPng, PngRowFilter } from '@napi-rs/image'
import type { PNGLosslessOptions } from '@napi-rs/image'
import type { Picture } from '../../encoding/picture.ts'
import { isNearLossless } from '../../encoding/truecolour-png.ts'
import { hasChosenColours } from '../../metadata/png-chunks.ts'
import type { Effort } from '../../types.ts'
import { countPack } from '../../work-counters.ts'

/** How oxipng is to compress a picture. */
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

/** Bytes below which oxipng runs again on its own result as long as that gets smaller: it may order its palette better. */
const SMALL = 8192

/**
 * Bytes per pixel, of zlib, and pixels of palettes for which oxipng tries filters: gradients, which are quick to compress, dithered
 * photographs, of which some took 12 % fewer bytes with a filter, and what is tiny. Drawings, screenshots and icons between
 * took at most 1 % fewer bytes, and a third to twice more time.
 */
const FILTERED = { upTo: 0.035, from: 0.25, pixels: 10_000 } as const

/**
 * Share of its bytes that a palette which was there before has to fall to, unless it is small. oxipng's guesses depend on what it starts
 * from: of 58 palettes of ours 4 lost another 0.1 to 1.3 % in a second run.
 */
const WORTH_IT = 0.98

/** Bytes above which compressing a source again changes nothing, as it is somebody's choice of colours, compressed well enough. */
export function mostBytesAgain(source: Uint8Array, effort: Effort): number {
  return hasChosenColours(source) && source.length >= SMALL && effort !== 'max' ? WORTH_IT * source.length : Infinity
}

type Size = Pick<Picture, 'width' | 'height'>

function paletteFilters(
  { length }: Uint8Array,
  { width, height }: Size,
  effort: Effort,
): Pick<OxipngSettings, 'filter'> {
  const pixels = width * height
  const isBetween = length > FILTERED.upTo * pixels && length < FILTERED.from * pixels && pixels > FILTERED.pixels
  return effort === 'fast' || (effort === 'default' && isBetween) ? { filter: [PngRowFilter.None] } : {}
}

/** A palette that was found. */
export function compressPalette(png: Uint8Array, size: Size, effort: Effort): Promise<Uint8Array> {
  return recompressPalette(png, { strip: true, effort, ...paletteFilters(png, size, effort) })
}

/**
 * A near-lossless PNG, whose rows are made for one filter: oxipng finds no better one, and with another the file could not be
 * told to be near-lossless. With little effort it stays what it is, which takes 12 % more bytes and a fifth of the time.
 */
export async function compressTruecolour(png: Uint8Array, { effort, ...options }: OxipngSettings): Promise<Uint8Array> {
  if (effort === 'fast') return png
  const compressed = await countPack(() => losslessCompressPng(png, { ...options, filter: [PngRowFilter.Average] }))
  return compressed.length < png.length ? compressed : png
}

/** A PNG that was there before, every pixel as it is. */
export function compressSource(
  png: Uint8Array,
  picture: Size & Pick<Picture, 'graphic'>,
  settings: OxipngSettings,
): Promise<Uint8Array> {
  const { effort } = settings
  if (hasChosenColours(png)) {
    return recompressPalette(png, { ...settings, ...paletteFilters(png, picture, effort) })
  }
  return isNearLossless(png) ? compressTruecolour(png, settings) : compressPixels(png, picture, settings)
}

/** A PNG without a palette of its own: with little effort with the one filter that suits most pictures of the kind. */
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

/** oxipng: filters, bit depth, colour type, palette order and deflate, without touching a pixel. */
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
  return compressed.length < SMALL && effort !== 'fast' ? recompress(compressed, settings) : compressed
}
