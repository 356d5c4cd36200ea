import { describe, expect, it } from 'vitest'
import { createMemoryRate } from '../../../src/storage/local/memory-rate.ts'

describe('createMemoryRate', () => {
  it('never allows more than the burst plus what the time allows', async () => {
    let now = 0
    const rate = createMemoryRate({ interval: 20, burst: 10 }, () => now)
    let allowed = 0
    for (; now < 3000; now += 1) if ((await rate.take('somebody')).allowed) allowed++
    expect(allowed).toBe(10 + Math.floor(2999 / 20))
  })

  it('tells exactly when the next request is possible', async () => {
    let now = 1000
    const rate = createMemoryRate({ interval: 100 / 3, burst: 1 }, () => now)
    expect(await rate.take('somebody')).toEqual({ allowed: true })
    const refused = await rate.take('somebody')
    expect(refused.allowed ? 0 : refused.retryAfter).toBeCloseTo(100 / 3)
    now += 100 / 3
    expect(await rate.take('somebody')).toEqual({ allowed: true })
  })

  it('forgets accounts at rest, and no others', async () => {
    let now = 0
    const rate = createMemoryRate({ interval: 1000, burst: 1 }, () => now)
    for (let i = 0; i < 9_999; i++) await rate.take(`account ${i}`)
    now = 500
    await rate.take('busy')
    now = 1200
    await rate.take('one more')
    expect((await rate.take('busy')).allowed).toBe(false)
    expect((await rate.take('account 5')).allowed).toBe(true)
  })
})
