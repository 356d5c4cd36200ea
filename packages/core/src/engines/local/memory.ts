import { factsOf } from '../../base/formats.ts'
import { MOST_PREPARED_BYTES } from '../../base/limits.ts'
import type { InputType, ProbeResult } from '../../base/types.ts'

/**
 * Bytes that one pixel costs while its image is worked on: decoded pixels, and an encoder's planes and coefficients.
 */
const BYTES_PER_PIXEL = 32

/** Bytes per pixel of the comparison's prepared side, without and with transparency. */
const PREPARED_BYTES_PER_PIXEL = 21
const PREPARED_BYTES_PER_PIXEL_WITH_ALPHA = 42

/** The share of these that is held of a larger picture, of which a sample of the rows is compared while searching. */
const SAMPLED_SHARE = 3 / 7

/**
 * Frames of an animation are decoded and compared in pieces. All of them stand in libvips while it encodes or quantises
 * them, with one byte for each pixel of frames in few colours. Processes took 6 bytes for each of 61 million pixels.
 */
const BYTES_PER_FRAME_PIXEL = 8

/**
 * Returns the bytes that an image is expected to take while it is worked on, as far as the memory bound is concerned.
 */
export function workingMemory(
  { type, width, height, frames, size, hasAlpha }: ProbeResult,
  types: readonly InputType[],
): number {
  const pixels = width * height
  const prepared = pixels * (hasAlpha ? PREPARED_BYTES_PER_PIXEL_WITH_ALPHA : PREPARED_BYTES_PER_PIXEL)
  const codecs =
    types.reduce((sum, each) => sum + factsOf(each).memory.encode, 0) +
    [...new Set([...types, type])].reduce((sum, each) => sum + factsOf(each).memory.decode, 0)
  const perPixel = BYTES_PER_PIXEL + codecs
  const held = prepared <= MOST_PREPARED_BYTES ? prepared : prepared * SAMPLED_SHARE
  const comparison = held <= MOST_PREPARED_BYTES ? held : 0
  return size + comparison + pixels * (perPixel + (frames > 1 ? frames * BYTES_PER_FRAME_PIXEL : 0))
}
