import type { InputType } from './formats/facts.ts'
import type { Placeholder, PlaceholderKind } from './placeholder/kinds.ts'
import type { ResolvedOperations } from './options/operations.ts'
import type { GuardName } from './quality/guards/index.ts'

export type { ImageType, InputType } from './formats/facts.ts'
export type { Adjustments, ResolvedAdjustments } from './options/adjust.ts'
export type { Aspect } from './options/aspect.ts'
export type { Background, TransformOptions } from './options/background.ts'
export type { ConvertOptions, ConvertType } from './options/convert.ts'
export type { EncoderSettings, ResolvedEncoderSettings, ResolvedSettings } from './options/encoder-settings.ts'
export type { Operations, ResolvedOperations } from './options/operations.ts'
export type { Colour } from './options/colour.ts'
export type { Point, Position, Strategy } from './options/position.ts'
export type { InterfaceResize, ResizeOptions, ResolvedResize } from './options/resize.ts'
export type { ResolvedSvgoConfig, SvgoConfig } from './options/svgo-config.ts'
export type {
  AskedEffort,
  ChromaSubsampling,
  Effort,
  Kernel,
  PreserveItem,
  QualityLevel,
  QualityTarget,
  ResizeMethod,
} from './options/values.ts'

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
 * - `unsupported`: it is of a kind that is not worked on; `notes` say which.
 * - `little`: a result keeps the promise with fewer bytes, but saves less than the command was asked for
 *   (`--min-saving`).
 */
export type KeptReason = 'finished' | 'compressed' | 'smallest' | 'second-loss' | 'guarded' | 'unsupported' | 'little'

/** A smaller result that is not used, as a guard found damage in it (docs/quality.md). */
export interface RefusedResult {
  readonly type: InputType
  /** Bytes, about. */
  readonly size: number
  /** The guard; `twice` is the score of a small picture at twice its size. */
  readonly guard: GuardName | 'twice'
  /** Left and top of the damaged place, in pixels of the result. */
  readonly x: number
  readonly y: number
}

/** The result for one image. */
export interface OptimizeResult {
  /** The bytes to use. Never mutated by the optimizer afterwards. */
  data: Uint8Array
  /** Describes `data`. */
  info: ImageInfo
  /** Describes what went in. */
  input: ImageInfo
  /** Identity of the work: source bytes, resolved operations and engine versions. 64 hexadecimal digits. */
  key: string
  /** The result came from the cache. */
  cached: boolean
  /** The result of a quick path, which a smaller one with the same promise may replace later. */
  draft?: true
  /** The key under which an earlier engine made it; absent for results of this engine. */
  pinned?: string
  /**
   * `input` when no candidate was smaller (then `data` is the input, without its metadata where that is smaller still).
   */
  kept: 'output' | 'input'
  /**
   * The reason why the source's own pixels were kept: the file as it is, or losslessly recompressed. Absent where they
   * were not.
   */
  reason?: KeptReason
  /** The best of what a guard refuses, where the result is without loss because of it. */
  refused?: RefusedResult
  /**
   * Bytes, about, of the smaller result in its own type that was passed over; with the reasons `second-loss` and
   * `little` alone.
   */
  declined?: number
  /** SSIMULACRA2 score of `data` against the (resized, flattened) input; absent where nothing was compared. */
  score?: number
  /**
   * Small details or smooth areas are damaged, and nothing that could be chosen is without. Absent where that is not
   * so.
   */
  damaged?: true
  /** Things the caller should show to a person: one plain sentence each, without the file's name. */
  notes: readonly string[]
  /** The placeholder, where one was asked for and can be made. */
  placeholder?: Placeholder
  /**
   * The work that this machine did for the result, just now; absent for results from the cache and of a service.
   * Decides no bytes.
   */
  work?: Work
}

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

/** The cheap, deterministic first phase: what would be done, and its identity. Nothing is decoded or encoded. */
export interface Plan {
  /** The key of the result: `OptimizeResult.key`. */
  readonly key: string
  /** The input's type, by content. */
  readonly type: InputType
  readonly operations: ResolvedOperations
  /** The types the result can have. One entry when the type is certain before encoding. */
  readonly types: readonly InputType[]
  /** The source bytes the plan was made from. */
  readonly source: Uint8Array
  /** The name used in errors and warnings. */
  readonly file: string | undefined
  /** The request has `effort: 'auto'`: a quick path may make the image first. */
  readonly mayBeDraft?: true
}

/** Requests to `materialize` besides the plan. */
export interface MaterializeExtras {
  placeholder?: PlaceholderKind | undefined
  /** 64 hexadecimal digits. */
  pinned?: string | undefined
}
