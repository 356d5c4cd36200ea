import type { RedisConnection } from './redis-connection.ts'
import { parseOutputRecord } from '../stored-records.ts'
import type { OutputRecords } from '../contract.ts'

/** Records that Redis forgets by itself when their time is over. */
export function createRedisRecords({ redis, attempt }: RedisConnection): OutputRecords {
  return {
    async create(record) {
      const kept = Math.max(1, record.expiresAt - record.createdAt)
      await attempt('keep a record', () => redis.set(keyOf(record.id), JSON.stringify(record), 'PX', kept))
    },
    async find(id) {
      const text = await attempt('find a record', () => redis.get(keyOf(id)))
      return text === null ? undefined : parseOutputRecord(text, id)
    },
  }
}

const keyOf = (id: string): string => `pixpress:output:${id}`
