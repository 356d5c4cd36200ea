import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { createFileCacheEntries } from './file-cache-entries.ts'
import { createFileBytes } from './file-bytes.ts'
import type { FileBytes } from './file-bytes.ts'
import { createMemoryRate } from './memory-rate.ts'
import type { LocalTables } from './local-tables.ts'
import { createMemoryTables } from './memory-tables.ts'
import { createSqliteCounts } from './sqlite-counts.ts'
import { createSqliteKeys } from './sqlite-keys.ts'
import { createSqliteLeases } from './sqlite-leases.ts'
import { createSqliteRecords } from './sqlite-records.ts'
import { attemptInDatabase, openDatabase } from './sqlite.ts'
import { BackendUnavailableError } from '../contract.ts'
import type { Backend } from '../contract.ts'

/** Outputs removed at one go, so that a sweep never holds up requests. */
const SWEPT_AT_ONCE = 200

/** Milliseconds between looks for leftovers: they only come from crashes. */
const LEFTOVERS_EVERY = 6 * 3_600_000

/**
 * Milliseconds for which a trial of the disk holds: anybody may ask whether the server is ready, and a trial costs a
 * write.
 */
const TRIED_EVERY = 1000

/** Settings of the storage on one machine. */
export interface LocalBackendSettings {
  /** Folder of the database and the outputs; made where it is missing. */
  readonly folder: string
  /** Bytes that each account may keep for its builds. */
  readonly cacheSize: number
  /** Bytes of results that are delivered. Default: `cacheSize`. */
  readonly deliverySize?: number
  /** Default: `sqlite`, which outlives the process, and needs Node 22.13. */
  readonly tables?: 'sqlite' | 'memory'
}

/**
 * Opens the storage on one machine: SQLite or memory, and files. Several processes may share the folder with SQLite;
 * each has its own rate limit then.
 * @throws BackendUnavailableError when the folder or the database cannot be used
 */
export async function openLocalBackend(settings: LocalBackendSettings): Promise<Backend> {
  const { folder, cacheSize, deliverySize = cacheSize } = settings
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new BackendUnavailableError(`The data folder ${folder} cannot be made.`, { cause: error })
  }
  const bytes = createFileBytes(path.join(folder, 'outputs'))
  await assertWritable(folder, bytes)
  const tables = settings.tables === 'memory' ? createMemoryTables() : await openSqliteTables(folder)
  const { name, keys, counts, records, leases } = tables
  let leftoversAt = Number.NEGATIVE_INFINITY
  let triedAt = Number.NEGATIVE_INFINITY
  let trial: Promise<void> | undefined

  /** Tries whether the disk has room, once for all who ask at the same time. */
  function tryDisk(): Promise<void> {
    if (trial === undefined || performance.now() - triedAt >= TRIED_EVERY) {
      triedAt = performance.now()
      trial = bytes.tryWriting()
    }
    return trial
  }

  return {
    name,
    keys,
    counts,
    rate: createMemoryRate(),
    records,
    bytes,
    cache: createFileCacheEntries(path.join(folder, 'cache'), cacheSize),
    delivered: createFileCacheEntries(path.join(folder, 'delivery'), deliverySize),
    leases,
    async ready() {
      tables.assertOpen()
      await tryDisk()
    },
    async sweep(now) {
      let removed = 0
      for (;;) {
        const ids = records.expired(now, SWEPT_AT_ONCE)
        for (const id of ids) {
          // The record goes last: if this stops midway, the next sweep still knows of the files.
          await bytes.delete(id)
          records.remove(id)
          removed++
        }
        if (ids.length < SWEPT_AT_ONCE) break
      }
      if (now - leftoversAt >= LEFTOVERS_EVERY) {
        leftoversAt = now
        await bytes.removeLeftovers(now, (id) => records.has(id))
      }
      return removed
    },
    async close() {
      tables.close()
    },
  }
}

async function openSqliteTables(folder: string): Promise<LocalTables> {
  const database = await openDatabase(path.join(folder, 'pixpress.sqlite'))
  const ping = database.prepare('select 1')
  return {
    name: 'sqlite',
    keys: createSqliteKeys(database),
    counts: createSqliteCounts(database),
    records: createSqliteRecords(database),
    leases: createSqliteLeases(database),
    assertOpen: () => void attemptInDatabase('answer', () => ping.get()),
    close: () => database.close(),
  }
}

async function assertWritable(folder: string, bytes: FileBytes): Promise<void> {
  try {
    await bytes.tryWriting()
  } catch (error) {
    const { cause } = error as { cause?: Error }
    const reason = cause?.message ?? String(error)
    throw new BackendUnavailableError(`The data folder ${folder} cannot be written to: ${reason}.`, { cause: error })
  }
}
