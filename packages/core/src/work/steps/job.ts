import { PixpressError, firstLine } from '../../base/errors.ts'
import { codecFault } from '../../base/faults.ts'
import { factsOf } from '../../base/formats.ts'
import { isCutOff } from './cut-off.ts'
import type { Limits } from '../../base/limits.ts'
import type { Placeholder, PlaceholderKind } from '../../placeholder/kinds.ts'
import type { ByteCurve } from './byte-curve.ts'
import type { GuardName } from '../../quality/guards/index.ts'
import type { ResolvedOperations } from '../../operations/index.ts'
import type { ImageInfo, InputType, KeptReason, ProbeResult, Work } from '../../base/types.ts'

/** One image's work, in a form that can be sent to a thread. */
export interface Job {
  source: Uint8Array
  type: InputType
  operations: ResolvedOperations
  limits: Required<Limits>
  /** Path or name of the image, for messages. */
  file: string | undefined
  /** Facts of the header, where somebody has read it: it is read once for all results of a source. */
  probe?: ProbeResult | undefined
  /** The SHA-256 of the source, where it is known. */
  digest?: string | undefined
  /** Jobs of the same pixels have the same, and are best done one after the other where these are in memory. */
  family?: string | undefined
  /** A placeholder is made of the pixels as well; it decides no bytes of the result. */
  placeholder?: PlaceholderKind
  /** Nothing else is done: the result has no bytes. */
  only?: 'placeholder' | 'curve' | 'judgement'
  /** With `only: 'judgement'`: an encoded picture that is to show what the source does. */
  encoded?: Uint8Array
}

/** The judgement of an encoded picture by the measures of our own results. */
export interface Judgement {
  /** SSIMULACRA2. */
  readonly score: number
  /** The highest promise that it keeps, by its score and by the guards. */
  readonly kept: number
}

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

/** What an engine makes of a job. */
export interface JobResult {
  data: Uint8Array
  info: ImageInfo
  input: ImageInfo
  kept: 'output' | 'input'
  reason?: KeptReason | undefined
  /** See `OptimizeResult`. */
  refused?: RefusedResult | undefined
  /** See `OptimizeResult`. */
  declined?: number | undefined
  /** SSIMULACRA2; absent where nothing was compared. */
  score?: number
  /** As that of an `OptimizeResult`. */
  damaged?: true
  notes: readonly string[]
  /** Absent where none was asked for, or none can be made. */
  placeholder?: Placeholder
  /** With `only: 'curve'`. */
  curve?: ByteCurve
  /** With `only: 'judgement'`; absent where the two cannot be compared. */
  judgement?: Judgement
  /** Absent where another machine did it. */
  work?: Work
}

/** The error for pixels that cannot be decoded. */
export function decodeFailed(
  { source, type, file }: Pick<Job, 'source' | 'type' | 'file'>,
  error: unknown,
): PixpressError {
  const fault = codecFault(error)
  if (fault !== undefined) return fault
  const { label } = factsOf(type)
  const said = firstLine(error)
  if (UNUSUAL.test(said)) {
    return new PixpressError('DECODE_FAILED', `This kind of ${label} cannot be read. Export it anew, as JPEG or PNG.`, {
      file,
      cause: error,
    })
  }
  const what = isCutOff(source, type) ? `The end of this ${label} is missing` : `This ${label} is damaged`
  return new PixpressError('DECODE_FAILED', `${what}. Copy or export it again.`, { file, cause: error })
}

/** How decoders say that a file may be sound, and is beyond them. */
const UNUSUAL = /unsupported|not supported|unimplemented/i

/** The error for what fails after decoding. What says what is wrong already stays as it is. */
export function encodeFailed({ file }: Job, error: unknown): PixpressError {
  if (error instanceof PixpressError) return error
  const fault = codecFault(error)
  if (fault !== undefined) return fault
  return new PixpressError('ENCODE_FAILED', 'The image cannot be encoded. Convert it to another type, or exclude it.', {
    file,
    cause: error,
  })
}

/** Whether a result may be of the input's own type. */
export function mayKeepType({ type, operations: { types, orInput } }: Job): boolean {
  return types === null || orInput || (types as readonly InputType[]).includes(type)
}

export function infoOf({ type, width, height, size, frames, hasAlpha }: ProbeResult): ImageInfo {
  return { type, width, height, size, frames, hasAlpha }
}
