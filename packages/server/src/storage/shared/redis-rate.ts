import type { RedisConnection } from './redis-connection.ts'
import type { RateLimiter } from '../contract.ts'

/**
 * The generic cell rate algorithm by the clock of Redis: those of the machines in front may differ. The one number kept
 * is when the account would be at rest again, in whole microseconds, written without an exponent or lost digits. A
 * clock that was set back, or a slower rate before, must not lock an account out, so no more than a burst is ever to be
 * worked off.
 */
const TAKE = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local kept = tonumber(redis.call('GET', KEYS[1]) or '0') or 0
if kept ~= kept then
  kept = 0
end
local rest = math.min(math.max(kept, now), now + interval * burst)
local wait = rest + interval - interval * burst - now
if wait <= 0 then
  rest = rest + interval
end
if wait <= 0 or rest < kept then
  redis.call('SET', KEYS[1], string.format('%.0f', rest), 'PX', math.ceil((rest - now) / 1000))
end
return math.max(wait, 0)
`

type TakeCommand = (key: string, interval: number, burst: number) => Promise<number>

/** Creates the rate limit of all machines together. */
export function createRedisRate({ redis, attempt }: RedisConnection): RateLimiter {
  redis.defineCommand('pixpressTake', { numberOfKeys: 1, lua: TAKE })
  const { pixpressTake } = redis as unknown as { pixpressTake: TakeCommand }
  const take = pixpressTake.bind(redis)
  return {
    async take(account, rate) {
      if (rate === undefined) return { allowed: true }
      const microseconds = Math.max(1, Math.round(rate.interval * 1000))
      const wait = await attempt('limit the rate', () => take(`pixpress:rate:{${account}}`, microseconds, rate.burst))
      return wait === 0 ? { allowed: true } : { allowed: false, retryAfter: wait / 1000 }
    },
  }
}
