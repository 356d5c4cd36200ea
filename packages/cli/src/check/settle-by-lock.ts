import { setImmediate as breath } from 'node:timers/promises'
import { detectType } from '@pixpress/core'
import { lookAtFile, sha256 } from '@pixpress/core/internal'
import type { BuildRecords } from './build-records.ts'
import type { BuiltImages } from './built-images.ts'
import type { DeliveredLookup } from './delivered-lines.ts'
import type { ImageTable } from './image-table.ts'
import type { LockCheck } from './locked.ts'
import { BETWEEN_BREATHS } from './recall-outcomes.ts'

/** Images, and the lock or the record of builds that knows them. */
export interface LockTask {
  readonly lookup: DeliveredLookup
  readonly built: BuiltImages
  /** Returns whether findings are told of the image at a position. */
  readonly isDue: (at: number) => boolean
  readonly lock: LockCheck | undefined
  readonly signal: AbortSignal
}

/**
 * Puts what the last build delivered into the table, of images that a build ships and whose present bytes the lock
 * knows. Reads and hashes each file once; nothing is decoded, and no entry of the cache is needed.
 * @param all positions in the table
 * @returns those that the lock says nothing of, or that no build ships
 */
export async function settleByLock(table: ImageTable, all: Uint32Array, task: LockTask): Promise<Uint32Array> {
  const { lookup, built, isDue, lock, signal } = task
  let looked = 0
  for (const at of all) {
    if (++looked % BETWEEN_BREATHS === 0) await breath()
    if (signal.aborted) break
    const file = table.fileOf(at)
    if (!built.isBuilt(file)) continue
    const seen = await readDigest(file)
    const delivered = seen && lookup(file, seen.digest, built.isConverted(file))
    if (seen === undefined || delivered === undefined) continue
    const { bytes, type, score, id } = delivered
    const outcome = { type, inputType: seen.type ?? type, ...(score !== undefined && { score }) }
    table.deliver(at, seen.bytes, { bytes, id, ...(isDue(at) && { outcome }) })
    lock?.look(table.sourceOf(at), file, seen.bytes, seen.digest)
  }
  return all.filter((at) => !table.isSet(at))
}

/**
 * Puts images that the last whole build did not ship into the table, with no bytes delivered. Nothing is read of them.
 * @param left positions of images that no lock and no record knows
 */
export async function settleUnshipped(
  table: ImageTable,
  left: Uint32Array,
  { built, records }: Pick<LockTask, 'built'> & { readonly records: Pick<BuildRecords, 'unshippedBytes'> },
): Promise<Uint32Array> {
  const unshipped = new Set<number>()
  for (const at of left) {
    const file = table.fileOf(at)
    const bytes = built.isBuilt(file) ? await records.unshippedBytes(file).catch(() => undefined) : undefined
    if (bytes === undefined) continue
    table.deliver(at, bytes, { bytes: 0, id: `unshipped ${file}` })
    unshipped.add(at)
  }
  return left.filter((at) => unshipped.has(at))
}

/** @returns `undefined` for a file that cannot be read: the work on it says why */
async function readDigest(file: string) {
  try {
    return await lookAtFile(file, (bytes) => ({
      type: detectType(bytes),
      digest: sha256(bytes),
      bytes: bytes.length,
    }))
  } catch {
    return undefined
  }
}
