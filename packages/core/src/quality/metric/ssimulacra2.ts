import { bytesHeld, Comparison } from './comparison.ts'
import type { Build } from './instance.ts'
import type { Pixels } from './pixels.ts'

export type { Pixels } from './pixels.ts'

/** Prepared once per search; holds WebAssembly memory until dispose(). */
export interface Reference {
  /** 100 = identical; can be negative */
  score(distorted: Pixels): number
  /**
   * The same of an opaque picture of three channels that is not in memory as a whole: bands of rows from the top, each but the
   * last of a multiple of 32 rows. Not while another score is taken.
   */
  scoreBands(bands: AsyncIterable<Uint8Array>): Promise<number>
  dispose(): void
}

export interface ReferenceOptions {
  /**
   * Bytes of memory that the prepared original may take, by default 320 MiB (an opaque image of 16 megapixels). Above it
   * nothing is prepared: every score reads the original again, at up to 1.7 times the time and with a few megabytes of memory.
   * The score is the same.
   */
  maxBytes?: number
  /** The build of the WebAssembly module; by default the one with SIMD where it can run. */
  build?: Build
}

const DEFAULT_MAX_BYTES = 320 * 2 ** 20

/**
 * Bytes of WebAssembly memory that comparing with an original of this size, in pixels, takes: about 21 per pixel (twice
 * that if it has transparency), 25 where that is less than 64 MiB, up to `maxBytes`, then about 1,600 per pixel of width.
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
 * SSIMULACRA 2.1 of images against one original, with everything that depends on the original done once.
 *
 * The metric (Jon Sneyers, Cloudinary, https://github.com/cloudinary/ssimulacra2) scores how alike two images look: 100
 * identical, 90 indistinguishable in a flicker test, 80 indistinguishable side by side, 70 high, 50 medium, 30 low quality.
 * Pixels are taken as sRGB; convert other colour spaces before.
 *
 * Where either image is transparent both are judged on white and on black, as a page may show them on anything, and the
 * lower score counts (the published tool takes greys of 10 % and 90 %). Images with a side below 8 pixels, which the
 * published tool refuses, are mirrored at their edges up to 8.
 *
 * Where an image is like the original nothing is computed: the `data` of the original is read again for each score, and must
 * not change until `dispose()`.
 *
 * Scores agree with the definition in double precision to 0.01. The published tool's own are up to 0.1 lower on photos
 * at medium quality, and up to 2 lower in large bright areas at high quality, as its recursive blur adds up rounding
 * errors.
 *
 * Synchronous: per megapixel about 18 ms here and 15 ms for each score on one core of a server, three times that
 * without SIMD. Keep it off the main thread for large images.
 *
 * @throws PixpressError INTERNAL if the data does not fit the dimensions, or there is no memory; from `score` also for
 * different dimensions and after `dispose()`
 */
export function createReference(original: Pixels, options: ReferenceOptions = {}): Reference {
  const comparison = new Comparison(original, { maxBytes: DEFAULT_MAX_BYTES, ...options })
  return {
    score: (distorted) => comparison.score(distorted).whole,
    scoreBands: (bands) => comparison.scoreBands(bands),
    dispose: () => comparison.dispose(),
  }
}

/** SSIMULACRA 2.1 of one pair of images; see `createReference`. */
export function ssimulacra2(original: Pixels, distorted: Pixels): number {
  const reference = createReference(original)
  try {
    return reference.score(distorted)
  } finally {
    reference.dispose()
  }
}
