import type { InputType, ProbeResult } from './types.ts'

/** Bytes that one pixel costs while its image is worked on: decoded pixels, and an encoder's planes and coefficients. */
const BYTES_PER_PIXEL = 32

/** Bytes per pixel of the comparison's prepared side, without and with transparency, and the most that it takes. */
const PREPARED_BYTES_PER_PIXEL = 21
const PREPARED_BYTES_PER_PIXEL_WITH_ALPHA = 42
export const MOST_PREPARED_BYTES: number = 128 * 2 ** 20

/** libaom holds several 10-bit copies of the picture. */
const AVIF_BYTES_PER_PIXEL = 100

/** JPEG XL's encoder and decoder have a memory each, which they hold until the image is done. */
const JXL_ENCODER_BYTES_PER_PIXEL = 135
const JXL_DECODER_BYTES_PER_PIXEL = 84

/** Decoded frames of an animation are held, but compared one at a time. */
const BYTES_PER_FRAME_PIXEL = 12

/** Bytes that an image is expected to take while it is worked on; what the memory bound counts with. */
export function workingMemory(
  { type, width, height, frames, size, hasAlpha }: ProbeResult,
  types: readonly InputType[],
): number {
  const pixels = width * height
  const prepared = pixels * (hasAlpha ? PREPARED_BYTES_PER_PIXEL_WITH_ALPHA : PREPARED_BYTES_PER_PIXEL)
  const writesJxl = types.includes('image/jxl')
  const perPixel =
    (types.includes('image/avif') ? AVIF_BYTES_PER_PIXEL : BYTES_PER_PIXEL) +
    (writesJxl ? JXL_ENCODER_BYTES_PER_PIXEL : 0) +
    (writesJxl || type === 'image/jxl' ? JXL_DECODER_BYTES_PER_PIXEL : 0)
  const comparison = prepared <= MOST_PREPARED_BYTES ? prepared : 0
  return size + comparison + pixels * (perPixel + (frames > 1 ? frames * BYTES_PER_FRAME_PIXEL : 0))
}
