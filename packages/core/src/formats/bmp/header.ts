/**
 * The headers of a BMP file. Sources: Microsoft, "Bitmap Header Types", `BITMAPINFOHEADER` and `BITMAPV5HEADER`;
 * OS/2 2.x, `BITMAPINFOHEADER2`.
 */
import type { Size } from '../../resample/size.ts'

/** Where the second header begins, behind that of the file. */
const INFO = 14

/** Lengths of the second header, by which its versions are told. */
const CORE = 12
const LENGTHS: ReadonlySet<number> = new Set([CORE, 16, 40, 52, 56, 64, 108, 124])

/** Length of the first version that has a mask of alpha for certain. */
const WITH_ALPHA = 108

/** How the pixels are stored. */
export type BmpCoding = 'plain' | 'masks' | 'rle8' | 'rle4'

/** The bits of a pixel that hold red, green, blue and alpha. */
export type Masks = readonly [red: number, green: number, blue: number, alpha: number]

/** The content of a file's headers. */
export interface BmpHeader extends Size {
  readonly isTopDown: boolean
  /** Bits per pixel. */
  readonly bits: number
  readonly coding: BmpCoding
  readonly masks: Masks
  /** Place of the colours, their number, and the bytes that each takes. */
  readonly palette: { readonly at: number; readonly count: number; readonly size: 3 | 4 }
  /** Place of the pixels. */
  readonly pixels: number
  /** An ICC profile inside the file. */
  readonly profile: Uint8Array | undefined
}

/** A kind of BMP that is not decoded, as the end of `a BMP …`. */
export interface OtherBmp {
  readonly other: string
}

/** Masks of pixels without masks of their own. */
const USUAL_MASKS: Readonly<Record<number, Masks>> = {
  16: [0x7c00, 0x3e0, 0x1f, 0],
  32: [0xff0000, 0xff00, 0xff, 0],
}

/** Depths of each coding, in bits per pixel. */
const DEPTHS: Readonly<Record<BmpCoding, readonly number[]>> = {
  plain: [1, 2, 4, 8, 16, 24, 32],
  masks: [16, 32],
  rle8: [8],
  rle4: [4],
}

/** Reads the headers; `undefined` where they are damaged. Never throws. */
export function readBmpHeader(source: Uint8Array): BmpHeader | OtherBmp | undefined {
  const data = new DataView(source.buffer, source.byteOffset, source.length)
  if (source.length < INFO + CORE) return undefined
  const length = data.getUint32(INFO, true)
  if (!LENGTHS.has(length) || source.length < INFO + length) return undefined
  const isCore = length === CORE
  const width = isCore ? data.getUint16(INFO + 4, true) : data.getInt32(INFO + 4, true)
  const rows = isCore ? data.getUint16(INFO + 6, true) : data.getInt32(INFO + 8, true)
  const bits = data.getUint16(INFO + (isCore ? 10 : 14), true)
  if (width <= 0 || rows === 0) return undefined
  const compression = length < 40 ? 0 : data.getUint32(INFO + 16, true)
  const coding = codingOf(compression, length)
  if (typeof coding === 'object') return coding
  if (coding === undefined || !DEPTHS[coding].includes(bits)) return undefined
  // Rows from the top cannot be coded in runs.
  if (rows < 0 && (coding === 'rle8' || coding === 'rle4')) return undefined
  const ownMasks = coding === 'masks' && length === 40 ? (compression === 6 ? 4 : 3) : 0
  const pixels = data.getUint32(10, true)
  const paletteAt = INFO + length + ownMasks * 4
  const masks = coding === 'masks' ? masksAt(data, INFO + 40, length > 52 ? 4 : ownMasks || 3) : plainMasks(data, bits)
  if (pixels < paletteAt || pixels > source.length || (coding === 'masks' && masks === undefined)) return undefined
  const used = length < 40 ? 0 : data.getUint32(INFO + 32, true)
  return {
    width,
    height: Math.abs(rows),
    isTopDown: rows < 0,
    bits,
    coding,
    masks: masks ?? [0, 0, 0, 0],
    palette: paletteOf({ at: paletteAt, end: pixels, size: isCore ? 3 : 4, bits, used }),
    pixels,
    profile: length === 124 ? profileOf(source, data) : undefined,
  }
}

function codingOf(compression: number, length: number): BmpCoding | OtherBmp | undefined {
  const isOs2 = length === 64
  if (compression === 0) return 'plain'
  if (compression === 1) return 'rle8'
  if (compression === 2) return 'rle4'
  if (isOs2 && compression === 3) return { other: 'with the compression of fax machines' }
  if (isOs2 && compression === 4) return { other: 'with runs of 24 bits' }
  if (compression === 3 || compression === 6) return 'masks'
  if (compression === 4) return { other: 'that holds a JPEG' }
  if (compression === 5) return { other: 'that holds a PNG' }
  return undefined
}

/** Browsers take the mask of alpha from a header that has one, whether or not the other masks are in use. */
function plainMasks(data: DataView, bits: number): Masks | undefined {
  const usual = USUAL_MASKS[bits]
  const hasAlpha = data.getUint32(INFO, true) >= WITH_ALPHA
  return usual && hasAlpha ? [usual[0], usual[1], usual[2], data.getUint32(INFO + 52, true)] : usual
}

/** Returns `undefined` for masks that leave out a colour, or that lie beyond the file. */
function masksAt(data: DataView, at: number, count: number): Masks | undefined {
  if (at + count * 4 > data.byteLength) return undefined
  const [red = 0, green = 0, blue = 0, alpha = 0] = Array.from({ length: count }, (_, index) =>
    data.getUint32(at + index * 4, true),
  )
  return red === 0 && green === 0 && blue === 0 ? undefined : [red, green, blue, alpha]
}

interface PaletteFacts {
  readonly at: number
  /** Where the pixels begin. */
  readonly end: number
  readonly size: 3 | 4
  readonly bits: number
  /** The number of colours that the header gives; 0: all. */
  readonly used: number
}

function paletteOf({ at, end, size, bits, used }: PaletteFacts): BmpHeader['palette'] {
  if (bits > 8) return { at, count: 0, size }
  const most = 2 ** bits
  const claimed = used === 0 ? most : Math.min(used, most)
  return { at, count: Math.min(claimed, Math.floor((end - at) / size)), size }
}

/** `MBED`, as the bytes of the number that says where colours are defined. */
const EMBEDDED = 0x4d424544

function profileOf(source: Uint8Array, data: DataView): Uint8Array | undefined {
  if (data.getUint32(INFO + 56, true) !== EMBEDDED) return undefined
  const start = INFO + data.getUint32(INFO + 112, true)
  const end = start + data.getUint32(INFO + 116, true)
  return end > source.length || end === start ? undefined : source.subarray(start, end)
}
