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

/** Returns `true` if some pixel is not opaque. */
export function isTransparent({ data, channels }: Pixels): boolean {
  if (channels === 3) return false
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 255) return true
  return false
}
