import { cacheStoreContract } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { createMemoryCache } from '../../src/cache/memory-store.ts'

cacheStoreContract('MemoryCache', async () => ({ store: createMemoryCache(), cleanup: async () => {} }))

const KEYS = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string]

describe('MemoryCache', () => {
  it('forgets the least recently used entries beyond its size', async () => {
    const cache = createMemoryCache({ maxSize: 250 })
    const entry = { meta: {}, data: new Uint8Array(100) }
    await cache.set(KEYS[0], entry)
    await cache.set(KEYS[1], entry)
    await cache.get(KEYS[0])
    await cache.set(KEYS[2], entry)
    expect(await cache.get(KEYS[0])).toEqual(entry)
    expect(await cache.get(KEYS[1])).toBeUndefined()
    expect(await cache.get(KEYS[2])).toEqual(entry)
  })

  it('counts a replaced entry once', async () => {
    const cache = createMemoryCache({ maxSize: 250 })
    const entry = { meta: {}, data: new Uint8Array(100) }
    for (let round = 0; round < 5; round++) await cache.set(KEYS[0], entry)
    await cache.set(KEYS[1], entry)
    expect(await cache.get(KEYS[0])).toEqual(entry)
    expect(await cache.get(KEYS[1])).toEqual(entry)
  })

  it('does not hold an entry that is larger than its size', async () => {
    const cache = createMemoryCache({ maxSize: 50 })
    await cache.set(KEYS[0], { meta: {}, data: new Uint8Array(100) })
    expect(await cache.get(KEYS[0])).toBeUndefined()
  })

  it('refuses a size that is no amount', () => {
    expect(() => createMemoryCache({ maxSize: -1 })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
    expect(() => createMemoryCache({ maxSize: NaN })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  })
})
