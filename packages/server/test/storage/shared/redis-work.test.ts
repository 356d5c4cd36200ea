import { randomBytes } from 'node:crypto'
import { requireTool, startRedis, failure } from '@pixpress/testkit'
import type { RedisServer } from '@pixpress/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectRedis } from '../../../src/storage/shared/redis-connection.ts'
import { openRedisWork } from '../../../src/storage/shared/redis-work.ts'
import type { RedisWork } from '../../../src/storage/shared/redis-work.ts'
import { DamagedRecordError } from '../../../src/storage/stored-records.ts'
import { BackendUnavailableError } from '../../../src/index.ts'
import type { WorkTicket } from '../../../src/index.ts'

const installed = requireTool('redis-server') !== undefined
const newId = (): string => randomBytes(16).toString('hex')
const ticketOf = ({ server }: RedisWork): WorkTicket => ({ job: newId(), server, id: newId(), size: 100 })

describe.skipIf(!installed)('openRedisWork', () => {
  let redis: RedisServer
  let group: string
  const opened: (() => Promise<void>)[] = []
  let one: RedisWork
  let two: RedisWork
  let three: RedisWork

  beforeAll(async () => {
    redis = await startRedis()
  })
  beforeEach(async () => {
    group = newId()
    ;[one, two, three] = [await open(), await open(), await open()]
  })
  afterEach(async () => {
    for (const close of opened.splice(0)) await close()
  })
  afterAll(() => redis?.stop())

  async function open(length = 3, of = group): Promise<RedisWork> {
    const connection = await connectRedis(redis.url)
    const work = await openRedisWork(connection, redis.url, { group: of, length })
    opened.push(async () => {
      await work.close()
      await connection.close()
    })
    return work
  }

  const leaseOf = ({ job }: WorkTicket): string => `pixpress:work:${group}:lease:${job}`

  it('gives the ticket that has waited the longest to whoever asks, and to one alone', async () => {
    const tickets = [ticketOf(one), ticketOf(one)]
    for (const ticket of tickets) expect(await one.offer(ticket)).toBe(true)
    expect(await two.take()).toEqual(tickets[0])
    expect(await three.take()).toEqual(tickets[1])
    const claims = await Promise.all([one, two, three].map((server) => server.claim(tickets[0]!)))
    expect(claims.filter(Boolean)).toHaveLength(1)
    expect(await two.take()).toBeUndefined()
  })

  it('takes no more than may wait', async () => {
    const offers = []
    for (let count = 0; count < 4; count++) offers.push(await one.offer(ticketOf(one)))
    expect(offers).toEqual([true, true, true, false])
    await two.take()
    expect(await one.offer(ticketOf(one))).toBe(true)
  })

  it('takes a claimed ticket from those that wait', async () => {
    const ticket = ticketOf(one)
    await one.offer(ticket)
    expect(await one.claim(ticket)).toBe(true)
    expect(await two.take()).toBeUndefined()
  })

  it('lets others have what is held by nobody any more, and tells the server that waits', async () => {
    const [held, waits] = [ticketOf(one), ticketOf(one)]
    await one.offer(held)
    await one.offer(waits)
    await two.claim((await two.take())!)
    expect(await one.check([held, waits])).toEqual(['held', 'waits'])
    const left = Number((await redis.ask(`PTTL ${leaseOf(held)}`)).slice(1))
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(10_000)
    // This is what the end of its time does.
    await redis.ask(`DEL ${leaseOf(held)}`)
    expect(await two.renew(held)).toBe(false)
    expect(await one.check([held, waits])).toEqual(['lost', 'waits'])
    expect(await one.check([held, waits])).toEqual(['waits', 'waits'])
    // It has waited the longest.
    expect(await three.take()).toEqual(held)
    expect(await three.claim(held)).toBe(true)
    expect([await two.renew(held), await three.renew(held)]).toEqual([false, true])
  })

  it('finds a ticket again that was lost on its way to whoever took it', async () => {
    const ticket = ticketOf(one)
    await one.offer(ticket)
    await two.take()
    expect(await one.check([ticket])).toEqual(['lost'])
    expect(await three.take()).toEqual(ticket)
  })

  it('gives back to the front', async () => {
    const [first, second] = [ticketOf(one), ticketOf(one)]
    await one.offer(first)
    await one.offer(second)
    const taken = (await two.take())!
    await two.claim(taken)
    await two.giveBack(taken)
    expect(await three.take()).toEqual(first)
    expect(await three.claim(first)).toBe(true)
    // Only what is one's own: the lease of another one stays.
    await two.giveBack(first)
    expect(await three.renew(first)).toBe(true)
  })

  it('gives nobody the ticket of a server that is gone', async () => {
    const ticket = ticketOf(one)
    await one.offer(ticket)
    await redis.ask(`DEL pixpress:work:server:${one.server}`)
    expect(await two.take()).toEqual(ticket)
    expect(await two.claim(ticket)).toBe(false)
  })

  it('tells the server that waits, and no other, what became of a ticket', async () => {
    const ticket = ticketOf(one)
    const waiting = one.answered()
    await two.answer(ticket, { size: 7 })
    expect(await waiting).toEqual({ job: ticket.job, outcome: { size: 7 } })
    expect(await three.answered()).toBeUndefined()
  })

  it('hands no damaged ticket and no damaged answer on, and goes on with the next', async () => {
    const connection = await connectRedis(redis.url)
    opened.push(() => connection.close())
    const ticket = ticketOf(one)
    const { size: _, ...withoutSize } = ticketOf(one)
    const waiting = `pixpress:work:${group}:waiting`
    await connection.redis.rpush(waiting, JSON.stringify(withoutSize), 'no JSON', JSON.stringify(ticket))
    await expect(two.take()).rejects.toThrow(failure('DamagedRecordError', '1', "'size'"))
    await expect(two.take()).rejects.toThrow(DamagedRecordError)
    expect(await two.take()).toEqual(ticket)
    const answers = `pixpress:work:answers:${one.server}`
    await connection.redis.rpush(answers, JSON.stringify({ job: 'x', outcome: {} }))
    await expect(one.answered()).rejects.toThrow(failure('DamagedRecordError', '32 hexadecimal', "'job'"))
  })

  it('leaves nothing of what is withdrawn', async () => {
    const [held, waits] = [ticketOf(one), ticketOf(one)]
    await one.offer(held)
    await one.offer(waits)
    await two.claim(held)
    for (const ticket of [held, waits]) await one.withdraw(ticket)
    expect(await two.take()).toBeUndefined()
    expect(await redis.ask(`EXISTS ${leaseOf(held)} pixpress:work:${group}:waiting`)).toBe(':0')
  })

  it('keeps groups apart', async () => {
    const other = await open(3, newId())
    await one.offer(ticketOf(one))
    expect(await other.take()).toBeUndefined()
  })

  it('is unavailable while Redis is away, and comes back by itself', async () => {
    await redis.down()
    for (const refused of [() => one.offer(ticketOf(one)), () => one.take(), () => one.answered()])
      await expect(refused()).rejects.toThrow(BackendUnavailableError)
    await redis.up()
    const ticket = ticketOf(one)
    await expect.poll(() => one.offer(ticket).catch(() => false)).toBe(true)
    await expect.poll(() => two.take().catch(() => undefined)).toEqual(ticket)
  })
})
