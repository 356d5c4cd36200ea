import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cacheStoreContract } from '@pixpress/testkit'
import type { CacheEntry } from '../../src/cache/store.ts'
import { createFileCache } from '../../src/cache/file-store.ts'
import type { FileCache } from '../../src/cache/file-store.ts'

const HOUR_MS = 3_600_000

const KEY = 'ab'.repeat(32)
const ENTRY: CacheEntry = { meta: { width: 1 }, data: new Uint8Array(1000).fill(5) }

async function temporaryFolder(): Promise<string> {
  return fs.mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
}

cacheStoreContract('FileCache', async () => {
  const dir = await temporaryFolder()
  return { store: createFileCache({ dir }), cleanup: () => fs.rm(dir, { recursive: true, force: true }) }
})

let dir: string
let warnings: string[]
const onWarning = (message: string): void => void warnings.push(message)

beforeEach(async () => {
  dir = await temporaryFolder()
  warnings = []
})

afterEach(async () => {
  await fs.rm(dir, { recursive: true, force: true })
})

function keyOf(index: number): string {
  return index.toString(16).padStart(2, '0').repeat(32)
}

function fileOf(key: string): string {
  return path.join(dir, 'v1', key.slice(0, 2), key)
}

async function sizeOf(key: string): Promise<number> {
  return (await fs.stat(fileOf(key))).size
}

async function modifiedAt(key: string): Promise<number> {
  return (await fs.stat(fileOf(key))).mtimeMs
}

async function age(file: string, hours: number): Promise<void> {
  const seconds = (Date.now() - hours * HOUR_MS) / 1000
  await fs.utimes(file, seconds, seconds)
}

/** Sets `count` entries, the first of them used `hours` hours ago and each next one an hour earlier. */
async function fill(cache: FileCache, count: number, hours: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await cache.set(keyOf(index), ENTRY)
    await age(fileOf(keyOf(index)), hours + index)
  }
}

async function present(cache: FileCache, count: number): Promise<number[]> {
  const found: number[] = []
  for (let index = 0; index < count; index++) {
    if ((await cache.get(keyOf(index))) !== undefined) found.push(index)
  }
  return found
}

