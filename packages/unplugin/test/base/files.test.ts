import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { diskFiles, isFile } from '../../src/base/files.ts'

describe('isFile', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
    await writeFile(path.join(folder, 'a.png'), 'a')
  })

  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('knows a file', async () => {
    expect(await isFile(diskFiles, path.join(folder, 'a.png'))).toBe(true)
  })

  it.each([
    ['a folder', ''],
    ['what is not there', 'b.png'],
    ['what would lie in a file', 'a.png/b.png'],
    ['a name that no file can have', 'a.png\0'],
    ['a name that is too long', 'a'.repeat(5000)],
  ])('is false for %s', async (_, name) => {
    expect(await isFile(diskFiles, path.join(folder, name))).toBe(false)
  })

  it('asks the file system that it is given', async () => {
    const files = { ...diskFiles, stat: async () => ({ isFile: () => true, mtimeMs: 0, size: 0, ino: 0 }) }
    expect(await isFile(files, path.join(folder, 'b.png'))).toBe(true)
  })
})

describe('the disk', () => {
  it('lists a folder again when it has changed', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
    expect(await diskFiles.readdir(folder)).toEqual([])
    await writeFile(path.join(folder, 'a.png'), 'a')
    await utimes(folder, new Date(1000), new Date(1000))
    expect(await diskFiles.readdir(folder)).toEqual(['a.png'])
    expect((await diskFiles.readFile(path.join(folder, 'a.png'))).toString()).toBe('a')
    await rm(folder, { recursive: true, force: true })
  })
})
