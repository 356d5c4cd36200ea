import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileCacheEntries } from '../../../src/storage/local/file-cache-entries.ts'
import type { CacheEntryName } from '../../../src/index.ts'

const signer = '0123456789abcdef'
const nameOf = (index: number, account = 'somebody'): CacheEntryName => ({
  account,
  signer,
  key: index.toString(16).padStart(64, '0'),
})

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-entries-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const filesBelow = async (): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))

describe('the results of builds on a disk', () => {
  it('stay within the bound of each account: what was used least recently goes', async () => {
    const entries = createFileCacheEntries(folder, 1000)
    for (let index = 0; index < 10; index++) await entries.create(nameOf(index), new Uint8Array(100))
    await entries.create(nameOf(0, 'another'), new Uint8Array(100))
    for (const file of await filesBelow()) {
      const age = 100 - Number.parseInt(path.basename(file), 16)
      await utimes(file, Date.now() / 1000 - age * 3600, Date.now() / 1000 - age * 3600)
    }
    // Read now, and so not the next to go.
    await (await entries.stream(nameOf(0)))!.body.cancel()
    await entries.create(nameOf(10), new Uint8Array(100))
    const left = await entries.list({ account: 'somebody', signer }, undefined, 100)
    expect(left.map((key) => Number.parseInt(key, 16))).toEqual([0, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(await entries.has(nameOf(0, 'another'))).toBe(true)
  })

  it('count what a server before has left', async () => {
    const before = createFileCacheEntries(folder, 1000)
    for (let index = 0; index < 9; index++) await before.create(nameOf(index), new Uint8Array(100))
    const entries = createFileCacheEntries(folder, 1000)
    for (let index = 9; index < 12; index++) await entries.create(nameOf(index), new Uint8Array(100))
    expect(await filesBelow()).toHaveLength(10)
  })

  it('lose what a crash has left of others', async () => {
    const entries = createFileCacheEntries(folder, 1000)
    await entries.create(nameOf(0), new Uint8Array(1))
    const [file] = await filesBelow()
    const old = `${file}.0123456789ab.tmp`
    const young = `${file}.ba9876543210.tmp`
    for (const each of [old, young]) await writeFile(each, 'half')
    await utimes(old, 1, 1)
    await createFileCacheEntries(folder, 1000).create(nameOf(1), new Uint8Array(1))
    expect((await filesBelow()).filter((each) => each.endsWith('.tmp'))).toEqual([young])
    expect(await entries.list({ account: 'somebody', signer }, undefined, 100)).toHaveLength(2)
  })
})
