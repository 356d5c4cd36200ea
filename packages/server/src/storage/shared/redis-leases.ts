import type { RedisConnection } from './redis-connection.ts'
import type { Leases } from '../contract.ts'

const ACQUIRE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  return 1
end
return 0
`

const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('DEL', KEYS[1])
end
`

interface LeaseCommands {
  pixpressAcquire(key: string, owner: string, milliseconds: number): Promise<0 | 1>
  pixpressRelease(key: string, owner: string): Promise<null>
}

/** Leases of any number of machines: keys that expire by the clock of Redis. */
export function createRedisLeases({ redis, attempt }: RedisConnection): Leases {
  redis.defineCommand('pixpressAcquire', { numberOfKeys: 1, lua: ACQUIRE })
  redis.defineCommand('pixpressRelease', { numberOfKeys: 1, lua: RELEASE })
  const commands = redis as unknown as LeaseCommands
  return {
    async acquire(name, owner, milliseconds) {
      return (await attempt('take a lease', () => commands.pixpressAcquire(keyOf(name), owner, milliseconds))) === 1
    },
    async release(name, owner) {
      await attempt('end a lease', () => commands.pixpressRelease(keyOf(name), owner))
    },
  }
}

const keyOf = (name: string): string => `pixpress:lease:${name}`
