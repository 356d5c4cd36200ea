import { attemptInDatabase } from './sqlite.ts'
import type { SqliteDatabase } from './sqlite.ts'
import type { KeyStore, StoredKey } from '../contract.ts'
import { parseKeyText } from '../stored-key.ts'

/**
 * Keys as rows of JSON. A request reads its row by the primary key, and nothing is held in memory: another process has
 * revoked the key as soon as its command has ended.
 */
export function createSqliteKeys(database: SqliteDatabase): KeyStore {
  const insert = database.prepare('insert into keys (id, account, record) values (?, ?, ?) on conflict do nothing')
  const select = database.prepare('select record from keys where id = ?')
  // A merge patch (RFC 7396) sets members and takes those away that are null, in one statement.
  const patch = database.prepare('update keys set record = json_patch(record, ?) where id = ? returning record')
  const selectAll = database.prepare(
    'select record from keys where (account, id) > (?, ?) order by account, id limit ?',
  )
  const selectOf = database.prepare('select record from keys where account = ? and id > ? order by id limit ?')

  return {
    async create(key) {
      const { changes } = attemptInDatabase('keep a key', () => insert.run(key.id, key.account, JSON.stringify(key)))
      return Number(changes) === 1
    },
    async find(id) {
      const row = attemptInDatabase('find a key', () => select.get(id))
      return row === undefined ? undefined : parse(row, id)
    },
    async change(id, changes) {
      const row = attemptInDatabase('change a key', () => patch.get(JSON.stringify(changes), id))
      return row === undefined ? undefined : parse(row)
    },
    async list({ account, after = { account: '', id: '' }, limit }) {
      const rows = attemptInDatabase('list keys', () => {
        if (account === undefined) return selectAll.all(after.account, after.id, limit)
        return selectOf.all(account, after.id, limit)
      })
      return rows.map((row) => parse(row))
    },
  }
}

function parse(row: Record<string, unknown>, id?: string): StoredKey {
  return parseKeyText(String(row.record), id)
}
