/**
 * The allowed values of options that are no facts of formats, without imports: types, validation, `--help` and docs
 * share these lists.
 */

/** The wildcard of `convert.type`: every type of `WILDCARD_TYPES`. */
export const ANY_TYPE = '*/*'

/** The methods of the remote interface. */
export const INTERFACE_METHODS = ['scale', 'fit', 'cover', 'thumb'] as const

/** The words of `resize.method`. */
export const RESIZE_METHODS = ['scale', 'fit', 'cover', 'thumb', 'contain', 'fill'] as const

/** A word of `resize.method`. */
export type ResizeMethod = (typeof RESIZE_METHODS)[number]

/** sharp's kernels. */
export const KERNELS = ['nearest', 'linear', 'cubic', 'mitchell', 'lanczos2', 'lanczos3'] as const

/** A kernel of sharp's. */
export type Kernel = (typeof KERNELS)[number]

/** The words of `preserve`. */
export const PRESERVE_ITEMS = ['copyright', 'creation', 'location', 'provenance'] as const

/** A word of `preserve`. */
export type PreserveItem = (typeof PRESERVE_ITEMS)[number]

/** Named quality levels and the SSIMULACRA2 score each one aims at. */
export const QUALITY_LEVELS = { high: 80, balanced: 70, small: 60 } as const

/** A named quality level. */
export type QualityLevel = keyof typeof QUALITY_LEVELS

/** A named level, or the SSIMULACRA2 score to aim at: 1 to 100, where about 90 looks lossless and 50 is medium. */
export type QualityTarget = QualityLevel | number

/** The efforts: the time that may be spent on making an image smaller at the same quality. */
export const EFFORTS = ['fast', 'default', 'max'] as const

/** The time that the engine spends on an image. */
export type Effort = (typeof EFFORTS)[number]

/**
 * The effort that may be asked for: one of the engine's, or `auto`, which is `default` with drafts where a first build
 * has no time for it.
 */
export type AskedEffort = Effort | 'auto'

/** The efforts that may be asked for. */
export const ASKED_EFFORTS: readonly AskedEffort[] = [...EFFORTS, 'auto']

/** Resolution of the colours: half of the brightness's in both directions, or all of it. */
export const CHROMA_SUBSAMPLINGS = ['4:2:0', '4:4:4'] as const

/** A resolution of the colours. */
export type ChromaSubsampling = (typeof CHROMA_SUBSAMPLINGS)[number]
