import type { Limits } from '../options.ts'
import type { ImageInfo, InputType, ResolvedOperations } from '../types.ts'
import type { ComposedAnimation } from './animation.ts'
import type { CropFrame } from './crop/crop-frame.ts'

/** One image's work, in a form that can be sent to a thread. */
export interface Job {
  source: Uint8Array
  type: InputType
  operations: ResolvedOperations
  limits: Required<Limits>
  file: string | undefined
  /** The frame that an animation is cropped to, chosen before its encoders begin. */
  crop?: CropFrame | undefined
  /** The frames of an animation that the codecs cannot read. */
  composed?: ComposedAnimation | undefined
}

export interface JobResult {
  data: Uint8Array
  info: ImageInfo
  input: ImageInfo
  kept: 'output' | 'input'
  score?: number
  notes: readonly string[]
}

/** One way to write the picture. */
export interface Candidate {
  data: Uint8Array
  type: InputType
  /** SSIMULACRA2 against the picture; 100 for lossless. */
  score: number
  /** Written with settings of the caller's own, which no promise of quality goes with. */
  plain?: true
}
