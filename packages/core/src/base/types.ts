import type { InputType } from './format-names.ts'

export type { ImageType, InputType } from './format-names.ts'
export type {
  AskedEffort,
  ChromaSubsampling,
  Effort,
  Kernel,
  PreserveItem,
  QualityLevel,
  QualityTarget,
  ResizeMethod,
} from './values.ts'

/** Facts about an image from its header, before any pixel is decoded. */
export interface ProbeResult {
  type: InputType
  /** Pixels as seen, that is after EXIF orientation. For an SVG without a size: 0. */
  width: number
  height: number
  /** Bytes. */
  size: number
  hasAlpha: boolean
  /** 1 for a still image; 2 for an animated JPEG XL or an AVIF sequence, whose frames are not counted. */
  frames: number
  /** EXIF orientation 1 to 8. */
  orientation: number
  /** Bits per channel. */
  depth: number
}

/** Facts about an image. */
export interface ImageInfo {
  type: InputType
  /** Pixels as seen, that is after EXIF orientation. */
  width: number
  height: number
  /** Bytes. */
  size: number
  /** 1 for a still image; 2 for an animated JPEG XL or an AVIF sequence, whose frames are not counted. */
  frames: number
  hasAlpha: boolean
}

/**
 * Why an image keeps its source's own pixels:
 * - `finished`: an earlier run made it, as the file's own mark or the cache says.
 * - `compressed`: its colours were reduced before, by an earlier run or by another program whose files look the same.
 * - `smallest`: no result that keeps the promise is smaller.
 * - `second-loss`: a new lossy encoding in its own type keeps the promise with fewer bytes, but with too few less to
 *   lose detail a second time for them.
 * - `guarded`: a result that has the score would be clearly smaller, and a guard found damage in it; `refused` says
 *   where.
 * - `credentials`: it has content credentials (C2PA), which hold for its own bytes alone, and `preserve` names
 *   `provenance`.
 * - `unsupported`: it is of a kind that is not worked on; `notes` say which.
 * - `little`: a result keeps the promise with fewer bytes, but saves less than the command was asked for
 *   (`--min-saving`).
 */
export type KeptReason =
  | 'finished'
  | 'compressed'
  | 'smallest'
  | 'second-loss'
  | 'guarded'
  | 'credentials'
  | 'unsupported'
  | 'little'

/** The work for one image. The counts are the same for the same bytes and options; the times are not. */
export interface Work {
  /** Encodes by type, those of searches included; only what was encoded is named. SVG counts as one. */
  readonly encodes: Readonly<Partial<Record<InputType, number>>>
  /** Tries of all searches: for a quality, or for a number of colours. */
  readonly probes: number
  /** Runs of the metric over a whole picture. */
  readonly scores: number
  /** Runs over a sample of rows, which tell a search nearly the score. Absent where another version did the work. */
  readonly samples?: number
  /** Runs of a compressor without loss: deflate or oxipng for a PNG, a search for the best scans of a JPEG. */
  readonly packs: number
  /** Pixels of all encodes and scores together. */
  readonly pixels: number
  /**
   * Pixels of all decodes of still images together: of the source, of results that are compared, and of encodes of some
   * rows. Absent where another version did the work.
   */
  readonly decoded?: number
  /** Times on the wall clock; parts that run at once count each. */
  readonly milliseconds: {
    /** From the start of the work to its end, with what is in none of the others. */
    readonly total: number
    /** Before that: for a thread, and for its turn. */
    readonly wait: number
    /** Decoding the source, with its colours and sizes. */
    readonly decode: number
    /** Making palettes and mapping pixels to them. */
    readonly quantise: number
    /** Decoding results and comparing them, guards included. */
    readonly score: number
    readonly pack: number
    readonly encode: Readonly<Partial<Record<InputType, number>>>
  }
}
