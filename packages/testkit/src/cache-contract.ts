import type { CacheStore } from '@pixpress/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/** A store under test, and how to remove what it leaves. */
export interface CacheStoreUnderTest {
  readonly store: CacheStore
  cleanup(): Promise<void>
}

const KEY_A = 'a1'.repeat(32)
const KEY_B = 'b2'.repeat(32)
const KEY_A_NEIGHBOUR = `${KEY_A.slice(0, 63)}2`

/** The store of the test that runs. */
interface CacheTrial {
  store: CacheStore
}

/**
 * Registers the tests that every cache store has to pass, whatever is underneath.
 * @param create makes a new, empty store for each test
 */
export function cacheStoreContract(name: string, create: () => Promise<CacheStoreUnderTest>): void {
  describe(`${name} as a cache store`, () => {
    const trial = {} as CacheTrial
    let cleanup: () => Promise<void>

    beforeEach(async () => {
      const made = await create()
      trial.store = made.store
      cleanup = () => made.cleanup()
    })

    afterEach(async () => {
      await trial.store.close?.()
      await cleanup()
    })

    testEntries(trial)
    testCallers(trial)
    testManyAtOnce(trial)
  })
}

function testEntries(trial: CacheTrial): void {
  it('misses what was never set', async () => {
    expect(await trial.store.get(KEY_A)).toBeUndefined()
  })

  it('returns facts and bytes as they were set', async () => {
    const meta = {
      type: 'image/avif',
      width: 640,
      score: 80.25,
      cropped: false,
      color: null,
      frames: [{ delay: 40 }, { delay: 0 }],
      name: 'déjà vu\n"日本" 🌄\u2028',
      '10': 'a key that looks like an index',
    }
    await trial.store.set(KEY_A, { meta, data: everyByte() })
    expect(await trial.store.get(KEY_A)).toEqual({ meta, data: everyByte() })
  })

  it('returns plain bytes', async () => {
    await trial.store.set(KEY_A, { meta: {}, data: Buffer.from('pixels') })
    const data = (await trial.store.get(KEY_A))?.data
    expect(data?.constructor).toBe(Uint8Array)
    expect(data).toEqual(new TextEncoder().encode('pixels'))
  })

  it('holds entries without bytes and entries of megabytes', async () => {
    const large = new Uint8Array(3_000_001).map((_, index) => (index * 31) % 251)
    await trial.store.set(KEY_A, { meta: {}, data: new Uint8Array() })
    await trial.store.set(KEY_B, { meta: {}, data: large })
    expect(await trial.store.get(KEY_A)).toEqual({ meta: {}, data: new Uint8Array() })
    expect(Buffer.compare((await trial.store.get(KEY_B))!.data, large)).toBe(0)
  })

  it('sets only what the view shows of a larger buffer', async () => {
    const view = everyByte().subarray(100, 110)
    await trial.store.set(KEY_A, { meta: {}, data: view })
    expect((await trial.store.get(KEY_A))?.data).toEqual(view.slice())
  })

  it('replaces an entry, with a shorter one too', async () => {
    await trial.store.set(KEY_A, { meta: { version: 1 }, data: everyByte() })
    await trial.store.set(KEY_A, { meta: { version: 2 }, data: new Uint8Array([7]) })
    expect(await trial.store.get(KEY_A)).toEqual({ meta: { version: 2 }, data: new Uint8Array([7]) })
  })

  it('keeps keys apart that differ in the last digit', async () => {
    await trial.store.set(KEY_A, { meta: {}, data: new Uint8Array([1]) })
    expect(await trial.store.get(KEY_A_NEIGHBOUR)).toBeUndefined()
    await trial.store.set(KEY_A_NEIGHBOUR, { meta: {}, data: new Uint8Array([2]) })
    expect((await trial.store.get(KEY_A))?.data).toEqual(new Uint8Array([1]))
  })
}

function testCallers(trial: CacheTrial): void {
  it('does not share memory with its callers', async () => {
    const meta = { list: [1] }
    const data = new Uint8Array([1, 2, 3])
    await trial.store.set(KEY_A, { meta, data })
    meta.list.push(2)
    data.fill(9)
    const first = await trial.store.get(KEY_A)
    expect(first).toEqual({ meta: { list: [1] }, data: new Uint8Array([1, 2, 3]) })
    first!.data.fill(8)
    ;(first!.meta['list'] as number[]).push(3)
    expect(await trial.store.get(KEY_A)).toEqual({ meta: { list: [1] }, data: new Uint8Array([1, 2, 3]) })
  })

  it.each([
    ['empty', ''],
    ['short', KEY_A.slice(1)],
    ['long', `${KEY_A}0`],
    ['in capitals', KEY_A.toUpperCase()],
    ['with a line end', `${KEY_A}\n`],
    ['a path', `../${KEY_A.slice(3)}`],
  ])('refuses a key that is %s', async (_, key) => {
    await expect(trial.store.get(key)).rejects.toMatchObject({ name: 'PixpressError', code: 'INTERNAL' })
    await expect(trial.store.set(key, { meta: {}, data: new Uint8Array([1]) })).rejects.toMatchObject({
      name: 'PixpressError',
      code: 'INTERNAL',
    })
  })
}

function testManyAtOnce(trial: CacheTrial): void {
  it('returns one of the entries set at once under one key, whole', async () => {
    const versions = Array.from({ length: 12 }, (_, version) => ({
      meta: { version },
      data: new Uint8Array(20_000 + version).fill(version),
    }))
    const writing = Promise.all(versions.map((entry) => trial.store.set(KEY_A, entry)))
    const seenMeanwhile = await Promise.all(Array.from({ length: 12 }, () => trial.store.get(KEY_A)))
    await writing
    const seen = [...seenMeanwhile.filter((entry) => entry !== undefined), (await trial.store.get(KEY_A))!]
    for (const entry of seen) expect(entry).toEqual(versions[entry.meta['version'] as number])
  })

  it('answers many keys at once', async () => {
    const keys = Array.from({ length: 200 }, (_, index) => index.toString(16).padStart(64, '0'))
    await Promise.all(
      keys.map((key, index) => trial.store.set(key, { meta: { index }, data: new Uint8Array([index]) })),
    )
    const entries = await Promise.all(keys.map((key) => trial.store.get(key)))
    expect(entries.map((entry) => entry?.meta['index'])).toEqual(keys.map((_, index) => index))
  })
}

function everyByte(): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, index) => index)
}
