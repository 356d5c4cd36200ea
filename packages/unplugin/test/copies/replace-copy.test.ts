import { chmod, link, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { replaceCopy } from '../../src/copies/replace-copy.ts'

describe('a copy', () => {
  let folder: string
  let copy: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-replace-copy-'))
    copy = path.join(folder, 'copy.png')
    await writeFile(copy, 'former contents')
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it.each([
    ['small', 'contents'],
    ['large', 'x'.repeat(300_000)],
  ])('gets %s contents, and nothing is left of the former', async (_, contents) => {
    await writeFile(copy, `${contents} and more`)
    await replaceCopy(copy, Buffer.from(contents))
    expect(await readFile(copy, 'utf8')).toBe(contents)
    expect(await readdir(folder)).toEqual(['copy.png'])
  })

  it.skipIf(process.platform === 'win32')('is written over where it lies', async () => {
    const { ino } = await stat(copy)
    await replaceCopy(copy, Buffer.from('contents'))
    expect((await stat(copy)).ino).toBe(ino)
  })

  it.skipIf(process.platform === 'win32').each([
    ['a link', (source: string) => symlink(source, copy)],
    ['a second name', (source: string) => link(source, copy)],
  ])('that is %s of a source is replaced by a file, and the source stays', async (_, make) => {
    const source = path.join(folder, 'source.png')
    await writeFile(source, 'former contents')
    await rm(copy)
    await make(source)
    await replaceCopy(copy, Buffer.from('contents'))
    expect([await readFile(source, 'utf8'), await readFile(copy, 'utf8')]).toEqual(['former contents', 'contents'])
  })

  it.skipIf(process.platform === 'win32')('that may not be written to is replaced by one that may', async () => {
    await chmod(copy, 0o444)
    await replaceCopy(copy, Buffer.from('contents'))
    expect(await readFile(copy, 'utf8')).toBe('contents')
    expect((await stat(copy)).mode & 0o200).toBe(0o200)
  })
})
