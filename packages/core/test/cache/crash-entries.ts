import type { CacheEntry } from '../../src/cache/store.ts'

/** Few keys, so that processes get in each other's way. */
export const CRASH_KEYS: readonly string[] = Array.from({ length: 6 }, (_, index) => `${index}f`.repeat(32))

/**
 * Returns the entry that every process sets for a key and a version. It is large enough for a process to be killed in
 * the middle of it.
 */
export function crashEntry(key: string, version: number): CacheEntry {
  return { meta: { version }, data: Buffer.alloc(400_000 + (version % 1000) * 100, `${key}:${version};`) }
}
