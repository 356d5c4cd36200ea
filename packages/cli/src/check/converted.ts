import { lookAtFile, sha256 } from '@pixpress/core/internal'
import type { TargetOf } from '../compress/targets.ts'
import type { Outcome } from './images.ts'
import type { ConvertedOutcome } from './outcome-lines.ts'

/**
 * Recalls the outcome of an image whose result of another type is known: it is done once the file of that type holds
 * the result.
 * @param bytes of the file
 * @param targetOf returns where results belong
 * @returns `undefined` if the cache's entries have to be asked
 * @throws Error of the file system, for a file of that type that cannot be read
 */
export async function recallConverted(
  { outcome, result, isDoneBesides }: ConvertedOutcome,
  file: string,
  bytes: number,
  targetOf: TargetOf,
): Promise<Outcome | undefined> {
  const target = targetOf({ file, place: '' }, outcome.inputType, outcome.type)
  // A file that has the name of the other type is replaced by a smaller result.
  const holdsResult = target === file ? outcome.bytes >= bytes : (await digestOf(target)) === result
  const isDone = holdsResult || isDoneBesides
  return isDone === undefined ? undefined : { ...outcome, isDone }
}

/** @returns `undefined` where there is no such file */
async function digestOf(file: string): Promise<string | undefined> {
  try {
    return await lookAtFile(file, (bytes) => sha256(bytes))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
