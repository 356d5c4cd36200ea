/** Bounds checked before anything is decoded. */
export interface Limits {
  /** Bytes of one input. Default 100 MiB. */
  maxBytes?: number
  /**
   * Pixels of one input, all frames together; ten times as many of a GIF that is only to become smaller. Default 100
   * million.
   */
  maxPixels?: number
  /** Frames of one animation. Default 256. */
  maxFrames?: number
  /**
   * Milliseconds of processor time that one image may take: how busy the machine is with other things plays no part.
   * Default 120,000, which on an idle machine pass on the wall as well.
   */
  timeout?: number
}

const MIB = 1024 * 1024

/** The limits where none are given. */
export const DEFAULT_LIMITS: Readonly<Required<Limits>> = {
  maxBytes: 100 * MIB,
  maxPixels: 100_000_000,
  maxFrames: 256,
  timeout: 120_000,
}

/**
 * Bytes that the prepared side of a comparison may take: all rows of about 3 megapixels, or of 8 the sample that
 * searches compare. A larger picture is read again for each score, so that several can be worked on at once.
 */
export const MOST_PREPARED_BYTES: number = 64 * MIB

/** Bytes of pixels above which a picture is large: few decodes of its results are made, and none is kept. */
export const MOST_WHOLE_BYTES: number = 128 * MIB
