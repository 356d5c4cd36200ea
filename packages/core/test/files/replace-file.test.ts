import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { replaceFile } from '../../src/files/replace-file.ts'

let root: string
let file: string

beforeEach(async () => {
  root = await fs.mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
  file = path.join(root, 'folder', 'file')
})

afterEach(async () => {
  vi.restoreAllMocks()
  await fs.rm(root, { recursive: true, force: true })
})

/** Only Windows refuses to rename over a file that is open elsewhere; everything but the refusal is real here. */
function refuseRenames(times: number, code: string): void {
  const rename = vi.spyOn(fs, 'rename')
  for (let time = 0; time < times; time++) {
    rename.mockRejectedValueOnce(Object.assign(new Error(`${code}: refused, rename`), { code }))
  }
}

const folderNames = (): Promise<string[]> => fs.readdir(path.dirname(file))
const never = async (): Promise<boolean> => false

describe('replaceFile', () => {
  it('makes the folder and leaves nothing but the file', async () => {
    await replaceFile(file, Buffer.from('one'), { isAlreadyRight: never })
    await replaceFile(file, Buffer.from('2'), { isAlreadyRight: never })
    expect(await fs.readFile(file, 'utf8')).toBe('2')
    expect(await folderNames()).toEqual(['file'])
  })

  it('makes the folder again when it was removed meanwhile', async () => {
    await replaceFile(file, Buffer.from('one'), { isAlreadyRight: never })
    await fs.rm(path.dirname(file), { recursive: true })
    await replaceFile(file, Buffer.from('two'), { isAlreadyRight: never })
    expect(await fs.readFile(file, 'utf8')).toBe('two')
  })

  it.each(['EPERM', 'EACCES', 'EBUSY'])('waits for another process to let go of the file (%s)', async (code) => {
    refuseRenames(2, code)
    await replaceFile(file, Buffer.from('one'), { isAlreadyRight: never })
    expect(await fs.readFile(file, 'utf8')).toBe('one')
    expect(await folderNames()).toEqual(['file'])
  })

  it('is content with what another process wrote', async () => {
    await replaceFile(file, Buffer.from('theirs'), { isAlreadyRight: never })
    refuseRenames(1, 'EPERM')
    await replaceFile(file, Buffer.from('ours'), { isAlreadyRight: async () => true })
    expect(await fs.readFile(file, 'utf8')).toBe('theirs')
    expect(await folderNames()).toEqual(['file'])
  })

  it('gives up in the end, with the error and without leftovers', async () => {
    await replaceFile(file, Buffer.from('theirs'), { isAlreadyRight: never })
    refuseRenames(10, 'EBUSY')
    await expect(replaceFile(file, Buffer.from('ours'), { isAlreadyRight: never })).rejects.toMatchObject({
      code: 'EBUSY',
    })
    expect(await fs.readFile(file, 'utf8')).toBe('theirs')
    expect(await folderNames()).toEqual(['file'])
  })

  it.skipIf(process.platform === 'win32')('gives the file the mode that is asked for, whatever the mask', async () => {
    const mask = process.umask(0o077)
    try {
      await replaceFile(file, 'text', { mode: 0o664, durable: true })
    } finally {
      process.umask(mask)
    }
    expect((await fs.stat(file)).mode & 0o777).toBe(0o664)
    expect(await fs.readFile(file, 'utf8')).toBe('text')
  })

  it('has a durable file on the disk before the file gets its name', async () => {
    const probe = await fs.open(path.join(root, 'probe'), 'w')
    const handles = Object.getPrototypeOf(probe) as typeof probe
    await probe.close()
    const sync = vi.spyOn(handles, 'sync')
    const rename = vi.spyOn(fs, 'rename')
    await replaceFile(file, 'text', { durable: true })
    expect([sync.mock.calls.length, rename.mock.calls.length]).toEqual([1, 1])
    expect(sync.mock.invocationCallOrder[0]).toBeLessThan(rename.mock.invocationCallOrder[0]!)
  })

  it('rejects at once when a folder is in the place of the file', async () => {
    await fs.mkdir(path.join(file, 'inside'), { recursive: true })
    await expect(replaceFile(file, Buffer.from('ours'), { isAlreadyRight: never })).rejects.toThrow(
      /EISDIR|ENOTEMPTY|EEXIST|EPERM/,
    )
    expect(await folderNames()).toEqual(['file'])
  })
})
