import type { RedisConnection } from './redis-connection.ts'
import { parseCount } from '../stored-records.ts'
import type { CompressionCounts, Month } from '../contract.ts'

/** Seconds for which a month is kept after its first count: long enough to look at the month a year ago. */
const KEPT = 400 * 86_400

/**
 * A script is one step for everybody else (redis.io/docs: scripts are atomic), so a limit cannot be overrun together.
 */
const INCREMENT = `
local by, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
if limit >= 0 and count + by > limit then
  return { 0, count }
end
count = redis.call('INCRBY', KEYS[1], ARGV[1])
redis.call('HINCRBY', KEYS[2], 'in', ARGV[4])
redis.call('HINCRBY', KEYS[2], 'out', ARGV[5])
if count == by then
  redis.call('EXPIRE', KEYS[1], ARGV[3])
end
if redis.call('TTL', KEYS[2]) < 0 then
  redis.call('EXPIRE', KEYS[2], ARGV[3])
end
return { 1, count }
`

/** Stands for no limit: Redis has no infinity among its integers. */
const NO_LIMIT = -1

type IncrementCommand = (...keysAndNumbers: (string | number)[]) => Promise<[0 | 1, number]>

/** Creates the counts, which one script reads and increments at once. */
export function createRedisCounts({ redis, attempt }: RedisConnection): CompressionCounts {
  redis.defineCommand('pixpressIncrement', { numberOfKeys: 2, lua: INCREMENT })
  const { pixpressIncrement } = redis as unknown as { pixpressIncrement: IncrementCommand }
  const increment = pixpressIncrement.bind(redis)

  async function read(account: string, month: Month): Promise<number> {
    return parseCount(await attempt('read a count', () => redis.get(keyOf('count', account, month))))
  }

  return {
    async increment(account, month, { compressions, bytesIn, bytesOut }, limit) {
      const bound = limit === Number.POSITIVE_INFINITY ? NO_LIMIT : limit
      const keys = [keyOf('count', account, month), keyOf('bytes', account, month)]
      const numbers = [compressions, bound, KEPT, bytesIn, bytesOut]
      const [counted, count] = await attempt('count', () => increment(...keys, ...numbers))
      return { counted: counted === 1, count: parseCount(count) }
    },
    read,
    async usage(account, month) {
      const [compressions, [bytesIn, bytesOut]] = await Promise.all([
        read(account, month),
        attempt('read a count', () => redis.hmget(keyOf('bytes', account, month), 'in', 'out')),
      ])
      return { compressions, bytesIn: parseCount(bytesIn), bytesOut: parseCount(bytesOut) }
    },
  }
}

/** The braces keep an account's keys on one node where Redis is a cluster. */
const keyOf = (what: 'count' | 'bytes', account: string, month: Month): string =>
  `pixpress:${what}:{${account}}:${month}`
