import type {
  CHROMA_SUBSAMPLINGS,
  EFFORTS,
  IMAGE_TYPES,
  INPUT_TYPES,
  PRESERVE_ITEMS,
  QUALITY_LEVELS,
  RESIZE_METHODS,
} from './values.ts'

/** A MIME type that the engine can write. */
export type ImageType = (typeof IMAGE_TYPES)[number]

/** A MIME type that the engine recognises. GIF and SVG are optimised in their own format. */
export type InputType = (typeof INPUT_TYPES)[number]

export type ResizeMethod = (typeof RESIZE_METHODS)[number]
export type PreserveItem = (typeof PRESERVE_ITEMS)[number]
export type QualityLevel = keyof typeof QUALITY_LEVELS
export type Effort = (typeof EFFORTS)[number]
export type ChromaSubsampling = (typeof CHROMA_SUBSAMPLINGS)[number]

/** A named level, or the SSIMULACRA2 score to aim at: 1 to 100, where about 90 looks lossless and 50 is medium. */
export type QualityTarget = QualityLevel | number

/**
 * `scale` takes exactly one dimension; `fit` stays inside both; `cover` crops to exactly both; `thumb` is `cover` that
 * keeps free-standing objects whole. Dimensions are pixels, whole numbers of at least 1. Nothing is ever scaled up.
 */
export type ResizeOptions =
  | { method: 'scale'; width: number; height?: never }
  | { method: 'scale'; height: number; width?: never }
  | { method: 'fit' | 'cover' | 'thumb'; width: number; height: number }

export type ConvertType = ImageType | '*/*'

/** What to do to an image, in the vocabulary of the remote interface. Everything is optional: `{}` compresses. */
export interface Operations {
  resize?: ResizeOptions
  /**
   * One type is a demand. Of a list, or of the wildcard (AVIF, WebP, JPEG and PNG), the smallest result wins, and an
   * image that is not resized or filled may also stay in its own type. An image with transparency only becomes a type that has transparency, and an animation only one
   * that has animation, unless `transform.background` is given for the former.
   */
  convert?: { type: ConvertType | readonly ConvertType[] }
  /** Fills transparent pixels: `#rrggbb`, `white` or `black`. */
  transform?: { background: `#${string}` | 'white' | 'black' }
  /** Metadata to keep; everything else is dropped. */
  preserve?: readonly PreserveItem[]
  /** Default `high`. */
  quality?: QualityTarget
  /**
   * Bytes that the result may have, a whole number of at least 1. Where the asked quality takes more, the image gets the
   * best score that fits; where nothing fits, the smallest result and a note. Metadata to be preserved comes on top.
   */
  maxBytes?: number
  /** Time for bytes at the same quality: `fast`, `default` or `max`. */
  effort?: Effort
  /** Plain settings for the encoders of some types, in place of a search for the asked quality. */
  encoder?: EncoderSettings
}

/**
 * Settings in the encoders' own words. A type with settings is encoded once, with them; the input still stays where that
 * is no larger and no pixel was to be changed. All numbers are whole numbers, but for `dither`.
 */
export interface EncoderSettings {
  /** mozjpeg. `quality` 1 to 100, default 80; `chromaSubsampling` by default 4:2:0; `progressive` by default `true`. */
  'image/jpeg'?: { quality?: number; chromaSubsampling?: ChromaSubsampling; progressive?: boolean }
  /** libwebp. `quality` 1 to 100, default 80; `effort` 0 (fastest) to 6, default 4; `lossless` by default `false`. */
  'image/webp'?: { quality?: number; effort?: number; lossless?: boolean }
  /**
   * libaom, 10 bits. `quality` 1 to 100, default 50; `effort` 0 (fastest) to 9, default 3; `chromaSubsampling` by default
   * 4:4:4; `lossless`, with 8 bits, by default `false`.
   */
  'image/avif'?: { quality?: number; effort?: number; chromaSubsampling?: ChromaSubsampling; lossless?: boolean }
  /** A palette of at most `colours`, 2 to 256, with error diffusion of 0 to 1, default 1; lossless without `colours`. */
  'image/png'?: { colours?: number; dither?: number }
  /** libjxl. `quality` 1 to 99, default 80; `effort` 1 (fastest) to 9, default 7; `lossless` by default `false`. */
  'image/jxl'?: { quality?: number; effort?: number; lossless?: boolean }
}

/** Encoder settings after validation: with every default, in one order. */
export type ResolvedEncoderSettings = {
  readonly [Type in ImageType]?: Readonly<
    Type extends 'image/png' ? { colours?: number; dither: number } : Required<NonNullable<EncoderSettings[Type]>>
  >
}

/** Operations after validation: canonical, complete, and equal for equal meaning. Their JSON is part of the cache key. */
export interface ResolvedOperations {
  readonly resize: ResizeOptions | null
  /** `null` keeps the input's type. In the order of `IMAGE_TYPES`, without repeats. */
  readonly types: readonly ImageType[] | null
  /** Whether the input may win although its type is not among `types`: so with a list or the wildcard. */
  readonly orInput: boolean
  /** `#rrggbb`, lower case. */
  readonly background: string | null
  /** Sorted, without repeats. */
  readonly preserve: readonly PreserveItem[]
  /** The SSIMULACRA2 score to aim at. */
  readonly score: number
  /** Bytes; `null` without a bound. */
  readonly maxBytes: number | null
  readonly effort: Effort
  /** `null` without settings. */
  readonly encoder: ResolvedEncoderSettings | null
}

/** What is known of an image from its header, before any pixel is decoded. */
export interface ProbeResult {
  type: InputType
  /** Pixels as seen, that is after EXIF orientation. For an SVG without a size: 0. */
  width: number
  height: number
  /** Bytes. */
  size: number
  hasAlpha: boolean
  /** 1 for a still image. In an animated JPEG XL or an AVIF sequence, whose frames are not counted, 2 stands for several. */
  frames: number
  /** EXIF orientation 1 to 8. */
  orientation: number
  /** Bits per channel. */
  depth: number
}

export interface ImageInfo {
  type: InputType
  /** Pixels as seen, that is after EXIF orientation. */
  width: number
  height: number
  /** Bytes. */
  size: number
  /** 1 for a still image. In an animated JPEG XL or an AVIF sequence, whose frames are not counted, 2 stands for several. */
  frames: number
  hasAlpha: boolean
}

export interface OptimizeResult {
  /** The bytes to use. Never mutated by the optimizer afterwards. */
  data: Uint8Array
  /** Describes `data`. */
  info: ImageInfo
  /** Describes what went in. */
  input: ImageInfo
  /** Identity of the work: source bytes, resolved operations and engine versions. 64 hexadecimal digits. */
  key: string
  /** Whether the result came from the cache. */
  cached: boolean
  /** `input` when no candidate was smaller (then `data` is the input, without its metadata where that is smaller still). */
  kept: 'output' | 'input'
  /** SSIMULACRA2 score of `data` against the (resized, filled) input; absent where nothing was compared. */
  score?: number
  /** Things the caller should show to a person: one plain sentence each, without the file's name. */
  notes: readonly string[]
}

/** The cheap, deterministic first phase: what would be done, and its identity. Nothing is decoded or encoded. */
export interface Plan {
  /** As `OptimizeResult.key`. */
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
}
