import type { ImageInfo, KeptReason, Work } from '../base/types.ts'
import type { Placeholder, PlaceholderKind } from '../placeholder/kinds.ts'
import type { RefusedResult } from '../work/steps/job.ts'

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
  /**
   * The best of what a guard refuses, where because of it the result is without loss, or scores more than 3 points
   * above what was asked for.
   */
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

/** Requests to `materialize` besides the plan. */
export interface MaterializeExtras {
  placeholder?: PlaceholderKind | undefined
  /** 64 hexadecimal digits. */
  pinned?: string | undefined
}
