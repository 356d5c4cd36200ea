import { invalidOption } from '../base/errors.ts'
import { assertCacheKey } from './store.ts'
import type { CacheEntry, CacheStore } from './store.ts'

/** Options of a cache in memory. */
export interface MemoryCacheOptions {
  /** Bytes of data and facts to hold; the least recently used entries beyond it are forgotten. Default 256 MiB. */
  maxSize?: number
}

interface HeldEntry {
  /** `meta` as JSON: an entry comes back the same as from a store that writes it down. */
  readonly meta: string
  readonly data: Uint8Array
  /** Bytes that count towards `maxSize`. */
  readonly size: number
}

const DEFAULT_MAX_SIZE = 256 * 1024 ** 2

/** A cache for the life of the process. */
export class MemoryCache implements CacheStore {
  readonly #maxSize: number
  /** The entries in the order of use, the least recently used first. */
  readonly #entries = new Map<string, HeldEntry>()
  #size = 0

  /** @throws {PixpressError} `INVALID_OPTION` */
  constructor(options: MemoryCacheOptions = {}) {
    const { maxSize = DEFAULT_MAX_SIZE } = options
    if (typeof maxSize !== 'number' || !(maxSize >= 0)) {
      throw invalidOption('cache.maxSize', 'a number of bytes, 0 or more,', maxSize)
    }
    this.#maxSize = maxSize
  }

  async get(key: string): Promise<CacheEntry | undefined> {
    assertCacheKey(key)
    const held = this.#entries.get(key)
    if (held === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, held)
    return { meta: JSON.parse(held.meta) as Record<string, unknown>, data: held.data.slice() }
  }

  async set(key: string, entry: CacheEntry): Promise<void> {
    assertCacheKey(key)
    const meta = JSON.stringify(entry.meta)
    const size = entry.data.length + meta.length
    this.#forget(key)
    this.#entries.set(key, { meta, data: Uint8Array.from(entry.data), size })
    this.#size += size
    for (const leastRecent of this.#entries.keys()) {
      if (this.#size <= this.#maxSize) break
      this.#forget(leastRecent)
    }
  }

  #forget(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0
    this.#entries.delete(key)
  }
}

/** @throws {PixpressError} `INVALID_OPTION` */
export function createMemoryCache(options?: MemoryCacheOptions): MemoryCache {
  return new MemoryCache(options)
}
