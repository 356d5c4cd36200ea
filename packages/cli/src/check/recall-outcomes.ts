import { setImmediate as breath } from 'node:timers/promises'
import { availableCpus, createKeys, lookAtFile, sha256 } from '@pixpress/core/internal'
import type { Limits } from '@pixpress/core'
import type { KeyOf } from '@pixpress/core/internal'
import type { FileOperations } from '../compress/file-operations.ts'
import type { TargetOf } from '../compress/targets.ts'
import { recallConverted } from './converted.ts'
import type { ImageTable } from './image-table.ts'
import type { Outcome } from './images.ts'
import type { LockCheck } from './locked.ts'
import type { OutcomeIndex } from './outcome-index.ts'

/** Images, and where their outcomes may be known from. */
export interface RecallTask {
  /** `undefined`: nothing is known. */
  readonly index: OutcomeIndex | undefined
  readonly operations: (file: string) => FileOperations
  readonly limits: Limits | undefined
  readonly targetOf: TargetOf
  /** Shown what is known of each image; `undefined`: there is no lock. */
  readonly lock: LockCheck | undefined
  /** Returns whether a build ships an image, so that no file beside it has to hold its result. */
  readonly isBuilt: (file: string) => boolean
  /** Takes what is known of an image. @param key of the work on it */
  readonly settle: (at: number, bytes: number, outcome: Outcome, key: string) => void
  readonly signal: AbortSignal
}

/** Facts about a file's bytes while they are in memory. */
interface Seen {
  /** Key of the work on it; `undefined` if it is refused. */
  readonly key: string | undefined
  /** SHA-256, where a lock asks for it. */
  readonly digest: string | undefined
  readonly bytes: number
}

/** Files after which the process looks for signals: small ones are read without letting anything else happen. */
export const BETWEEN_BREATHS = 256

/**
 * Puts outcomes that are known from earlier runs into the table. Reads and hashes each file once, and opens nothing
 * else but the files that results of another type belong into.
 * @param due positions in the table
 * @returns positions of images that have to be asked for, or that cannot be read
 */
export async function recallOutcomes(table: ImageTable, due: Uint32Array, task: RecallTask): Promise<Uint32Array> {
  const { index, lock, signal } = task
  if (index === undefined) return due
  const keys = createKeysOf(task)
  let next = 0
  const pause: { end?: Promise<unknown> | undefined } = {}
  // Large files are read a few at a time, as all at once would take their whole size in memory.
  const work = async (): Promise<void> => {
    while (next < due.length) {
      const at = due[next++]!
      if (next % BETWEEN_BREATHS === 0) pause.end = breath().then(() => (pause.end = undefined))
      // Nobody goes on while one pauses: together they would read without an end.
      while (pause.end !== undefined) await pause.end
      if (signal.aborted) return
      const file = table.fileOf(at)
      try {
        const keyOf = keys(file)
        const looking = lookAtFile(file, (bytes): Seen => {
          const digest = lock === undefined ? undefined : sha256(bytes)
          return { key: keyOf(bytes), digest, bytes: bytes.length }
        })
        const seen = looking instanceof Promise ? await looking : looking
        const { key } = seen
        const outcome = key === undefined ? undefined : (index.find(key) ?? (await convertedOf(seen, file, task)))
        if (key === undefined || outcome === undefined) continue
        task.settle(at, seen.bytes, outcome, key)
        if (seen.digest !== undefined) lock?.look(table.sourceOf(at), file, seen.bytes, seen.digest)
      } catch {
        // The work on it reports what is wrong with it.
      }
    }
  }
  await Promise.all(Array.from({ length: availableCpus() + 1 }, work))
  return due.filter((at) => !table.isSet(at))
}

async function convertedOf(
  { key, bytes }: Seen,
  file: string,
  { index, targetOf, isBuilt }: RecallTask,
): Promise<Outcome | undefined> {
  const converted = key === undefined ? undefined : index?.findConverted(key)
  if (converted !== undefined && isBuilt(file)) return { ...converted.outcome, isDone: true }
  return converted && recallConverted(converted, file, bytes, targetOf)
}

/** Many files have the same operations, whose part of the keys is made once. */
function createKeysOf({ operations, limits }: RecallTask): (file: string) => KeyOf {
  const known = new Map<FileOperations, KeyOf>()
  return (file) => {
    const asked = operations(file)
    let keyOf = known.get(asked)
    if (keyOf === undefined) known.set(asked, (keyOf = createKeys(asked.operations, limits)))
    return keyOf
  }
}
