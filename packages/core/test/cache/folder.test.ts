import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { entryPath, listCacheFolder } from '../../src/cache/folder.ts'

const KEY = 'ab'.repeat(32)

let root: string

beforeEach(async () => {
  root = await fs.mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
})

afterEach(async () => {
  await fs.rm(root, { recursive: true, force: true })
})

async function write(name: string, size: number): Promise<string> {
  const file = path.join(root, name)
  await fs.mkdir(path.dirname(file), { recursive: true })
  await fs.writeFile(file, new Uint8Array(size))
  return file
}

describe('entryPath', () => {
  it('spreads keys over 256 folders', () => {
    expect(entryPath('cache', KEY)).toBe(path.join('cache', 'ab', KEY))
  })
})

describe('listCacheFolder', () => {
  it('is empty for a folder that does not exist', async () => {
    expect(await listCacheFolder(path.join(root, 'none'))).toEqual({ entries: [], temporary: [] })
  })

  it('tells entries from temporary files and leaves out everything else', async () => {
    const entry = await write(`ab/${KEY}`, 3)
    const temporary = await write(`ab/${KEY}.123.0f0f.tmp`, 5)
    await write(`cd/${KEY}`, 7)
    await write('ab/notes.tmp', 7)
    await write('ab/.DS_Store', 7)
    await write(`other/${KEY}`, 7)
    await write('ef', 7)
    await fs.mkdir(path.join(root, 'ab', `ab${'0'.repeat(62)}`))
    const modified = expect.any(Number) as number
    expect(await listCacheFolder(root)).toEqual({
      entries: [{ path: entry, size: 3, modified, key: KEY }],
      temporary: [{ path: temporary, size: 5, modified }],
    })
  })
})
