import { PixpressError } from '../base/errors.ts'

/** The facts and bytes that are remembered about one image. */
export interface CacheEntry {
  /** Facts about `data`. JSON-safe: an entry comes back as `JSON.parse(JSON.stringify(meta))`. */
  readonly meta: Readonly<Record<string, unknown>>
  readonly data: Uint8Array
}

/**
 * A place that remembers entries under keys of 64 lower-case hexadecimal digits. It may forget an entry at any time; it
 * never returns one that differs from what was set under the key. Both methods reject with `INTERNAL` for a malformed
 * key and for nothing else: whatever goes wrong underneath is a miss.
 */
export interface CacheStore {
  /** Returns the entry, or `undefined` when it is not there or cannot be trusted. */
  get(key: string): Promise<CacheEntry | undefined>
  /** Creates or replaces the entry. The entry is not kept hold of: it may be changed once the promise has settled. */
  set(key: string, entry: CacheEntry): Promise<void>
  /** Nothing may be made that the store lacks: a caller that misses has to fail. Default `false`. */
  readonly frozen?: boolean
  /** Ends a build: writes what is still to be written, and releases what is held open. The store can be used again. */
  close?(): Promise<void>
}

const KEY = /^[0-9a-f]{64}$/

/** Tells whether a text is a key: a SHA-256 digest in lower-case hexadecimal digits. */
export function isCacheKey(text: string): boolean {
  return KEY.test(text)
}

/**
 * Keys become file names and parts of URLs, so a malformed one is refused before it is used.
 * @throws {PixpressError} `INTERNAL`
 */
export function assertCacheKey(key: string): void {
  if (!isCacheKey(key)) {
    throw new PixpressError('INTERNAL', `Expected a cache key of 64 hexadecimal digits but received '${key}'.`)
  }
}
