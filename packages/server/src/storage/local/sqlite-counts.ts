import { attemptInDatabase } from './sqlite.ts'
import type { SqliteDatabase } from './sqlite.ts'
import { parseCount } from '../stored-records.ts'
import type { CompressionCounts } from '../contract.ts'

/** One statement per count, hence atomic: several processes on one file count exactly. */
export function createSqliteCounts(database: SqliteDatabase): CompressionCounts {
  // `where` on the select gives the parser the end of the table's name before `on`, and keeps a first count in bounds.
  const add = database.prepare(`
    insert into counts (account, month, count) select ?1, ?2, ?3 where ?3 <= ?4
    on conflict (account, month) do update set count = count + excluded.count where count + excluded.count <= ?4
    returning count
  `)
  const select = database.prepare('select count from counts where account = ? and month = ?')
  const read = (account: string, month: string): number => parseCount(select.get(account, month)?.count)

  return {
    async increment(account, month, by, limit) {
      return attemptInDatabase('count', () => {
        const row = add.get(account, month, by, limit)
        return row === undefined
          ? { counted: false, count: read(account, month) }
          : { counted: true, count: parseCount(row.count) }
      })
    },
    async read(account, month) {
      return attemptInDatabase('read a count', () => read(account, month))
    },
  }
}
