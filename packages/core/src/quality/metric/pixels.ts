import { PixpressError } from '../../base/errors.ts'
import { MIN_SIDE } from './weights.ts'

/** A decoded image: interleaved 8-bit sRGB, rows from the top without gaps, alpha not premultiplied. */
export interface Pixels {
  data: Uint8Array
  /** In pixels. */
  width: number
  height: number
  channels: 3 | 4
}

/**
 * Throws for data of the wrong length. Mirrors small images at their edges up to the smallest size that the metric is
 * defined for.
 */
export function checked(pixels: Pixels): Pixels {
  const { data, width, height, channels } = pixels
  if (!(width > 0 && height > 0) || data.length !== width * height * channels) {
    throw new PixpressError(
      'INTERNAL',
      `${data.length} bytes are no image of ${width} × ${height} pixels of ${channels} channels`,
    )
  }
  return width >= MIN_SIDE && height >= MIN_SIDE ? pixels : mirrored(pixels)
}

function mirrored({ data, width, height, channels }: Pixels): Pixels {
  const wide = Math.max(width, MIN_SIDE)
  const high = Math.max(height, MIN_SIDE)
  const rowBytes = wide * channels
  const padded = new Uint8Array(rowBytes * high)
  // The table avoids a view for each pixel, which took 12 s for the comparisons of a column of a million pixels.
  const columns = Uint32Array.from({ length: rowBytes }, (_, at) => {
    return reflect(Math.floor(at / channels), width) * channels + (at % channels)
  })
  for (let y = 0; y < high; y++) {
    const from = reflect(y, height) * width * channels
    const to = y * rowBytes
    for (let at = 0; at < rowBytes; at++) padded[to + at] = data[from + columns[at]!]!
  }
  return { data: padded, width: wide, height: high, channels }
}

/**
 * Returns the coordinate that mirroring at the edges shows at `at`, for an image of `size`: 0 1 2 2 1 0 0 1 … for 3.
 */
function reflect(at: number, size: number): number {
  const phase = at % (2 * size)
  return phase < size ? phase : 2 * size - 1 - phase
}

/**
 * Pixels of four bytes as 32 bits each; `undefined` where they do not begin at a multiple of four. With a sign, as
 * JavaScript's engine keeps such numbers as they are, and may make an object of each number above.
 */
export function pixelWordsOf(data: Uint8Array): Int32Array | undefined {
  return data.byteOffset % 4 === 0
    ? new Int32Array(data.buffer, data.byteOffset, Math.floor(data.length / 4))
    : undefined
}

/** The bits of a pixel's alpha, in this machine's order of bytes. */
export const ALPHA_BITS: number = new Int32Array(Uint8Array.of(0, 0, 0, 255).buffer)[0]!

/** Pixels that are looked at before it is asked whether all of them were opaque. */
const LOOKED_AT = 4096

/** Tells whether a pixel is not opaque. */
export function isTransparent({ data, channels }: Pixels): boolean {
  if (channels === 3) return false
  const words = pixelWordsOf(data)
  if (words === undefined) {
    for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return true
    return false
  }
  for (let from = 0; from < words.length; from += LOOKED_AT) {
    const end = Math.min(words.length, from + LOOKED_AT)
    let all = -1
    for (let at = from; at < end; at++) all &= words[at]!
    if ((all & ALPHA_BITS) !== ALPHA_BITS) return true
  }
  return false
}
