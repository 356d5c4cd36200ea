import type { RedisConnection } from './redis-connection.ts'
import type { KeyStore, StoredKey } from '../contract.ts'
import { parseKeyFields } from '../stored-key.ts'

/** All keys as `<account> <id>`, of one score, which Redis then keeps in the order of their bytes. */
const INDEX = 'pixpress:keys'

/** Key and index come together, or neither does. */
const CREATE = `
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
redis.call('ZADD', KEYS[2], 0, ARGV[1])
return 1
`

/** The fields to be taken away come first, after their number. A key that is not there is not made by a change. */
const CHANGE = `
if redis.call('EXISTS', KEYS[1]) == 0 then
  return {}
end
local gone = tonumber(ARGV[1])
for i = 2, gone + 1 do
  redis.call('HDEL', KEYS[1], ARGV[i])
end
for i = gone + 2, #ARGV, 2 do
  redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
end
return redis.call('HGETALL', KEYS[1])
`

interface Commands {
  pixpressCreateKey(key: string, index: string, member: string, ...fields: string[]): Promise<0 | 1>
  pixpressChangeKey(key: string, gone: number, ...fields: string[]): Promise<string[]>
}

/**
 * Keys as hashes of JSON values, one of which a request reads by its name. Nothing is held in a server's memory, so
 * that a key is revoked on all machines at once.
 */
export function createRedisKeys({ redis, attempt }: RedisConnection): KeyStore {
  redis.defineCommand('pixpressCreateKey', { numberOfKeys: 2, lua: CREATE })
  redis.defineCommand('pixpressChangeKey', { numberOfKeys: 1, lua: CHANGE })
  const commands = redis as unknown as Commands

  const find = async (id: string): Promise<StoredKey | undefined> =>
    parse(Object.entries(await attempt('find a key', () => redis.hgetall(keyOf(id)))), id)

  return {
    find,
    async create(key) {
      const fields = Object.entries(key).filter(([, value]) => value !== undefined)
      const member = memberOf(key)
      const created = (): Promise<0 | 1> => commands.pixpressCreateKey(keyOf(key.id), INDEX, member, ...texts(fields))
      return (await attempt('keep a key', created)) === 1
    },
    async change(id, changes) {
      const fields = Object.entries(changes).filter(([, value]) => value !== undefined)
      const gone = fields.filter(([, value]) => value === null).map(([name]) => name)
      const set = texts(fields.filter(([, value]) => value !== null))
      const changed = (): Promise<string[]> => commands.pixpressChangeKey(keyOf(id), gone.length, ...gone, ...set)
      const found = await attempt('change a key', changed)
      return parse(
        found.flatMap((name, index) => (index % 2 === 0 ? [[name, found[index + 1]!] as const] : [])),
        id,
      )
    },
    async list({ account, after, limit }) {
      const least = after === undefined ? (account === undefined ? '-' : `[${account} `) : `(${memberOf(after)}`
      // '!' comes right after the space.
      const most = account === undefined ? '+' : `(${account}!`
      const members = await attempt('list keys', () => redis.zrangebylex(INDEX, least, most, 'LIMIT', 0, limit))
      const keys = await Promise.all(members.map((member) => find(member.slice(member.indexOf(' ') + 1))))
      return keys.filter((key) => key !== undefined)
    },
  }
}

const keyOf = (id: string): string => `pixpress:key:${id}`

/** Names of accounts have no character before the space, so these come in the order of account and id. */
const memberOf = ({ account, id }: Pick<StoredKey, 'account' | 'id'>): string => `${account} ${id}`

const texts = (fields: readonly (readonly [string, unknown])[]): string[] =>
  fields.flatMap(([name, value]) => [name, JSON.stringify(value)])

const parse = (fields: readonly (readonly [string, string])[], id: string): StoredKey | undefined =>
  fields.length === 0 ? undefined : parseKeyFields(fields, id)
