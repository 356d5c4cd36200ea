import type { Job, JobResult } from '../work/steps/job.ts'
import type { InputType } from '../base/types.ts'
import type { ResolvedOperations } from '../operations/index.ts'

/** Who works on images: the threads of this machine, or a service. All give the same shape of result. */
export interface ImageEngine {
  /**
   * The engine's part of the cache key: everything besides source and operations that decides the bytes of a result.
   * Holds no secret.
   */
  readonly identity: Readonly<Record<string, string | number>>
  /** Tells whether the engine takes images of this type; the local engine takes the others. */
  accepts(type: InputType): boolean
  /**
   * Returns the operations without those that the engine ignores: images that differ in those alone have one result.
   */
  relevantOperations(operations: ResolvedOperations): ResolvedOperations
  /**
   * @param key under which a lasting result will be cached
   * @throws PixpressError
   */
  run(job: Job, key: string): Promise<EngineOutcome>
  /** Notes that a result which the engine once made came from the cache. */
  reused(key: string, compressions: number): void
  close(): Promise<void>
}

/** A result, or `local`: the local engine is to do this one. */
export type EngineOutcome = EngineResult | 'local'

/** A result of an engine. */
export interface EngineResult {
  readonly result: JobResult
  /** The compressions that a service counted for it; 0 on this machine. */
  readonly compressions: number
  /** `false` for a fallback, which is only good for now: it does not go into the cache. */
  readonly lasting: boolean
}
