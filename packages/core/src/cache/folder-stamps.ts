import { statSync } from 'node:fs'
import type { BigIntStats } from 'node:fs'
import path from 'node:path'
import { LAYOUT_VERSION } from './folder.ts'

/** The folders that entries are spread over, by the first two digits of their keys. */
const BUCKETS = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'))

/** File systems tell times this coarsely at worst: within it, a second change may leave the time as it is. */
const COARSEST_MS = 2000

/**
 * Returns stamps by which a later call can tell that a cache folder has the same entries. There is one text for each
 * first two digits of keys, and it differs once an entry with these digits was added, replaced or removed. Digits whose
 * entries changed so lately that another change could go unnoticed are left out. Reads no entry.
 * @param dir folder of the cache, which need not be there
 */
export function cacheFolderStamps(dir: string): ReadonlyMap<string, string> {
  const now = Date.now()
  const stamps = new Map<string, string>()
  for (const bucket of BUCKETS) {
    const stats = statOf(path.join(dir, LAYOUT_VERSION, bucket))
    if (stats === undefined) stamps.set(bucket, 'none')
    else if (stats !== 'unknown' && Math.abs(now - Number(stats.mtimeMs)) > COARSEST_MS) {
      stamps.set(bucket, `${stats.ino}-${stats.mtimeNs}`)
    }
  }
  return stamps
}

function statOf(folder: string): BigIntStats | undefined | 'unknown' {
  try {
    return statSync(folder, { bigint: true, throwIfNoEntry: false })
  } catch {
    // Nothing can be said of a folder that may not be looked at.
    return 'unknown'
  }
}
