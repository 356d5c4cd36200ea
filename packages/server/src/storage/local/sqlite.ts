import { fullDisk } from './disk.ts'
import { BackendUnavailableError } from '../contract.ts'

/** The part of `node:sqlite` (Node 22.13 and newer) that is used here; the types of older versions of Node lack it. */
export interface SqliteDatabase {
  exec(sql: string): void
  prepare(sql: string): SqliteStatement
  close(): void
}

/** A prepared statement of `node:sqlite`. */
export interface SqliteStatement {
  get(...values: readonly SqliteValue[]): Record<string, unknown> | undefined
  all(...values: readonly SqliteValue[]): Record<string, unknown>[]
  run(...values: readonly SqliteValue[]): { readonly changes: number | bigint }
}

/** A value that statements take. */
export type SqliteValue = string | number | null

interface SqliteModule {
  DatabaseSync: new (path: string) => SqliteDatabase
}

/** Milliseconds a write waits for another process that is writing. */
const BUSY_TIMEOUT = 10_000

/** The statements that make each version of the tables of the one before. */
const VERSIONS = [
  `create table if not exists counts (
    account text not null, month text not null, count integer not null,
    primary key (account, month)
  ) strict, without rowid;
  create table if not exists outputs (
    id text not null primary key, expires_at integer not null, record text not null
  ) strict, without rowid;
  create index if not exists outputs_expires_at on outputs (expires_at);`,
  // The defaults let a server of the older version, which still has the file open, go on counting.
  `alter table counts add column bytes_in integer not null default 0;
  alter table counts add column bytes_out integer not null default 0;
  create table keys (
    id text not null primary key, account text not null, record text not null
  ) strict, without rowid;
  create index keys_account on keys (account, id);`,
] as const

const SCHEMA_VERSION = VERSIONS.length

/**
 * Opens or makes the database file. The write-ahead log lets several processes share it; `synchronous = FULL` syncs it
 * on every commit, so that what was acknowledged survives a power cut (sqlite.org/pragma.html#pragma_synchronous).
 * @throws BackendUnavailableError when the file cannot be opened, or was written by a newer pixpress
 */
export async function openDatabase(file: string): Promise<SqliteDatabase> {
  const { DatabaseSync } = await loadSqlite()
  const database = attemptInDatabase('open the database', () => new DatabaseSync(file))
  try {
    return attemptInDatabase('open the database', () => {
      // First of all: the next statements already take locks.
      database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT}`)
      database.exec('pragma journal_mode = wal; pragma synchronous = full')
      const version = versionOf(database)
      if (version > SCHEMA_VERSION) {
        throw new Error(
          `${file} was written by a newer pixpress (its version is ${version}, known is ${SCHEMA_VERSION}).`,
        )
      }
      if (version < SCHEMA_VERSION) inTransaction(database, () => renewTables(database))
      return database
    })
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Copies a database as it is at one moment, also while other processes write to it. `VACUUM INTO` reads by a single
 * transaction; the online backup would begin again whenever another process has written, and may never end.
 * @param copy a file that does not exist
 * @throws BackendUnavailableError
 */
export async function copyDatabase(file: string, copy: string): Promise<void> {
  const { DatabaseSync } = await loadSqlite()
  const database = attemptInDatabase('open the database', () => new DatabaseSync(file))
  try {
    attemptInDatabase('copy the database', () => {
      database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT}`)
      database.prepare('vacuum into ?').run(copy)
    })
  } finally {
    database.close()
  }
}

const versionOf = (database: SqliteDatabase): number =>
  Number(database.prepare('pragma user_version').get()?.user_version)

/** Brings the tables to the newest version. Another process may have done so since the version was read. */
function renewTables(database: SqliteDatabase): void {
  for (const statements of VERSIONS.slice(versionOf(database))) database.exec(statements)
  database.exec(`pragma user_version = ${SCHEMA_VERSION}`)
}

async function loadSqlite(): Promise<SqliteModule> {
  // A variable, as the compiler and bundlers do not know this module in every version of Node.
  const name = 'node:sqlite'
  return (await import(/* @vite-ignore */ name)) as SqliteModule
}

/** Runs statements as one write: others see all of them or none. */
export function inTransaction<T>(database: SqliteDatabase, work: () => T): T {
  // Immediate: a lock taken only at the first write could find that another process wrote after our first read.
  database.exec('begin immediate')
  try {
    const result = work()
    database.exec('commit')
    return result
  } catch (error) {
    database.exec('rollback')
    throw error
  }
}

/**
 * Reports a refusal of SQLite (a full disk, a lock held for too long) as temporary (503). @throws
 * BackendUnavailableError
 */
export function attemptInDatabase<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new BackendUnavailableError(`SQLite could not ${what}: ${reason}`, { cause: error, full: fullDisk(error) })
  }
}
