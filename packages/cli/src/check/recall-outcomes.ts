import { availableCpus, readWholeFile } from '@pixpress/core/internal'
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

export interface RecalledOutcomes {
  /** By absolute path. */
  readonly outcomes: Map<string, Outcome>
  /** Bytes of the files that have an outcome, by absolute path. */
  readonly sizes: Map<string, number>
  /** Files that have to be asked for, or that cannot be read: in the order of the inputs. */
  readonly unknown: readonly InputFile[]
}

/** Outcomes that are known from earlier runs. Reads and hashes each file, and opens nothing else. */
export async function recallOutcomes(
  inputs: readonly InputFile[],
  { index, optimizer, operations, signal }: RecallTask,
): Promise<RecalledOutcomes> {
  const outcomes = new Map<string, Outcome>()
  const sizes = new Map<string, number>()
  if (index === undefined) return { outcomes, sizes, unknown: inputs }
  // One list for several workers, as reading all files at once would take their whole size in memory.
  const queue = inputs.values()
  const work = async (): Promise<void> => {
    for (const { file } of queue) {
      if (signal.aborted) return
      try {
        const { bytes } = await readWholeFile(file)
        const outcome = index.find(optimizer.plan(bytes, operations(file).operations).key)
        if (outcome === undefined) continue
        outcomes.set(file, outcome)
        sizes.set(file, bytes.length)
      } catch {
        // What is wrong with it is said by the work on it.
      }
    }
  }
  await Promise.all(Array.from({ length: availableCpus() + 1 }, work))
  return { outcomes, sizes, unknown: inputs.filter(({ file }) => !outcomes.has(file)) }
}
