import { attemptInDatabase } from './sqlite.ts'
import type { SqliteDatabase } from './sqlite.ts'
import type { Leases } from '../contract.ts'

/** The table is made beside the others whatever version the database has: what it holds is worth seconds. */
const TABLE = `
  create table if not exists leases (
    name text not null primary key, owner text not null, until integer not null
  ) strict, without rowid
`

const ACQUIRE = `
  insert into leases (name, owner, until) values (?1, ?2, ?3)
  on conflict (name) do update set owner = ?2, until = ?3 where owner = ?2 or until <= ?4
  returning owner
`

/** Leases of the processes that share a database: they are on one machine, and have one clock. */
export function createSqliteLeases(database: SqliteDatabase): Leases {
  attemptInDatabase('make a table', () => database.exec(TABLE))
  const acquire = database.prepare(ACQUIRE)
  const release = database.prepare('delete from leases where name = ? and owner = ?')
  return {
    async acquire(name, owner, milliseconds) {
      const now = Date.now()
      return attemptInDatabase('take a lease', () => acquire.get(name, owner, now + milliseconds, now)) !== undefined
    },
    async release(name, owner) {
      attemptInDatabase('end a lease', () => release.run(name, owner))
    },
  }
}
