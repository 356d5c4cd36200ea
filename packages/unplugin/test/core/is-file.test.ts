import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isFile } from '../../src/core/is-file.ts'

describe('isFile', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
    await writeFile(path.join(folder, 'a.png'), 'a')
  })

  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('knows a file', async () => {
    expect(await isFile(path.join(folder, 'a.png'))).toBe(true)
  })

  it.each([
    ['a folder', ''],
    ['what is not there', 'b.png'],
    ['what would lie in a file', 'a.png/b.png'],
    ['a name that no file can have', 'a.png\0'],
    ['a name that is too long', 'a'.repeat(5000)],
  ])('is false for %s', async (_, name) => {
    expect(await isFile(path.join(folder, name))).toBe(false)
  })
})
