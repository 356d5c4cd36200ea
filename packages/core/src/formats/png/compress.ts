import { losslessCompressPng, PngRowFilter } from '@napi-rs/image'
import type { PNGLosslessOptions } from '@napi-rs/image'
import type { Picture } from '../../encoding/picture.ts'
import { isNearLossless } from '../../encoding/truecolour-png.ts'
import { hasChosenColours } from '../../metadata/png-chunks.ts'
import type { Effort } from '../../types.ts'

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
 * photographs, of which some took 12 % fewer bytes with a filter, and what is tiny. Of 30 drawings, screenshots and icons between
 * none took 2 % fewer bytes, and each a third to twice more time.
 */
const FILTERED = { upTo: 0.02, from: 0.25, pixels: 10_000 } as const

/** The same for a palette that was there before, so that one left without filters is left so again: oxipng saves up to a fifth. */
const FILTERED_AGAIN = { ...FILTERED, upTo: 0.015 } as const

type Size = Pick<Picture, 'width' | 'height'>

function paletteFilters(
  { length }: Uint8Array,
  { width, height }: Size,
  effort: Effort,
  filtered: { upTo: number; from: number; pixels: number },
): Pick<OxipngSettings, 'filter'> {
  const pixels = width * height
  const isBetween = length > filtered.upTo * pixels && length < filtered.from * pixels && pixels > filtered.pixels
  return effort === 'fast' || (effort === 'default' && isBetween) ? { filter: [PngRowFilter.None] } : {}
}

/** A palette that was found. */
export function compressPalette(png: Uint8Array, size: Size, effort: Effort): Promise<Uint8Array> {
  return recompressPalette(png, { strip: true, effort, ...paletteFilters(png, size, effort, FILTERED) })
}

/**
 * A near-lossless PNG, whose rows are made for one filter: oxipng finds no better one, and with another the file could not be
 * told to be near-lossless. With little effort it stays what it is, which takes 12 % more bytes and a fifth of the time.
 */
export async function compressTruecolour(png: Uint8Array, { effort, ...options }: OxipngSettings): Promise<Uint8Array> {
  if (effort === 'fast') return png
  const compressed = await losslessCompressPng(png, { ...options, filter: [PngRowFilter.Average] })
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
    return recompressPalette(png, { ...settings, ...paletteFilters(png, picture, effort, FILTERED_AGAIN) })
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
  let compressed = await losslessCompressPng(png, options)
  if (effort === 'max') {
    for (const filter of EACH_FILTER) {
      const other = await losslessCompressPng(compressed, { ...options, filter: [filter], force: true })
      if (other.length < compressed.length) compressed = other
    }
  }
  if (compressed.length >= png.length) return png
  return compressed.length < SMALL && effort !== 'fast' ? recompress(compressed, settings) : compressed
}
