import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { naming } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CacheEntry } from '../../src/cache/store.ts'
import { createFileCache } from '../../src/cache/file-store.ts'
import type { FileCache } from '../../src/cache/file-store.ts'

const HOUR_MS = 3_600_000
/** The user and group that own nothing. */
const NOBODY = 65_534

const KEY = 'ab'.repeat(32)
const ENTRY: CacheEntry = { meta: { width: 1 }, data: new Uint8Array(1000).fill(5) }

async function temporaryFolder(): Promise<string> {
  return fs.mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
}

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

describe('a folder that fails', () => {
  it('is a miss and is reported once for reading and once for writing', async () => {
    const file = path.join(dir, 'file')
    await fs.writeFile(file, 'not a folder')
    const cache = createFileCache({ dir: file, onWarning })
    for (let round = 0; round < 3; round++) {
      await cache.set(KEY, ENTRY)
      expect(await cache.get(KEY)).toBeUndefined()
    }
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toEqual(naming(`'${file}'`, 'ENOTDIR'))
    expect(warnings[1]).toEqual(naming(`'${file}'`, 'ENOTDIR'))
  })

  it('fails quietly without anyone to tell', async () => {
    const file = path.join(dir, 'file')
    await fs.writeFile(file, 'not a folder')
    const cache = createFileCache({ dir: file })
    await cache.set(KEY, ENTRY)
    expect(await cache.get(KEY)).toBeUndefined()
  })

  // Links need a privilege on Windows.
  it.skipIf(process.platform === 'win32')('is reported by evict and thrown by stats and verify', async () => {
    const cache = createFileCache({ dir, maxSize: 0, onWarning })
    await fill(cache, 1, 10)
    await fs.symlink('ff', path.join(dir, 'v1', 'ff'))
    for (let round = 0; round < 2; round++) expect(await cache.evict()).toEqual({ removed: 0, bytes: 0 })
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('ELOOP')
    const failure = { code: 'IO_FAILED', cause: { code: 'ELOOP' } }
    await expect(cache.stats()).rejects.toMatchObject(failure)
    await expect(cache.verify()).rejects.toMatchObject(failure)
  })

  // Windows knows no read-only folders.
  it.skipIf(process.platform === 'win32')('may be read-only', async () => {
    await createFileCache({ dir }).set(KEY, ENTRY)
    await age(fileOf(KEY), 5)
    const folders = [dir, path.join(dir, 'v1'), path.dirname(fileOf(KEY))]
    // Root may write anywhere, so it becomes nobody for as long as this takes.
    const isRoot = process.getuid?.() === 0
    if (isRoot) for (const file of [...folders, fileOf(KEY)]) await fs.chown(file, NOBODY, NOBODY)
    for (const folder of folders) await fs.chmod(folder, 0o555)
    if (isRoot) process.seteuid?.(NOBODY)
    try {
      const cache = createFileCache({ dir, maxSize: 0, onWarning })
      await cache.set(KEY, { meta: {}, data: new Uint8Array([1]) })
      await cache.set(keyOf(1), ENTRY)
      expect(await cache.get(KEY)).toEqual(ENTRY)
      expect(await cache.get(keyOf(1))).toBeUndefined()
      await age(fileOf(KEY), 5)
      expect(await cache.evict()).toEqual({ removed: 0, bytes: 0 })
      expect(warnings).toHaveLength(2)
      expect(warnings[0]).toContain('EACCES')
      expect(warnings[1]).toContain('EACCES')
    } finally {
      if (isRoot) process.seteuid?.(0)
      for (const folder of folders) await fs.chmod(folder, 0o755)
    }
  })
})
