import { bytesHeld, Comparison } from './comparison.ts'
import type { Build } from './instance.ts'
import type { Pixels } from './pixels.ts'

export type { Pixels } from './pixels.ts'

/** A prepared original, to score many results against. It holds WebAssembly memory until `dispose()`. */
export interface Reference {
  /** Returns the score of an image. 100 means identical; the score can be negative. */
  score(distorted: Pixels): number
  /**
   * Returns the same for an opaque picture of three channels that comes in bands of rows from the top, so that it need
   * not be in memory as a whole. Every band except the last has a multiple of 32 rows. No other score may be taken
   * meanwhile.
   */
  scoreBands(bands: AsyncIterable<Uint8Array>): Promise<number>
  dispose(): void
}

/** Options of `createReference`. */
export interface ReferenceOptions {
  /**
   * Bytes of memory that the prepared original may take. Default: 320 MiB, an opaque image of 16 megapixels. If it
   * needs more, nothing is prepared: every score reads the original again, which takes up to 1.7 times as long and a
   * few megabytes of memory. The score is the same.
   */
  maxBytes?: number
  /** The build of the WebAssembly module. Default: the build with SIMD if it can run. */
  build?: Build
}

const DEFAULT_MAX_BYTES = 320 * 2 ** 20

/**
 * Bytes of WebAssembly memory that comparing with an original of this size, in pixels, takes: about 21 per pixel (twice
 * that if it has transparency), 25 if that is less than 64 MiB, up to `maxBytes`; beyond, about 1,600 per pixel of
 * width.
 * For callers that share a memory budget among images.
 */
export function metricBytes(
  width: number,
  height: number,
  transparent = false,
  maxBytes: number = DEFAULT_MAX_BYTES,
): number {
  const planes = bytesHeld(width, height, transparent, 'all')
  return planes <= maxBytes ? planes : bytesHeld(width, height, transparent, 'strips')
}

/**
 * Prepares an original, so that images can be scored against it with SSIMULACRA 2.1 without repeating work.
 *
 * The metric (Jon Sneyers, Cloudinary, https://github.com/cloudinary/ssimulacra2) scores how alike two images look: 100
 * is identical, 90 indistinguishable in a flicker test, 80 indistinguishable side by side, 70 high, 50 medium, 30 low
 * quality. Pixels are taken as sRGB; convert other colour spaces before.
 *
 * If either image is transparent, both are judged on white and on black, as a page may show them on any background, and
 * the lower score counts (the published tool uses greys of 10% and 90%). Images with a side below 8 pixels, which the
 * published tool refuses, are mirrored at their edges up to 8.
 *
 * Parts of an image that equal the original are not computed. For that, every score reads the original's `data` again,
 * so it must not change until `dispose()`.
 *
 * Scores agree with the definition in double precision to 0.01. Scores of the published tool are up to 0.1 lower for
 * photographs at medium quality, and up to 2 lower in large bright areas at high quality, because its recursive blur
 * accumulates rounding errors.
 *
 * The call is synchronous: per megapixel it takes about 18 ms, and each score about 15 ms, on one core of a server, or
 * three times as long without SIMD. Keep it off the main thread for large images.
 *
 * @throws PixpressError `INTERNAL` if the data does not fit the dimensions, or if there is no memory; from `score` also
 * if the dimensions differ, and after `dispose()`
 */
export function createReference(original: Pixels, options: ReferenceOptions = {}): Reference {
  const comparison = new Comparison(original, { maxBytes: DEFAULT_MAX_BYTES, ...options })
  return {
    score: (distorted) => comparison.score(distorted).whole,
    scoreBands: (bands) => comparison.scoreBands(bands),
    dispose: () => comparison.dispose(),
  }
}

/** Returns the SSIMULACRA 2.1 score of one pair of images; see `createReference`. */
export function ssimulacra2(original: Pixels, distorted: Pixels): number {
  const reference = createReference(original)
  try {
    return reference.score(distorted)
  } finally {
    reference.dispose()
  }
}