describe('FileCache', () => {
  describe('the folder', () => {
    it('is shared by two caches', async () => {
      await createFileCache({ dir }).set(KEY, ENTRY)
      expect(await createFileCache({ dir }).get(KEY)).toEqual(ENTRY)
      expect(await fs.readdir(path.dirname(fileOf(KEY)))).toEqual([KEY])
    })

    it('is not made before there is something to hold', async () => {
      const cache = createFileCache({ dir: path.join(dir, 'none'), onWarning })
      expect(await cache.get(KEY)).toBeUndefined()
      expect(await cache.stats()).toEqual({ entries: 0, bytes: 0 })
      expect(await cache.verify()).toEqual({ entries: 0, broken: 0 })
      expect(await cache.evict()).toEqual({ removed: 0, bytes: 0 })
      await cache.clear()
      expect(await fs.readdir(dir)).toEqual([])
      expect(warnings).toEqual([])
    })

    it('may be removed while the cache is in use', async () => {
      const cache = createFileCache({ dir, onWarning })
      await cache.set(KEY, ENTRY)
      await fs.rm(path.join(dir, 'v1'), { recursive: true })
      expect(await cache.get(KEY)).toBeUndefined()
      await cache.set(KEY, ENTRY)
      expect(await cache.get(KEY)).toEqual(ENTRY)
      expect(warnings).toEqual([])
    })

    it('can be moved', async () => {
      await createFileCache({ dir: path.join(dir, 'one') }).set(KEY, ENTRY)
      await fs.rename(path.join(dir, 'one'), path.join(dir, 'two'))
      expect(await createFileCache({ dir: path.join(dir, 'two') }).get(KEY)).toEqual(ENTRY)
    })
  })

  describe('a damaged entry', () => {
    it.each<[string, (bytes: Buffer) => Buffer]>([
      ['cut off', (bytes) => bytes.subarray(0, -1)],
      ['empty', () => Buffer.alloc(0)],
      [
        'with a flipped bit',
        (bytes) => Buffer.from(bytes.map((byte, at) => (at === bytes.length - 9 ? byte ^ 4 : byte))),
      ],
      ['of zeros, as a power cut leaves it', (bytes) => Buffer.alloc(bytes.length)],
    ])('%s is a miss, is counted and is replaced', async (_, damage) => {
      const cache = createFileCache({ dir, onWarning })
      await cache.set(KEY, ENTRY)
      await fs.writeFile(fileOf(KEY), damage(await fs.readFile(fileOf(KEY))))
      expect(await cache.get(KEY)).toBeUndefined()
      expect(await cache.verify()).toEqual({ entries: 1, broken: 1 })
      await cache.set(KEY, ENTRY)
      expect(await cache.get(KEY)).toEqual(ENTRY)
      expect(await cache.verify()).toEqual({ entries: 1, broken: 0 })
      expect(warnings).toEqual([expect.stringContaining('damaged entries')])
    })

    it('under the name of another key is a miss', async () => {
      const cache = createFileCache({ dir })
      const other = `${KEY.slice(0, 63)}0`
      await cache.set(KEY, ENTRY)
      await fs.copyFile(fileOf(KEY), fileOf(other))
      expect(await cache.get(other)).toBeUndefined()
      expect(await cache.verify()).toEqual({ entries: 2, broken: 1 })
    })
  })

  describe('recorded use', () => {
    it('is renewed after the grace time, at most', async () => {
      const cache = createFileCache({ dir })
      await cache.set(KEY, ENTRY)
      await age(fileOf(KEY), 0.9)
      const before = await modifiedAt(KEY)
      await cache.get(KEY)
      expect(await modifiedAt(KEY)).toBe(before)
      await age(fileOf(KEY), 1.1)
      const aged = await modifiedAt(KEY)
      await cache.get(KEY)
      expect(await modifiedAt(KEY)).toBeGreaterThan(aged + HOUR_MS)
    })

    it('is mended when it lies in the future', async () => {
      await createFileCache({ dir }).set(KEY, ENTRY)
      await age(fileOf(KEY), -48)
      const future = await modifiedAt(KEY)
      await createFileCache({ dir }).get(KEY)
      expect(await modifiedAt(KEY)).toBeLessThan(future - 24 * HOUR_MS)
    })

    it('is not renewed by a damaged entry', async () => {
      await createFileCache({ dir }).set(KEY, ENTRY)
      await fs.writeFile(fileOf(KEY), 'damaged')
      await age(fileOf(KEY), 5)
      const before = await modifiedAt(KEY)
      await createFileCache({ dir }).get(KEY)
      expect(await modifiedAt(KEY)).toBe(before)
    })
  })

  describe('stats and clear', () => {
    it('count entries and the bytes they take up on the disk', async () => {
      const cache = createFileCache({ dir })
      await fill(cache, 3, 0)
      const sizes = await Promise.all([0, 1, 2].map((index) => sizeOf(keyOf(index))))
      expect(await cache.stats()).toEqual({ entries: 3, bytes: sizes.reduce((sum, size) => sum + size) })
    })

    it('clear removes the entries and nothing else', async () => {
      const cache = createFileCache({ dir })
      await fill(cache, 3, 0)
      await fs.writeFile(path.join(dir, 'mine.txt'), 'kept')
      await cache.clear()
      expect(await cache.stats()).toEqual({ entries: 0, bytes: 0 })
      expect(await fs.readdir(dir)).toEqual(['mine.txt'])
      await cache.set(KEY, ENTRY)
      expect(await cache.get(KEY)).toEqual(ENTRY)
    })
  })

  describe('evict', () => {
    it('removes nothing while there is room', async () => {
      const cache = createFileCache({ dir })
      await fill(cache, 3, 100)
      expect(await cache.evict()).toEqual({ removed: 0, bytes: 0 })
      expect(await present(cache, 3)).toEqual([0, 1, 2])
    })

    it('removes the least recently used entries until 90 % is left', async () => {
      await fill(createFileCache({ dir }), 10, 10)
      const size = await sizeOf(keyOf(0))
      const cache = createFileCache({ dir, maxSize: 8 * size })
      // The oldest of all is used again.
      await cache.get(keyOf(9))
      expect(await cache.evict()).toEqual({ removed: 3, bytes: 3 * size })
      expect(await present(cache, 10)).toEqual([0, 1, 2, 3, 4, 5, 9])
      expect(await cache.evict()).toEqual({ removed: 0, bytes: 0 })
    })

    it('removes nothing when exactly full', async () => {
      await fill(createFileCache({ dir }), 4, 10)
      const cache = createFileCache({ dir, maxSize: 4 * (await sizeOf(keyOf(0))) })
      expect((await cache.evict()).removed).toBe(0)
    })

    it('spares what was used within the grace time, even far above the size', async () => {
      await fill(createFileCache({ dir }), 3, 0.5)
      const cache = createFileCache({ dir, maxSize: 0 })
      // An entry whose last use was recorded 1.5 hours ago may have been used 0.6 hours ago without a record. An entry
      // of 2.5 hours ago was not.
      expect((await cache.evict()).removed).toBe(1)
      expect(await present(cache, 3)).toEqual([0, 1])
    })

    it('goes by the grace time it is given', async () => {
      await fill(createFileCache({ dir }), 3, 0.5)
      const short = createFileCache({ dir, maxSize: 0, graceMs: HOUR_MS / 2 })
      expect((await short.evict()).removed).toBe(2)
      const none = createFileCache({ dir, maxSize: 0, graceMs: 0 })
      expect((await none.evict()).removed).toBe(1)
    })

    it('is exact when two processes evict at once', async () => {
      await fill(createFileCache({ dir }), 20, 10)
      const size = await sizeOf(keyOf(0))
      const evictions = await Promise.all(
        [1, 2, 3].map(() => createFileCache({ dir, maxSize: 10 * size, onWarning }).evict()),
      )
      expect(evictions.reduce((sum, { removed }) => sum + removed, 0)).toBe(11)
      expect(await createFileCache({ dir }).stats()).toEqual({ entries: 9, bytes: 9 * size })
      expect(warnings).toEqual([])
    })

    it('sweeps temporary files older than an hour and leaves all others alone', async () => {
      const cache = createFileCache({ dir })
      await cache.set(KEY, ENTRY)
      const old = `${fileOf(KEY)}.4711.00ff.tmp`
      const young = `${fileOf(KEY)}.4712.00ff.tmp`
      const foreign = path.join(path.dirname(fileOf(KEY)), 'notes.tmp')
      for (const file of [old, young, foreign]) await fs.writeFile(file, 'part of an entry')
      for (const file of [old, foreign]) await age(file, 1.1)
      await age(young, 0.9)
      expect(await cache.evict()).toEqual({ removed: 0, bytes: 0 })
      expect((await fs.readdir(path.dirname(fileOf(KEY)))).sort()).toEqual(
        [KEY, path.basename(young), 'notes.tmp'].sort(),
      )
    })
  })

  it.each<[string, Record<string, unknown>]>([
    ['dir', { dir: '' }],
    ['dir', { dir: 5 }],
    ['maxSize', { dir: 'x', maxSize: -1 }],
    ['maxSize', { dir: 'x', maxSize: '1 GB' }],
    ['graceMs', { dir: 'x', graceMs: NaN }],
  ])('refuses a wrong %s (%j)', (option, options) => {
    expect(() => createFileCache(options as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining(`'cache.${option}'`) }),
    )
  })
})
