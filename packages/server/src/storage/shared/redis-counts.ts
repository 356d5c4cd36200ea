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
if count == by then
  redis.call('EXPIRE', KEYS[1], ARGV[3])
end
return { 1, count }
`

/** Stands for no limit: Redis has no infinity among its integers. */
const NO_LIMIT = -1

type IncrementCommand = (key: string, by: number, limit: number, seconds: number) => Promise<[0 | 1, number]>

/** Creates the counts, which one script reads and increments at once. */
export function createRedisCounts({ redis, attempt }: RedisConnection): CompressionCounts {
  redis.defineCommand('pixpressIncrement', { numberOfKeys: 1, lua: INCREMENT })
  const { pixpressIncrement } = redis as unknown as { pixpressIncrement: IncrementCommand }
  const increment = pixpressIncrement.bind(redis)
  return {
    async increment(account, month, by, limit) {
      const bound = limit === Number.POSITIVE_INFINITY ? NO_LIMIT : limit
      const [counted, count] = await attempt('count', () => increment(keyOf(account, month), by, bound, KEPT))
      return { counted: counted === 1, count: parseCount(count) }
    },
    async read(account, month) {
      return parseCount(await attempt('read a count', () => redis.get(keyOf(account, month))))
    },
  }
}

/** The braces keep an account's keys on one node where Redis is a cluster. */
const keyOf = (account: string, month: Month): string => `pixpress:count:{${account}}:${month}`
