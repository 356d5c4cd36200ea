import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { PixpressError, invalidOption } from '../base/errors.ts'
import { packEntry, unpackEntry } from './entry.ts'
import { LAYOUT_VERSION, entryPath, listCacheFolder } from './folder.ts'
import type { CacheFile, CacheFolderListing } from './folder.ts'
import { readWholeFile } from '../files/read-file.ts'
import { replaceFile } from '../files/replace-file.ts'
import { systemFault } from '../base/faults.ts'
import { placeOf } from './refused-place.ts'
import { assertCacheKey } from './store.ts'
import type { CacheEntry, CacheStore } from './store.ts'
import { systemErrorCode } from '../base/system-error.ts'

/** Options of a cache in a folder. */
export interface FileCacheOptions {
  /** Folder of the cache, made when the first entry is set. Several processes may share it. */
  dir: string
  /** Bytes that the entries may take up after `evict()`. Default 1 GiB; `Infinity` for no bound. */
  maxSize?: number
  /** Milliseconds for which a used entry is safe from eviction. Default one hour. */
  graceMs?: number
  /**
   * Writes a `.gitignore` into the folder: `true` ignores everything, for folders that nobody has named; `'others'`
   * everything but the entries, for folders to be committed in which a plugin keeps other files. Default `false`.
   */
  gitIgnored?: boolean | 'others'
  /** The cache calls it once about each way in which the folder fails; it misses from then on instead of failing. */
  onWarning?: (message: string) => void
  /**
   * Throws `MACHINE_UNFIT` if the folder cannot be read or written, where it would go on without it. Default `false`.
   */
  strict?: boolean
}

/** The size of a cache folder. */
export interface FileCacheStats {
  readonly entries: number
  readonly bytes: number
}

/** The result of an eviction. */
export interface FileCacheEviction {
  /** Entries removed. */
  readonly removed: number
  /** Bytes of the entries removed. */
  readonly bytes: number
}

/** The result of a check of every entry. */
export interface FileCacheVerification {
  readonly entries: number
  /** Entries that are damaged. `get` misses them and the next `set` replaces them. */
  readonly broken: number
}

const DEFAULT_MAX_SIZE = 1024 ** 3
const HOUR_MS = 3_600_000
/** Git ignores all but finished entries: everything else is made again where it is needed. */
const ALL_BUT_ENTRIES = `/*\n!/.gitignore\n!/${LAYOUT_VERSION}/\n*.tmp\n`
/** Eviction frees more than it must, so that the next few entries do not need another one. */
const EVICTION_TARGET = 0.9
/** No write takes this long: the writer of an older temporary file is gone. */
const TEMPORARY_FILE_MS = HOUR_MS

type FailureKind = 'read' | 'written' | 'cleaned up'

/**
 * A cache in plain files, one per entry, without an index: nothing can get out of step, and processes share the folder
 * without locks. Entries are replaced atomically and checked when read. The modification time of a file says when it
 * was last used, within `graceMs`.
 */
export class FileCache implements CacheStore {
  readonly #dir: string
  readonly #root: string
  readonly #maxSize: number
  readonly #graceMs: number
  readonly #onWarning: ((message: string) => void) | undefined
  readonly #strict: boolean
  readonly #warned = new Set<FailureKind | 'damaged'>()
  /** The text for the folder's `.gitignore`, to be written before the next entry; `undefined` once it is there. */
  #toIgnore: string | undefined

