import type { InputType, ProbeResult } from './types.ts'

/** Bytes that one pixel costs while its image is worked on: decoded pixels, an encoder's planes, and the comparison's. */
const BYTES_PER_PIXEL = 64

/** libaom holds several 10-bit copies of the picture. */
const AVIF_BYTES_PER_PIXEL = 100

/** Decoded frames of an animation are held, but compared one at a time. */
const BYTES_PER_FRAME_PIXEL = 12

/** Bytes that an image is expected to take while it is worked on; what the memory bound counts with. */
export function workingMemory({ width, height, frames, size }: ProbeResult, types: readonly InputType[]): number {
  const perPixel = types.includes('image/avif') ? AVIF_BYTES_PER_PIXEL : BYTES_PER_PIXEL
  return size + width * height * (perPixel + (frames > 1 ? frames * BYTES_PER_FRAME_PIXEL : 0))
}
