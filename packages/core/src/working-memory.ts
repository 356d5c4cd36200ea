import type { ProbeResult } from './types.ts'

/** Bytes that one pixel costs while its image is worked on: decoded pixels, an encoder's planes, and the comparison's. */
const BYTES_PER_PIXEL = 120

/** Decoded frames of an animation are held, but compared one at a time. */
const BYTES_PER_FRAME_PIXEL = 12

/** Bytes that an image is expected to take while it is worked on; what the memory bound counts with. */
export function workingMemory({ width, height, frames, size }: ProbeResult): number {
  const pixels = width * height
  return size + pixels * (BYTES_PER_PIXEL + (frames > 1 ? frames * BYTES_PER_FRAME_PIXEL : 0))
}
