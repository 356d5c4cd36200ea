import type { OptimizeResult, Operations, Optimizer } from '@pixpress/core'
import type { Destination, Source } from '../places/contract.ts'

/** Everything that the work on the images of one batch needs. */
export interface BatchTools {
  /** Id of the batch. */
  readonly batch: string
  readonly source: Source
  readonly destination: Destination
  readonly optimizer: Optimizer
  /** Looks up the operations on an image by its key. */
  readonly operationsOf: (key: string) => Operations
  /** Names a result. */
  readonly nameOf: (key: string, result: OptimizeResult) => string
  /** Results take the place of other objects of their names. */
  readonly overwrite: boolean
  /** Images that are in memory at once. */
  readonly concurrency: number
  /** Bytes that an image may have. */
  readonly mostBytes: number
  /** Name and process of this machine, for the records. */
  readonly worker: string
  /** When it is aborted, no further image is begun. */
  readonly signal: AbortSignal
}
