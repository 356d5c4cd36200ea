import type { Job, JobResult } from '../work/job.ts'
import type { InputType, ResolvedOperations } from '../types.ts'

/** Who works on images: the threads of this machine, or a service. All give the same shape of result. */
export interface ImageEngine {
  /** What decides the bytes of a result besides source and operations: a part of the cache key. Holds no secret. */
  readonly identity: Readonly<Record<string, string | number>>
  /** Whether images of this type are given to it at all; the local engine takes the others. */
  accepts(type: InputType): boolean
  /** The operations without those that the engine ignores: images that differ in those alone have one result. */
  relevantOperations(operations: ResolvedOperations): ResolvedOperations
  /**
   * @param key under which a lasting result will be cached
   * @throws PixpressError
   */
  run(job: Job, key: string): Promise<EngineOutcome>
  /** A result that the engine once made came from the cache. */
  reused(key: string, compressions: number): void
  close(): Promise<void>
}

/** A result, or `local`: the local engine is to do this one. */
export type EngineOutcome = EngineResult | 'local'

export interface EngineResult {
  readonly result: JobResult
  /** What a service counted for it; 0 on this machine. */
  readonly compressions: number
  /** `false` for a fallback, which is only good for now: it does not go into the cache. */
  readonly lasting: boolean
}
