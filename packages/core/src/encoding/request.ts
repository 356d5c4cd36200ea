import type { Sharp } from 'sharp'
import type { Refusal, ResultKind } from '../quality/guards/index.ts'
import type { Sampled } from '../quality/metric/prepared-original.ts'
import type { Effort, InputType } from '../base/types.ts'
import type { FrameSource } from './frame-source.ts'
import type { Timing } from './frames.ts'
import type { Picture } from './picture.ts'

/** One way to write an image. */
export interface Candidate {
  data: Uint8Array
  type: InputType
  /** SSIMULACRA2 against the picture, of an animation's worst frame; 100 for lossless. */
  score: number
  /** Frames, where they are fewer than the source's, as equal ones became one. */
  frames?: number
  /** Written with settings of the caller's own, to which the promise of quality does not apply. */
  plain?: true
  /** What made it, where guards have not judged it yet; absent where they have, and of lossless results. */
  kind?: ResultKind
  /** The same picture as a result of about so many points more; `undefined` where there is none, or none of few enough bytes. */
  raise?(points: number): Promise<Candidate | undefined>
  /** Where it was made by `raise`: one half-way back to what was raised; `undefined` where there is no setting between them. */
  halfway?(): Promise<Candidate | undefined>
  /** What was not made as this one is smaller, for where a guard refuses this one. */
  instead?(): Promise<Candidate | undefined>
  /** The bytes that were scored, where `data` has the same pixels in other bytes: with its colour space, or in better scans. */
  scored?: Uint8Array
  /** A guard refuses it: it is only used where nothing else is to be had. */
  damaged?: true
  /** Which guard that is, and where; absent where the picture's readers, not a guard, see less than was promised. */
  refusal?: Refusal
}

/** How a result did by the guards. */
export interface Verdict {
  /** The highest promise that it keeps. */
  kept: number
  /** The lowest SSIMULACRA2 score by any reader. */
  score: number
  /** The guard that is furthest beyond what was promised, and where. */
  refusal?: Refusal
}

/** A result that has the score, and is not taken as a guard refuses it. */
export interface Refused {
  readonly type: InputType
  /** Of the file, about, where it was never compressed well. */
  readonly bytes: number
  readonly refusal: Refusal
}

/** Compares written bytes with the picture they were made from. */
export interface Scorer {
  /** SSIMULACRA2, 100 is identical: as most readers show the bytes that show them worst. */
  score(encoded: Uint8Array): Promise<number>
  /** SSIMULACRA2 of written bytes against a part of the picture, which is prepared for this one comparison. */
  scoreOf(part: Picture, encoded: Uint8Array): Promise<number>
  /** The same as `score`, for pixels that are decoded already, with the picture's own channels. */
  scorePixels(data: Uint8Array): number
  /** Whether some of the rows, a sample, tell enough of the score for trials of palettes and near-lossless pixels. */
  readonly areTrialsSampled: boolean
  /** What the sample tells of the score of written bytes: for searches whose results are scored as a whole. The score where there is none. */
  sample(encoded: Uint8Array): Promise<number>
  /** The same of decoded pixels. */
  samplePixels(data: Uint8Array): number
  /** The score of decoded pixels by all rows and by the sample. */
  scoreAndSample(data: Uint8Array): Sampled
  /**
   * The highest promise that decoded pixels keep: their score, of a small picture also the score at twice its size, or less
   * where a guard finds damage (docs/quality.md). `-Infinity` where a pixel of alpha 0 or 255 has another.
   * @param score of these pixels
   * @param promise what a refusal is told for, by default 80
   */
  judgePixels(data: Uint8Array, kind: ResultKind, score: number, promise?: number): Verdict
  /** The same for written bytes, whose score is known, as every reader shows them; and the lowest of their scores. */
  promiseKeptBy(encoded: Uint8Array, kind: ResultKind, score: number, promise?: number): Promise<Verdict>
  dispose(): void
}

/** What an encoder works on: the picture, how to judge a result, and the promise to keep. */
export interface EncodeRequest {
  picture: Picture
  scorer: Scorer
  /** The SSIMULACRA2 score to reach. */
  target: number
  effort: Effort
  /** The source file's own bytes, when it is of the encoder's type and no pixel was changed. */
  source: Uint8Array | undefined
  /** Bytes above which a lossy result is never chosen, so that none need be made; by default without a bound. */
  mostBytes?: number | undefined
  /** Told how many bytes a lossy result would take, about, that is not made because of `mostBytes`. */
  decline?: ((bytes: number) => void) | undefined
  /** Told of results that a guard refuses and that are no candidates. */
  refuse?: ((refused: Refused) => void) | undefined
}

/**
 * Ways to write the picture in one type, each with its score. An encoder that cannot reach the target returns its best
 * attempt, so that a type asked for by name can still be had; the selection is made by the caller.
 */
export type Encoder = (request: EncodeRequest) => Promise<Candidate[]>

/** What an encoder of animations works on. Every frame is to reach the target. */
export interface AnimationRequest {
  /** The frames one below the other, resized and flattened; may be called as often as needed. */
  readonly open: () => Sharp
  /** The same frames decoded: what results are compared with. */
  readonly original: FrameSource
  readonly timing: Timing
  /** Whether what `open` gives has the timing already, so that it need not be set. */
  readonly timed: boolean
  /** The SSIMULACRA2 score to reach. */
  readonly target: number
  readonly effort: Effort
  /** The source file's own bytes, when it is of the encoder's type and no pixel was changed. */
  readonly source: Uint8Array | undefined
  /** Bytes above which a lossy result is never chosen; by default without a bound. */
  readonly mostBytes?: number | undefined
}
