import { attemptInDatabase } from './sqlite.ts'
import type { SqliteDatabase } from './sqlite.ts'
import { parseCount } from '../stored-records.ts'
import type { CompressionCounts } from '../contract.ts'

/** One statement per count, hence atomic: several processes on one file count exactly. */
export function createSqliteCounts(database: SqliteDatabase): CompressionCounts {
  // `where` on the select gives the parser the end of the table's name before `on`, and keeps a first count in bounds.
  const add = database.prepare(`
    insert into counts (account, month, count, bytes_in, bytes_out) select ?1, ?2, ?3, ?5, ?6 where ?3 <= ?4
    on conflict (account, month) do update set
      count = count + excluded.count,
      bytes_in = bytes_in + excluded.bytes_in,
      bytes_out = bytes_out + excluded.bytes_out
    where count + excluded.count <= ?4
    returning count
  `)
  const select = database.prepare('select count, bytes_in, bytes_out from counts where account = ? and month = ?')
  const read = (account: string, month: string): number => parseCount(select.get(account, month)?.count)

  return {
    async increment(account, month, { compressions, bytesIn, bytesOut }, limit) {
      return attemptInDatabase('count', () => {
        const row = add.get(account, month, compressions, limit, bytesIn, bytesOut)
        return row === undefined
          ? { counted: false, count: read(account, month) }
          : { counted: true, count: parseCount(row.count) }
      })
    },
    async read(account, month) {
      return attemptInDatabase('read a count', () => read(account, month))
    },
    async usage(account, month) {
      const row = attemptInDatabase('read a count', () => select.get(account, month))
      const of = (column: string): number => parseCount(row?.[column])
      return { compressions: of('count'), bytesIn: of('bytes_in'), bytesOut: of('bytes_out') }
    },
  }
}
