import { attemptInDatabase } from './sqlite.ts'
import type { SqliteDatabase } from './sqlite.ts'
import { parseOutputRecord } from '../stored-records.ts'
import type { LocalRecords } from './local-tables.ts'

/** Records of outputs in SQLite. */
export interface SqliteRecords extends LocalRecords {
  /** Ids in their order, at most `limit`, those behind `after`. */
  list(after: string, limit: number): string[]
}

/** Creates the records in an open database. */
export function createSqliteRecords(database: SqliteDatabase): SqliteRecords {
  const insert = database.prepare('insert into outputs (id, expires_at, record) values (?, ?, ?)')
  const select = database.prepare('select record from outputs where id = ?')
  const selectExpired = database.prepare('select id from outputs where expires_at <= ? order by expires_at limit ?')
  const selectIds = database.prepare('select id from outputs where id > ? order by id limit ?')
  const deleteOne = database.prepare('delete from outputs where id = ?')

  return {
    async create(record) {
      attemptInDatabase('keep a record', () => insert.run(record.id, record.expiresAt, JSON.stringify(record)))
    },
    async find(id) {
      const row = attemptInDatabase('find a record', () => select.get(id))
      return row === undefined ? undefined : parseOutputRecord(String(row.record), id)
    },
    expired: (now, limit) =>
      attemptInDatabase('list records', () => selectExpired.all(now, limit).map((row) => String(row.id))),
    has: (id) => attemptInDatabase('find a record', () => select.get(id) !== undefined),
    list: (after, limit) =>
      attemptInDatabase('list records', () => selectIds.all(after, limit).map((row) => String(row.id))),
    remove: (id) => {
      attemptInDatabase('remove a record', () => deleteOne.run(id))
    },
  }
}
