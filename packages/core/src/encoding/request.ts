import type { Sharp } from 'sharp'
import type { Refusal, ResultKind } from '../quality/guards/index.ts'
import type { Sampled } from '../quality/metric/prepared-original.ts'
import type { Effort, InputType } from '../base/types.ts'
import type { FrameSource } from './frame-source.ts'
import type { Timing } from './frames.ts'
import type { Picture } from './picture.ts'

/** One way to encode an image. */
export interface Candidate {
  data: Uint8Array
  type: InputType
  /** SSIMULACRA2 score against the picture; for an animation, of its worst frame; 100 for a lossless result. */
  score: number
  /** Number of frames, if equal frames were merged and it is lower than the source's. */
  frames?: number
  /** The picture was not scored. */
  isUnscored?: true
  /** Encoded with settings that the caller chose, to which the promise of quality does not apply. */
  plain?: true
  /**
   * Kind of the result, for the guards that are still to judge it. Absent after they have, and from lossless results.
   */
  kind?: ResultKind
  /**
   * Encodes the picture again to score about so many points more. Returns `undefined` if that is impossible or takes
   * too many bytes.
   */
  raise?(points: number): Promise<Candidate | undefined>
  /**
   * For a result of `raise`: encodes the picture half-way between it and the result it was raised from. Returns
   * `undefined` if there is no setting between them.
   */
  halfway?(): Promise<Candidate | undefined>
  /** Makes the alternative that was skipped because this result is smaller. It is used if a guard refuses this one. */
  instead?(): Promise<Candidate | undefined>
  /**
   * The bytes that were scored, if `data` has the same pixels in other bytes: with a colour space, or with better
   * scans.
   */
  scored?: Uint8Array
  /** `true` if a guard refuses it. It is only used if there is no other result. */
  damaged?: true
  /**
   * The guard and the place of the damage. Absent if it was refused because some decoders show it worse than promised.
   */
  refusal?: Refusal
}

/** Judgement of the guards about a result. */
export interface Verdict {
  /** The highest promise that the result keeps. */
  kept: number
  /** The lowest SSIMULACRA2 score among all decoders. */
  score: number
  /** The score of a small picture at twice its size, if it was compared. */
  twice?: number
  /** The guard whose limit is exceeded most, and the place. */
  refusal?: Refusal
}

/** A result that reaches the score but that a guard refuses. */
export interface Refused {
  readonly type: InputType
  /** Approximate bytes of the file if it was never compressed well. */
  readonly bytes: number
  readonly refusal: Refusal
}

/** Compares encodes of a part of a picture with that part. */
export interface PartScorer {
  /** Returns the SSIMULACRA2 score; 100 is identical. */
  score(encoded: Uint8Array): Promise<number>
  /** Returns the same for decoded pixels with the picture's own channels. */
  scorePixels(data: Uint8Array): number
  dispose(): void
}

/** Compares encoded bytes with the picture they were made from. */
export interface Scorer {
  /**
   * Returns the SSIMULACRA2 score as the worst of the common decoders shows the bytes; 100 is identical. For a block
   * codec's result of a drawing with transparency, it is that of the seen pixels.
   * @param kind default: `block`
   */
  score(encoded: Uint8Array, kind?: ResultKind): Promise<number>
  /** Returns what scores encodes of a part of the picture, such as some of its rows. */
  ofPart(part: Picture): PartScorer
  /** Returns the score of all decoded pixels, with the picture's own channels. */
  scorePixels(data: Uint8Array): number
  /** `true` if a sample of the rows suffices to score trials of palettes and near-lossless pixels. */
  readonly areTrialsSampled: boolean
  /**
   * Estimates the score of encoded bytes from the sample, for searches whose results are later scored by all rows.
   * Returns the score if the picture has no sample.
   */
  sample(encoded: Uint8Array): Promise<number>
  /** Returns the same for decoded pixels. */
  samplePixels(data: Uint8Array): number
  /** Scores decoded pixels by all rows and by the sample. */
  scoreAndSample(data: Uint8Array): Sampled
  /**
   * Returns the highest promise that decoded pixels keep: their score, or the score at twice the size for a small
   * picture if that is lower, or less if a guard finds damage (docs/quality.md). It is `-Infinity` if a pixel of alpha
   * 0 or 255 has another alpha.
   * @param score of these pixels
   * @param promise that a refusal refers to; default: 80
   */
  judgePixels(data: Uint8Array, kind: ResultKind, score: number, promise?: number): Verdict
  /**
   * Returns the same for encoded bytes whose score is known, as every decoder shows them, with the lowest of their
   * scores.
   */
  promiseKeptBy(encoded: Uint8Array, kind: ResultKind, score: number, promise?: number): Promise<Verdict>
  dispose(): void
}

/** Input of an encoder: the picture, the means to judge a result, and the promise to keep. */
export interface EncodeRequest {
  picture: Picture
  scorer: Scorer
  /** SSIMULACRA2 score to reach. */
  target: number
  effort: Effort
  /** Bytes of the source file, if it is of the encoder's type and no pixel was changed. */
  source: Uint8Array | undefined
  /** A lossy result above this many bytes is never chosen, so an encoder need not make it. Default: no limit. */
  mostBytes?: number | undefined
  /** Receives the approximate bytes of a lossy result that is not made because of `mostBytes`. */
  decline?: ((bytes: number) => void) | undefined
  /** Receives results that a guard refuses and that are no candidates. */
  refuse?: ((refused: Refused) => void) | undefined
  /**
   * Set for a drawing that may become one of several formats, AVIF among them: forms that are hardly ever the smallest
   * are not worth their time.
   */
  rivalled?: true | undefined
}

/**
 * Encodes the picture in one type, in one or more ways, each with its score. An encoder that cannot reach the target
 * returns its best attempt, because a caller may insist on the type. The caller selects among the candidates.
 */
export type Encoder = (request: EncodeRequest) => Promise<Candidate[]>

/** Input of an encoder of animations. Every frame has to reach the target. */
export interface AnimationRequest {
  /** Opens the frames, stacked from top to bottom, resized and flattened. It may be called repeatedly. */
  readonly open: () => Sharp
  /** The same frames decoded: what results are compared with. */
  readonly original: FrameSource
  readonly timing: Timing
  /** `true` if the output of `open` has the timing already, so that it need not be set. */
  readonly timed: boolean
  /** SSIMULACRA2 score to reach. */
  readonly target: number
  readonly effort: Effort
  /** Bytes of the source file, if it is of the encoder's type and no pixel was changed. */
  readonly source: Uint8Array | undefined
  /** A lossy result above this many bytes is never chosen. Default: no limit. */
  readonly mostBytes?: number | undefined
  /** Several types were requested: forms that are hardly ever the smallest are not worth their time. */
  readonly rivalled?: boolean | undefined
}
