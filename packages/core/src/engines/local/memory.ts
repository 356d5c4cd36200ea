import type { FormatFacts } from '../../base/format-facts.ts'
import { factsOf } from '../../base/formats.ts'
import { MOST_PREPARED_BYTES } from '../../base/limits.ts'
import type { InputType, ProbeResult } from '../../base/types.ts'
import type { Size } from '../../resample/size.ts'

/**
 * Bytes that one pixel of the result costs while it is worked on: decoded pixels, and an encoder's planes and
 * coefficients.
 */
const BYTES_PER_PIXEL = 32

/**
 * Bytes that one pixel of a source costs which is resized: its samples, and what resampling takes. Processes took 5 to
 * 6 bytes for each of 12 megapixels that became 640, 1920 and 3000 pixels wide, 9 with transparency, and 16 where
 * samples have more than 8 bits.
 */
const SOURCE_BYTES_PER_PIXEL = 6
const MORE_WITH_ALPHA = 4
const MORE_WITH_DEPTH = 10

/**
 * Planes of transparency are encoded beside the colours, and compared on two grounds: AVIF of 1 to 7 megapixels took
 * 140 to 150 bytes for each pixel with transparency, and 42 without.
 */
const ENCODED_WITH_ALPHA = 2

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
 *
 * @param types those of the results that are made
 * @param made size of the result in pixels. Default: the source's
 */
export function workingMemory(probe: ProbeResult, types: readonly InputType[], made: Size = probe): number {
  const { type, width, height, frames, size, hasAlpha } = probe
  const pixels = width * height
  const madePixels = made.width * made.height
  const isResized = made.width !== width || made.height !== height
  const source = pixels * (memoryOf(type).decode + (isResized ? resampledBytes(probe) : 0))
  const prepared = madePixels * (hasAlpha ? PREPARED_BYTES_PER_PIXEL_WITH_ALPHA : PREPARED_BYTES_PER_PIXEL)
  const held = prepared <= MOST_PREPARED_BYTES ? prepared : prepared * SAMPLED_SHARE
  const comparison = held <= MOST_PREPARED_BYTES ? held : 0
  const encoding = types.reduce((sum, each) => sum + memoryOf(each).encode, 0) * (hasAlpha ? ENCODED_WITH_ALPHA : 1)
  const decoding = types.reduce((sum, each) => sum + (each === type && !isResized ? 0 : memoryOf(each).decode), 0)
  const ofFrames = frames > 1 ? Math.max(pixels, madePixels) * frames * BYTES_PER_FRAME_PIXEL : 0
  return size + source + comparison + madePixels * (BYTES_PER_PIXEL + encoding + decoding) + ofFrames
}

const memoryOf = (type: InputType): FormatFacts['memory'] => factsOf(type).memory

const resampledBytes = ({ hasAlpha, depth }: ProbeResult): number =>
  SOURCE_BYTES_PER_PIXEL + (hasAlpha ? MORE_WITH_ALPHA : 0) + (depth > 8 ? MORE_WITH_DEPTH : 0)
