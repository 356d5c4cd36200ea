import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeText } from '../../src/script/write-text.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-text-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('writeText', () => {
  it('replaces a file of the project', async () => {
    await writeFile(path.join(folder, 'a.js'), 'old')
    await writeText(folder, 'a.js', 'new')
    expect(await readFile(path.join(folder, 'a.js'), 'utf8')).toBe('new')
    expect(await readdir(folder)).toEqual(['a.js'])
  })

  it('names the file that cannot be written, and leaves nothing behind', async () => {
    await writeFile(path.join(folder, 'a'), '')
    await expect(writeText(folder, 'a/b.js', 'new')).rejects.toMatchObject({
      code: 'IO_FAILED',
      file: 'a/b.js',
      message: expect.stringContaining("'a/b.js'") as string,
    })
    expect(await readdir(folder)).toEqual(['a'])
  })
})
