import { fs as memory, vol } from 'memfs'
import { naming } from '@pixpress/testkit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createFileCache } from '../../src/cache/file-store.ts'
import type { CacheEntry } from '../../src/cache/store.ts'

vi.mock('node:fs', async () => ({ ...(await import('memfs')).fs, default: (await import('memfs')).fs }))
vi.mock('node:fs/promises', async () => {
  const { promises } = (await import('memfs')).fs
  return { ...promises, default: promises }
})

afterEach(() => {
  vi.restoreAllMocks()
  vol.reset()
})

const KEY = 'ab'.repeat(32)
const ENTRY: CacheEntry = { meta: { kind: 'test' }, data: new Uint8Array([1, 2, 3]) }
const refusal = (code: string): Error => Object.assign(new Error(`${code}: refused by the file system`), { code })

describe('a cache whose folder refuses to be written', () => {
  it.each(['EACCES', 'ENOSPC', 'EROFS'])('warns once of %s, misses, and leaves nothing half-written', async (code) => {
    vi.spyOn(memory.promises, 'writeFile').mockImplementation(async (file) => {
      // A full disk takes the beginning of a file.
      if (code === 'ENOSPC') vol.writeFileSync(String(file), 'd')
      throw refusal(code)
    })
    vol.mkdirSync(`/cache/v1/${KEY.slice(0, 2)}`, { recursive: true })
    const warnings: string[] = []
    const cache = createFileCache({ dir: '/cache', onWarning: (message) => warnings.push(message) })
    await cache.set(KEY, ENTRY)
    await cache.set(KEY, ENTRY)
    expect(await cache.get(KEY)).toBeUndefined()
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toEqual(naming(code))
    expect(Object.values(vol.toJSON()).filter((content) => content !== null)).toEqual([])
  })
})

it('a cache in memory gives back what was set', async () => {
  const cache = createFileCache({ dir: '/cache' })
  await cache.set(KEY, ENTRY)
  expect(await cache.get(KEY)).toMatchObject({ meta: ENTRY.meta, data: ENTRY.data })
  expect(await cache.stats()).toMatchObject({ entries: 1 })
})
