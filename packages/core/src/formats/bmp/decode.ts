import type { Size } from '../../resample/size.ts'
import { readBmpHeader } from './header.ts'
import type { BmpHeader, Masks } from './header.ts'
import { followRuns } from './runs.ts'

/** Bytes of a decoded pixel: red, green, blue and alpha. */
const RGBA = 4

/** The bytes of black, in the order of this machine. */
const BLACK = new Uint32Array(Uint8Array.of(0, 0, 0, 255).buffer)[0]!

/** Writes one row of decoded pixels from the bytes of the file's row. */
type DecodeRow = (row: Uint8Array, to: Uint8Array) => void

/**
 * Decodes a BMP to RGBA as Chromium does: pixels that runs leave out and colours beyond the palette are black, and the
 * fourth byte of a pixel without a mask of alpha means nothing.
 * @throws Error if the file is damaged
 */
export async function decodeBmp(source: Uint8Array): Promise<Size & { readonly data: Uint8Array }> {
  const header = readBmpHeader(source)
  if (header === undefined || 'other' in header) throw new Error('the header cannot be read')
  const { width, height, coding } = header
  const isRuns = coding === 'rle8' || coding === 'rle4'
  const data = isRuns ? decodeRuns(source, header) : decodeRows(source, header)
  return { width, height, data }
}

function decodeRuns(source: Uint8Array, header: BmpHeader): Uint8Array {
  const { width, height } = header
  const colours = coloursOf(source, header)
  const data = new Uint8Array(width * height * RGBA)
  const pixels = new Uint32Array(data.buffer).fill(BLACK)
  followRuns(source, header, (x, row, colour) => {
    pixels[(height - 1 - row) * width + x] = colours[colour]!
  })
  return data
}

function decodeRows(source: Uint8Array, header: BmpHeader): Uint8Array {
  const { width, height, bits, isTopDown } = header
  // Rows take whole words of 32 bits.
  const stride = Math.ceil((width * bits) / 32) * 4
  if (header.pixels + stride * height > source.length) throw new Error('the pixels end too early')
  const data = new Uint8Array(width * height * RGBA)
  const decodeRow = rowDecoder(source, header)
  for (let y = 0; y < height; y++) {
    const at = header.pixels + (isTopDown ? y : height - 1 - y) * stride
    decodeRow(source.subarray(at, at + stride), data.subarray(y * width * RGBA, (y + 1) * width * RGBA))
  }
  return data
}

function rowDecoder(source: Uint8Array, header: BmpHeader): DecodeRow {
  const { bits, masks } = header
  if (bits <= 8) return paletteRow(coloursOf(source, header), header)
  if (bits === 24) return plainRow
  return maskedRow(masks, bits === 16 ? 2 : 4)
}

/** Decodes pixels of 1 to 8 bits, the first in the highest bits of a byte. */
function paletteRow(colours: Uint32Array, { bits, width }: BmpHeader): DecodeRow {
  const perByte = 8 / bits
  const mask = 2 ** bits - 1
  return (row, to) => {
    const pixels = new Uint32Array(to.buffer, to.byteOffset, width)
    for (let x = 0; x < width; x++) {
      const shift = (perByte - 1 - (x % perByte)) * bits
      pixels[x] = colours[(row[Math.floor(x / perByte)]! >> shift) & mask]!
    }
  }
}

const plainRow: DecodeRow = (row, to) => {
  for (let from = 0, at = 0; at < to.length; from += 3, at += RGBA) {
    to[at] = row[from + 2]!
    to[at + 1] = row[from + 1]!
    to[at + 2] = row[from]!
    to[at + 3] = 255
  }
}

function maskedRow(masks: Masks, bytes: 2 | 4): DecodeRow {
  const channels = masks.map(channelOf)
  return (row, to) => {
    for (let from = 0, at = 0; at < to.length; from += bytes, at += RGBA) {
      const low = row[from]! | (row[from + 1]! << 8)
      const pixel = bytes === 2 ? low : (low | (row[from + 2]! << 16) | (row[from + 3]! << 24)) >>> 0
      for (let channel = 0; channel < RGBA; channel++) {
        const { mask, shift, most } = channels[channel]!
        // No mask: no colour, and no transparency.
        const value = mask === 0 ? (channel === 3 ? 255 : 0) : (((pixel & mask) >>> shift) * 255) / most
        to[at + channel] = Math.round(value)
      }
    }
  }
}

interface Channel {
  readonly mask: number
  readonly shift: number
  /** The value of full light. */
  readonly most: number
}

function channelOf(mask: number): Channel {
  // The lowest bit that is set; 31 for none, which is never used.
  const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask)
  return { mask, shift, most: mask >>> shift }
}

/** Returns the colour of every number of a palette as the bytes of a pixel. */
function coloursOf(source: Uint8Array, { palette }: BmpHeader): Uint32Array {
  const colours = new Uint8Array(256 * RGBA)
  for (let index = 0; index < 256; index++) {
    const at = palette.at + index * palette.size
    const [blue = 0, green = 0, red = 0] = index < palette.count ? source.subarray(at, at + 3) : []
    colours.set([red, green, blue, 255], index * RGBA)
  }
  return new Uint32Array(colours.buffer)
}
