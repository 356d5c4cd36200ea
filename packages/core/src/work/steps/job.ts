import { PixpressError, firstLine, isCodeError, namedError } from '../../base/errors.ts'
import { codecFault } from '../../base/faults.ts'
import { factsOf } from '../../base/formats.ts'
import { isCutOff } from './cut-off.ts'
import type { Limits } from '../../base/limits.ts'
import type { Placeholder, PlaceholderKind } from '../../placeholder/kinds.ts'
import type { ByteCurve } from './byte-curve.ts'
import type { GuardName } from '../../quality/guards/index.ts'
import type { ResolvedOperations } from '../../operations/index.ts'
import type { ImageInfo, InputType, KeptReason, ProbeResult, Work } from '../../base/types.ts'

/** The work on one image, in a form that can be sent to a thread. */
export interface Job {
  source: Uint8Array
  type: InputType
  operations: ResolvedOperations
  limits: Required<Limits>
  /** Path or name of the image, for messages. */
  file: string | undefined
  /** Facts of the header, if it has been read already. It is read once for all results of a source. */
  probe?: ProbeResult | undefined
  /** SHA-256 of the source, if it is known. */
  digest?: string | undefined
  /** Equal for jobs of the same pixels, which are best done one after the other while the pixels are in memory. */
  family?: string | undefined
  /** Kind of the placeholder to make from the pixels. It does not change the bytes of the result. */
  placeholder?: PlaceholderKind
  /** Limits the job to this output. The result has no bytes then. */
  only?: 'placeholder' | 'curve' | 'judgement'
  /** For `only: 'judgement'`: the encoded picture that is compared with the source. */
  encoded?: Uint8Array
}

/** The judgement of an encoded picture by the measures for our own results. */
export interface Judgement {
  /** SSIMULACRA2 score. */
  readonly score: number
  /** The highest promise that it keeps by its score and by the guards. */
  readonly kept: number
}

/** A smaller result that is not used because a guard found damage in it (docs/quality.md). */
export interface RefusedResult {
  readonly type: InputType
  /** Approximate bytes. */
  readonly size: number
  /** The guard; `twice` is the score of a small picture at twice its size. */
  readonly guard: GuardName | 'twice'
  /** The left and top of the damaged place in pixels of the result. */
  readonly x: number
  readonly y: number
}

/** The result of an engine for a job. */
export interface JobResult {
  data: Uint8Array
  info: ImageInfo
  input: ImageInfo
  kept: 'output' | 'input'
  reason?: KeptReason | undefined
  /** See `OptimizeResult.refused`. */
  refused?: RefusedResult | undefined
  /** See `OptimizeResult.declined`. */
  declined?: number | undefined
  /** SSIMULACRA2 score. Absent if nothing was compared. */
  score?: number
  /** See `OptimizeResult.damaged`. */
  damaged?: true
  notes: readonly string[]
  /** Absent if none was requested, or if none can be made. */
  placeholder?: Placeholder
  /** Set for `only: 'curve'`. */
  curve?: ByteCurve
  /** Set for `only: 'judgement'`. Absent if the two pictures cannot be compared. */
  judgement?: Judgement
  /** Absent if another machine did the work. */
  work?: Work
}

/** Returns the error for pixels that cannot be decoded. A fault of code is none of the data. */
export function decodeFailed(
  { source, type, file }: Pick<Job, 'source' | 'type' | 'file'>,
  error: unknown,
): PixpressError {
  const fault = codecFault(error)
  if (fault !== undefined) return fault
  if (error instanceof PixpressError || isCodeError(error)) return namedError(error, file)
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

/** Words by which decoders say that they do not support a file, which need not be damaged. */
const UNUSUAL = /unsupported|not supported|unimplemented/i

/** Returns the error for a failure after decoding. A `PixpressError` is returned unchanged. */
export function encodeFailed({ file }: Job, error: unknown): PixpressError {
  if (error instanceof PixpressError) return error
  const fault = codecFault(error)
  if (fault !== undefined) return fault
  if (isCodeError(error)) return namedError(error, file)
  return new PixpressError('ENCODE_FAILED', 'The image cannot be encoded. Convert it to another type, or exclude it.', {
    file,
    cause: error,
  })
}

/** Returns `true` if the result may have the type of the input. */
export function mayKeepType({ type, operations: { types, orInput } }: Pick<Job, 'type' | 'operations'>): boolean {
  return types === null || orInput || (types as readonly InputType[]).includes(type)
}

/** Returns the requested change other than fewer bytes, as a participle; `undefined` if there is none. */
export function askedChange(job: Job): 'resized' | 'flattened' | 'adjusted' | 'converted' | undefined {
  const { resize, background, adjust } = job.operations
  if (resize !== null) return 'resized'
  if (background !== null) return 'flattened'
  if (adjust !== undefined) return 'adjusted'
  return mayKeepType(job) ? undefined : 'converted'
}

/** Returns the facts of a header that a result reports. */
export function infoOf({ type, width, height, size, frames, hasAlpha }: ProbeResult): ImageInfo {
  return { type, width, height, size, frames, hasAlpha }
}
