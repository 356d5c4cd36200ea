import { randomBytes } from 'node:crypto'
import { connectRedis } from './redis-connection.ts'
import type { RedisConnection } from './redis-connection.ts'
import { parseAnswer, parseTicket } from '../stored-records.ts'
import type { TicketState, WorkQueue, WorkQueueSettings, WorkTicket } from '../contract.ts'

/** Milliseconds without a sign of life after which a server's work goes to another one. */
const LEASE = 10_000

/** Milliseconds for which tickets and answers are kept of which nobody has heard since. */
const FORGOTTEN = 3_600_000

/** Seconds that a blocking command waits, and the milliseconds that it may take on a busy machine. */
const BLOCKED = 1
const BLOCKED_TIMEOUT = 5000

const OFFER = `
if redis.call('LLEN', KEYS[1]) >= tonumber(ARGV[2]) then
  return 0
end
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('SET', KEYS[2], '1', 'PX', ARGV[4])
return 1
`

const CLAIM = `
redis.call('LREM', KEYS[1], 0, ARGV[1])
if redis.call('EXISTS', KEYS[2]) == 0 then
  return 0
end
if redis.call('SET', KEYS[3], ARGV[2], 'NX', 'PX', ARGV[3]) then
  return 1
end
return 0
`

const RENEW = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`

const GIVE_BACK = `
if redis.call('GET', KEYS[2]) == ARGV[2] then
  redis.call('DEL', KEYS[2])
end
redis.call('LREM', KEYS[1], 0, ARGV[1])
redis.call('LPUSH', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
`

/**
 * Neither waiting nor held: whoever took it has ended, or lost its connection in the middle. It has waited the longest.
 */
const CHECK = `
redis.call('SET', KEYS[2], '1', 'PX', ARGV[1])
local waiting = {}
for _, ticket in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  waiting[ticket] = true
end
local states = {}
for index = 3, #KEYS do
  local ticket = ARGV[index]
  if redis.call('EXISTS', KEYS[index]) == 1 then
    states[index - 2] = 'held'
  elseif waiting[ticket] then
    states[index - 2] = 'waits'
  else
    states[index - 2] = 'lost'
    redis.call('LPUSH', KEYS[1], ticket)
  end
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return states
`

interface Commands {
  pixpressOffer(
    waiting: string,
    alive: string,
    ticket: string,
    length: number,
    kept: number,
    lease: number,
  ): Promise<0 | 1>
  pixpressClaim(
    waiting: string,
    alive: string,
    lease: string,
    ticket: string,
    who: string,
    time: number,
  ): Promise<0 | 1>
  pixpressRenew(lease: string, who: string, time: number): Promise<0 | 1>
  pixpressGiveBack(waiting: string, lease: string, ticket: string, who: string, kept: number): Promise<null>
  pixpressCheck(keys: number, ...keysAndValues: (string | number)[]): Promise<TicketState[]>
}

/** The shared queue in Redis. */
export interface RedisWork extends WorkQueue<unknown> {
  close(): Promise<void>
}

/**
 * Opens the queue: a list of tickets, a key for each ticket at work that expires unless it is renewed (a lease), a key
 * for each server that expires unless it still waits, and a list of answers for each server. Blocking commands have
 * connections of their own.
 * @throws BackendUnavailableError when Redis cannot be reached from the start
 */
export async function openRedisWork(
  { redis, attempt }: RedisConnection,
  url: string,
  { group, length }: WorkQueueSettings,
): Promise<RedisWork> {
  const { taking, hearing } = await connectForWaiting(url)
  const commands = defineCommands(redis)
  const me = randomBytes(16).toString('hex')
  const waiting = `pixpress:work:${group}:waiting`
  const leaseOf = ({ job }: WorkTicket): string => `pixpress:work:${group}:lease:${job}`

  return {
    server: me,
    async offer(ticket) {
      const words = [JSON.stringify(ticket), length, FORGOTTEN, LEASE] as const
      return (await attempt('offer work', () => commands.pixpressOffer(waiting, aliveKey(me), ...words))) === 1
    },
    async claim(ticket) {
      const keys = [waiting, aliveKey(ticket.server), leaseOf(ticket)] as const
      const claimed = (): Promise<0 | 1> => commands.pixpressClaim(...keys, JSON.stringify(ticket), me, LEASE)
      return (await attempt('claim work', claimed)) === 1
    },
    async renew(ticket) {
      return (await attempt('renew a lease', () => commands.pixpressRenew(leaseOf(ticket), me, LEASE))) === 1
    },
    async giveBack(ticket) {
      const keys = [waiting, leaseOf(ticket)] as const
      await attempt('give work back', () => commands.pixpressGiveBack(...keys, JSON.stringify(ticket), me, FORGOTTEN))
    },
    async withdraw(ticket) {
      await attempt('withdraw work', () =>
        redis.multi().lrem(waiting, 0, JSON.stringify(ticket)).del(leaseOf(ticket)).exec(),
      )
    },
    check(tickets) {
      const keys = [waiting, aliveKey(me), ...tickets.map(leaseOf)]
      const values = [LEASE, FORGOTTEN, ...tickets.map((ticket) => JSON.stringify(ticket))]
      return attempt('look after work', () => commands.pixpressCheck(keys.length, ...keys, ...values))
    },
    async take() {
      const text = await popped(taking, waiting)
      return text === undefined ? undefined : parseTicket(text)
    },
    async answer({ server, job }, outcome) {
      const key = answersKey(server)
      await attempt('answer', () =>
        redis.multi().rpush(key, JSON.stringify({ job, outcome })).pexpire(key, LEASE).exec(),
      )
    },
    async answered() {
      const text = await popped(hearing, answersKey(me))
      return text === undefined ? undefined : parseAnswer(text)
    },
    async close() {
      // A graceful end would wait for the blocking commands.
      taking.redis.disconnect()
      hearing.redis.disconnect()
    },
  }
}

/** Opens the connections of the commands that wait: one for tickets, one for answers. */
async function connectForWaiting(url: string): Promise<Record<'taking' | 'hearing', RedisConnection>> {
  const taking = await connectRedis(url, BLOCKED_TIMEOUT)
  const hearing = await connectRedis(url, BLOCKED_TIMEOUT).catch(async (error: unknown) => {
    await taking.close()
    throw error
  })
  return { taking, hearing }
}

function defineCommands(redis: RedisConnection['redis']): Commands {
  redis.defineCommand('pixpressOffer', { numberOfKeys: 2, lua: OFFER })
  redis.defineCommand('pixpressClaim', { numberOfKeys: 3, lua: CLAIM })
  redis.defineCommand('pixpressRenew', { numberOfKeys: 1, lua: RENEW })
  redis.defineCommand('pixpressGiveBack', { numberOfKeys: 2, lua: GIVE_BACK })
  redis.defineCommand('pixpressCheck', { lua: CHECK })
  return redis as unknown as Commands
}

const aliveKey = (server: string): string => `pixpress:work:server:${server}`
const answersKey = (server: string): string => `pixpress:work:answers:${server}`

async function popped({ attempt }: RedisConnection, key: string): Promise<string | undefined> {
  const found = await attempt('wait for work', (redis) => redis.blpop(key, BLOCKED))
  return found?.[1]
}