  /** @throws {PixpressError} `INVALID_OPTION` */
  constructor(options: FileCacheOptions) {
    const {
      dir,
      maxSize = DEFAULT_MAX_SIZE,
      graceMs = HOUR_MS,
      gitIgnored = false,
      onWarning,
      strict = false,
    } = options
    if (typeof dir !== 'string' || dir === '') throw invalidOption('cache.dir', 'the path of a folder', dir)
    if (!isAmount(maxSize)) throw invalidOption('cache.maxSize', 'a number of bytes, 0 or more,', maxSize)
    if (!isAmount(graceMs)) throw invalidOption('cache.graceMs', 'a number of milliseconds, 0 or more,', graceMs)
    this.#dir = path.resolve(dir)
    this.#root = path.join(this.#dir, LAYOUT_VERSION)
    this.#maxSize = maxSize
    this.#graceMs = graceMs
    this.#onWarning = onWarning
    this.#strict = strict
    this.#toIgnore = gitIgnored === 'others' ? ALL_BUT_ENTRIES : gitIgnored ? '*\n' : undefined
  }

  async get(key: string): Promise<CacheEntry | undefined> {
    assertCacheKey(key)
    const file = entryPath(this.#root, key)
    try {
      const { bytes, modified } = await readWholeFile(file)
      const entry = unpackEntry(key, bytes)
      if (entry === undefined) this.#tellDamaged()
      // A time in the future, from a clock that was wrong, is mended as well.
      else if (Math.abs(Date.now() - modified) >= this.#graceMs) await this.#touch(file)
      return entry
    } catch (error) {
      if (systemErrorCode(error) !== 'ENOENT') this.#fail('read', error)
      return undefined
    }
  }

  async set(key: string, entry: CacheEntry): Promise<void> {
    const bytes = packEntry(key, entry)
    try {
      if (this.#toIgnore !== undefined) await this.#ignore(this.#toIgnore)
      await replaceFile(entryPath(this.#root, key), bytes, {
        isAlreadyRight: async () => (await this.get(key)) !== undefined,
      })
    } catch (error) {
      this.#fail('written', error)
    }
  }

  async #ignore(text: string): Promise<void> {
    this.#toIgnore = undefined
    const file = path.join(this.#dir, '.gitignore')
    // A `.gitignore` that somebody has written stays.
    if (!existsSync(file)) await replaceFile(file, text)
  }

  /** Returns the number and total size of the entries. @throws {PixpressError} `IO_FAILED` */
  async stats(): Promise<FileCacheStats> {
    const { entries } = await this.#list()
    return { entries: entries.length, bytes: totalSize(entries) }
  }

  /** Returns all keys, sorted; some entries may turn out to be damaged. @throws {PixpressError} `IO_FAILED` */
  async keys(): Promise<string[]> {
    return (await this.#list()).entries.map(({ key }) => key).sort()
  }

  /**
   * When the entries take up more than `maxSize`, removes the least recently used ones until they take up 90 % of it,
   * but none that was used within the last `graceMs`, whatever the size: another build may be about to read it. Also
   * removes temporary files that a killed process left behind. Never rejects: what cannot be removed stays.
   */
  async evict(): Promise<FileCacheEviction> {
    try {
      const { entries, temporary } = await listCacheFolder(this.#root)
      const now = Date.now()
      for (const file of temporary) {
        if (Math.abs(now - file.modified) > TEMPORARY_FILE_MS) await this.#remove(file)
      }
      return await this.#evictEntries(entries, now)
    } catch (error) {
      this.#warnOnce('cleaned up', error)
      return { removed: 0, bytes: 0 }
    }
  }

  /**
   * Removes every entry, and nothing that is not the cache's own.
   * @throws {PixpressError} `IO_FAILED` when something cannot be removed
   */
  async clear(): Promise<void> {
    try {
      // Retries cover a writer that adds to a folder while it is being removed.
      await fs.rm(this.#root, { recursive: true, force: true, maxRetries: 3 })
    } catch (error) {
      throw this.#failure('cleaned up', error)
    }
  }

  /**
   * Reads and checks every entry; changes nothing. @throws {PixpressError} `IO_FAILED` when the folder cannot be read
   */
  async verify(): Promise<FileCacheVerification> {
    let checked = 0
    let broken = 0
    for (const { key, path: file } of (await this.#list()).entries) {
      const state = await stateOf(file, key)
      if (state === 'gone') continue
      checked++
      if (state === 'broken') broken++
    }
    return { entries: checked, broken }
  }

  /** Records the use. The recorded time lags behind by `graceMs` at most, and a warm build writes next to nothing. */
  async #touch(file: string): Promise<void> {
    const now = Date.now()
    await fs.utimes(file, now / 1000, now / 1000).catch(() => {
      // A read-only folder, or evicted just now: only the order of eviction suffers.
    })
  }

  async #evictEntries(entries: readonly CacheFile[], now: number): Promise<FileCacheEviction> {
    let total = totalSize(entries)
    let removed = 0
    let bytes = 0
    if (total <= this.#maxSize) return { removed, bytes }
    // A recorded use may be `graceMs` older than the true one.
    const safeMs = 2 * this.#graceMs
    const candidates = entries
      .filter((entry) => Math.abs(now - entry.modified) >= safeMs)
      .sort((a, b) => a.modified - b.modified || (a.path < b.path ? -1 : 1))
    for (const entry of candidates) {
      if (total <= this.#maxSize * EVICTION_TARGET) break
      const outcome = await this.#remove(entry)
      if (outcome === 'failed') continue
      total -= entry.size
      if (outcome === 'gone') continue
      removed++
      bytes += entry.size
    }
    return { removed, bytes }
  }

  /** Removes a file. `gone`: another process was faster. */
  async #remove(file: CacheFile): Promise<'removed' | 'gone' | 'failed'> {
    try {
      await fs.unlink(file.path)
      return 'removed'
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') return 'gone'
      this.#warnOnce('cleaned up', error)
      return 'failed'
    }
  }

  async #list(): Promise<CacheFolderListing> {
    try {
      return await listCacheFolder(this.#root)
    } catch (error) {
      throw this.#failure('read', error)
    }
  }

  /** @throws PixpressError `MACHINE_UNFIT` where the cache is strict and the system refuses */
  #fail(kind: FailureKind, error: unknown): void {
    const fault = this.#strict ? systemFault(error, placeOf(error, this.#dir)) : undefined
    if (fault === undefined) return this.#warnOnce(kind, error)
    const sentence = `The image cache in '${this.#dir}' cannot be ${kind}. ${fault.what}. ${fault.mend}`
    throw new PixpressError('MACHINE_UNFIT', `${sentence}, or name another folder with 'cache.dir'`, { cause: error })
  }

  #tellDamaged(): void {
    if (this.#warned.has('damaged')) return
    this.#warned.add('damaged')
    this.#onWarning?.(`The image cache in '${this.#dir}' has damaged entries. What is needed of them is made again.`)
  }

  #warnOnce(kind: FailureKind, error: unknown): void {
    if (this.#warned.has(kind)) return
    this.#warned.add(kind)
    this.#onWarning?.(`${this.#failure(kind, error).message} Work goes on regardless.`)
  }

  #failure(kind: FailureKind, error: unknown): PixpressError {
    const reason = error instanceof Error ? error.message : String(error)
    return new PixpressError('IO_FAILED', `The image cache in '${this.#dir}' cannot be ${kind}: ${reason}.`, {
      cause: error,
    })
  }
}

/** @throws {PixpressError} `INVALID_OPTION` */
export function createFileCache(options: FileCacheOptions): FileCache {
  return new FileCache(options)
}

async function stateOf(file: string, key: string): Promise<'right' | 'broken' | 'gone'> {
  try {
    return unpackEntry(key, await fs.readFile(file)) === undefined ? 'broken' : 'right'
  } catch (error) {
    // Another process has evicted it, or it is there but unreadable.
    return systemErrorCode(error) === 'ENOENT' ? 'gone' : 'broken'
  }
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0
}

function totalSize(files: readonly CacheFile[]): number {
  return files.reduce((sum, file) => sum + file.size, 0)
}
