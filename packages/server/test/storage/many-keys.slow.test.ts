import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { requireTool, startRedis } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { createSqliteKeys } from '../../src/storage/local/sqlite-keys.ts'
import { inTransaction, openDatabase } from '../../src/storage/local/sqlite.ts'
import type { SqliteDatabase } from '../../src/storage/local/sqlite.ts'
import { connectRedis } from '../../src/storage/shared/redis-connection.ts'
import { createRedisKeys } from '../../src/storage/shared/redis-keys.ts'
import type { StoredKey } from '../../src/index.ts'

const MANY = 100_000

function keyOf(index: number): StoredKey {
  const hash = createHash('sha256').update(`key ${index}`).digest('hex')
  return { id: hash.slice(0, 16), hash, account: `account-${index % 5000}`, prefix: 'abcdef', createdAt: index }
}

/** Notes the statements that are prepared, and counts how often each one runs. */
function watched(database: SqliteDatabase): { database: SqliteDatabase; runs: Map<string, number> } {
  const runs = new Map<string, number>()
  const prepare: SqliteDatabase['prepare'] = (sql) => {
    const statement = database.prepare(sql)
    const count = (): number => runs.set(sql, (runs.get(sql) ?? 0) + 1).size
    return {
      get: (...values) => (count(), statement.get(...values)),
      all: (...values) => (count(), statement.all(...values)),
      run: (...values) => (count(), statement.run(...values)),
    }
  }
  return { database: { exec: (sql) => database.exec(sql), prepare, close: () => database.close() }, runs }
}

describe('100,000 keys', () => {
  it('cost a request one look into an index of SQLite', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-many-'))
    const database = await openDatabase(path.join(folder, 'pixpress.sqlite'))
    try {
      const { database: counted, runs } = watched(database)
      const keys = createSqliteKeys(counted)
      const created: Promise<boolean>[] = []
      inTransaction(database, () => {
        for (let i = 0; i < MANY; i++) created.push(keys.create(keyOf(i)))
      })
      expect((await Promise.all(created)).every(Boolean)).toBe(true)
      runs.clear()
      expect(await keys.find(keyOf(77_777).id)).toEqual(keyOf(77_777))
      expect(await keys.find('0123456789abcdef')).toBeUndefined()
      const [[sql, times], ...others] = [...runs] as [[string, number], ...[string, number][]]
      expect([times, others]).toEqual([2, []])
      const plan = database.prepare(`explain query plan ${sql}`).all('0123456789abcdef')
      expect(plan.map(({ detail }) => detail)).toEqual(['SEARCH keys USING PRIMARY KEY (id=?)'])
      // The keys of one account, and a page of all, are read by an index too.
      runs.clear()
      expect(await keys.list({ account: 'account-42', limit: 50 })).toHaveLength(MANY / 5000)
      expect(await keys.list({ after: { account: 'account-42', id: '' }, limit: 50 })).toHaveLength(50)
      for (const page of runs.keys()) {
        const details = database.prepare(`explain query plan ${page}`).all('account-42', '', 50)
        expect(details.map(({ detail }) => detail)).toEqual([
          expect.stringMatching(/^SEARCH keys USING INDEX keys_account/),
        ])
      }
    } finally {
      database.close()
      await rm(folder, { recursive: true, force: true })
    }
  })

  it.skipIf(requireTool('redis-server') === undefined)('cost a request one command of Redis', async () => {
    const redis = await startRedis()
    const connection = await connectRedis(redis.url)
    try {
      const keys = createRedisKeys(connection)
      for (let i = 0; i < MANY; i += 500) {
        await Promise.all(Array.from({ length: 500 }, (_, more) => keys.create(keyOf(i + more))))
      }
      await connection.redis.config('RESETSTAT')
      expect(await keys.find(keyOf(77_777).id)).toEqual(keyOf(77_777))
      const ran = [...(await connection.redis.info('commandstats')).matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)]
      const other = new Set(['config|resetstat', 'config', 'info'])
      expect(ran.filter(([, name]) => !other.has(name!)).map(([, name, calls]) => [name, calls])).toEqual([
        ['hgetall', '1'],
      ])
      expect(await keys.list({ account: 'account-42', limit: 50 })).toHaveLength(MANY / 5000)
    } finally {
      await connection.close()
      await redis.stop()
    }
  })
})
