import type { CacheEntry } from '../cache/store.ts'
import type { ImageInfo, KeptReason } from '../base/types.ts'
import type { JobResult, RefusedResult } from '../work/steps/job.ts'
import type { OptimizeResult } from './result.ts'
import type { Plan } from '../plan/plan.ts'

/** The facts that are cached beside the bytes, so that a hit gives all that a miss gives. */
export interface CachedMeta {
  info: ImageInfo
  input: ImageInfo
  kept: 'output' | 'input'
  reason?: KeptReason
  refused?: RefusedResult
  declined?: number
  score?: number
  damaged?: true
  notes: readonly string[]
  /** The result is the source, byte for byte: nothing is stored twice. */
  same: boolean
  /** The compressions that a service counted for it. */
  compressions?: number
}

/** Returns the entry for a result. */
export function toEntry(result: JobResult, source: Uint8Array, compressions: number): CacheEntry {
  const { data, info, input, kept, notes } = result
  const same = Buffer.compare(data, source) === 0
  const meta: CachedMeta = {
    info,
    input,
    kept,
    ...remarksOf(result),
    notes,
    same,
    ...(compressions > 0 && { compressions }),
  }
  return { meta: { ...meta }, data: same ? new Uint8Array() : data }
}

/** Reads the result of a plan from an entry, with the compressions that a service counted for it. */
export function fromEntry(
  { meta: facts, data }: CacheEntry,
  { source, key }: Plan,
): { result: OptimizeResult; compressions: number } {
  const meta = facts as unknown as CachedMeta
  const { info, input, kept, notes, same, compressions = 0 } = meta
  const result = { data: same ? source : data, info, input, key, cached: true, kept, ...remarksOf(meta), notes }
  return { result, compressions }
}

/** Returns the entry for a result that comes back as an input: there is nothing left to do. */
export function toFinishedEntry({ info }: JobResult): CacheEntry {
  const meta: CachedMeta = { info, input: info, kept: 'input', reason: 'finished', notes: [], same: true }
  return { meta: { ...meta }, data: new Uint8Array() }
}

/** Picks the members that are left out where there is nothing to say. */
export function remarksOf({
  reason,
  refused,
  declined,
  score,
  damaged,
}: {
  reason?: KeptReason | undefined
  refused?: RefusedResult | undefined
  declined?: number | undefined
  score?: number | undefined
  damaged?: true
}): Pick<OptimizeResult, 'reason' | 'refused' | 'declined' | 'score' | 'damaged'> {
  return {
    ...(reason !== undefined && { reason }),
    ...(refused !== undefined && { refused }),
    ...(declined !== undefined && { declined }),
    ...(score !== undefined && { score }),
    ...(damaged !== undefined && { damaged }),
  }
}
