import { describe, expect, it } from 'vitest'
import { createMemoryRate } from '../../../src/storage/local/memory-rate.ts'

describe('createMemoryRate', () => {
  it('never allows more than the burst plus what the time allows', async () => {
    let now = 0
    const rate = createMemoryRate(() => now)
    const settings = { interval: 20, burst: 10 }
    let allowed = 0
    for (; now < 3000; now += 1) if ((await rate.take('somebody', settings)).allowed) allowed++
    expect(allowed).toBe(10 + Math.floor(2999 / 20))
  })

  it('tells exactly when the next request is possible', async () => {
    let now = 1000
    const settings = { interval: 100 / 3, burst: 1 }
    const rate = createMemoryRate(() => now)
    expect(await rate.take('somebody', settings)).toEqual({ allowed: true })
    const refused = await rate.take('somebody', settings)
    expect(refused.allowed ? 0 : refused.retryAfter).toBeCloseTo(100 / 3)
    now += 100 / 3
    expect(await rate.take('somebody', settings)).toEqual({ allowed: true })
  })

  it('forgets accounts at rest, and no others', async () => {
    let now = 0
    const settings = { interval: 1000, burst: 1 }
    const rate = createMemoryRate(() => now)
    for (let i = 0; i < 9_999; i++) await rate.take(`account ${i}`, settings)
    now = 500
    await rate.take('busy', settings)
    now = 1200
    await rate.take('one more', settings)
    expect((await rate.take('busy', settings)).allowed).toBe(false)
    expect((await rate.take('account 5', settings)).allowed).toBe(true)
  })

  it('takes another rate from the next request on, and locks nobody out with it', async () => {
    let now = 0
    const rate = createMemoryRate(() => now)
    const slow = { interval: 1000, burst: 5 }
    for (let i = 0; i < 5; i++) expect((await rate.take('somebody', slow)).allowed).toBe(true)
    expect((await rate.take('somebody', slow)).allowed).toBe(false)
    expect((await rate.take('somebody', undefined)).allowed).toBe(true)
    expect(await rate.take('somebody', { interval: 10, burst: 1 })).toEqual({ allowed: false, retryAfter: 10 })
    now = 10
    expect((await rate.take('somebody', { interval: 10, burst: 1 })).allowed).toBe(true)
  })
})
