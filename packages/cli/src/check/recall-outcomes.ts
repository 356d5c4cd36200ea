import { availableCpus, lookAtFile } from '@pixpress/core/internal'
import type { Optimizer } from '@pixpress/core'
import type { FileOperations } from '../compress/file-operations.ts'
import type { InputFile } from '../compress/inputs.ts'
import type { Outcome } from './images.ts'
import type { OutcomeIndex } from './outcome-index.ts'

export interface RecallTask {
  /** `undefined`: nothing is known. */
  readonly index: OutcomeIndex | undefined
  readonly optimizer: Pick<Optimizer, 'plan'>
  readonly operations: (file: string) => FileOperations
  readonly signal: AbortSignal
}

/** What a file would become, and what it takes. */
export interface FileState {
  readonly outcome: Outcome
  /** Of the file. */
  readonly bytes: number
}

export interface RecalledOutcomes {
  /** By absolute path. */
  readonly states: Map<string, FileState>
  /** Files that have to be asked for, or that cannot be read: in the order of the inputs. */
  readonly unknown: readonly InputFile[]
}

/** Outcomes that are known from earlier runs. Reads and hashes each file, and opens nothing else. */
export async function recallOutcomes(
  inputs: readonly InputFile[],
  { index, optimizer, operations, signal }: RecallTask,
): Promise<RecalledOutcomes> {
  const states = new Map<string, FileState>()
  if (index === undefined) return { states, unknown: inputs }
  // One list for several workers, as reading all files at once would take their whole size in memory.
  const queue = inputs.values()
  const work = async (): Promise<void> => {
    for (const { file } of queue) {
      if (signal.aborted) return
      try {
        const state = await lookAtFile(file, (bytes) => {
          const outcome = index.find(optimizer.plan(bytes, operations(file).operations).key)
          return outcome && { outcome, bytes: bytes.length }
        })
        if (state !== undefined) states.set(file, state)
      } catch {
        // What is wrong with it is said by the work on it.
      }
    }
  }
  await Promise.all(Array.from({ length: availableCpus() + 1 }, work))
  return { states, unknown: states.size === inputs.length ? [] : inputs.filter(({ file }) => !states.has(file)) }
}
