import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileCache } from '../../src/cache/file-store.ts'
import { cacheFolderStamps } from '../../src/cache/folder-stamps.ts'

const KEY = 'ab'.padEnd(64, '0')
const ENTRY = { meta: {}, data: new Uint8Array([1, 2, 3]) }

let dir = ''
beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

/** Makes the folders of the entries look unchanged for a while. */
async function age(seconds: number): Promise<void> {
  const time = Date.now() / 1000 - seconds
  for (const bucket of await readdir(path.join(dir, 'v1'))) await utimes(path.join(dir, 'v1', bucket), time, time)
}

describe('stamps of a cache folder', () => {
  it('say that there are no entries, where there is no folder', () => {
    const stamps = cacheFolderStamps(path.join(dir, 'none'))
    expect(stamps.size).toBe(256)
    expect(new Set(stamps.values())).toEqual(new Set(['none']))
  })

  it('stay while entries are read, and differ once one was added, replaced or removed', async () => {
    const cache = createFileCache({ dir })
    await cache.set(KEY, ENTRY)
    await age(60)
    const before = cacheFolderStamps(dir).get('ab')
    await cache.get(KEY)
    expect(cacheFolderStamps(dir).get('ab')).toBe(before)

    await cache.set(KEY, { ...ENTRY, meta: { other: true } })
    await age(50)
    const replaced = cacheFolderStamps(dir).get('ab')
    expect(replaced).not.toBe(before)

    await cache.clear()
    expect(cacheFolderStamps(dir).get('ab')).toBe('none')
  })

  it('leave out what changed too lately for another change to be noticed', async () => {
    await createFileCache({ dir }).set(KEY, ENTRY)
    const stamps = cacheFolderStamps(dir)
    expect(stamps.has('ab')).toBe(false)
    expect(stamps.size).toBe(255)
  })
})
