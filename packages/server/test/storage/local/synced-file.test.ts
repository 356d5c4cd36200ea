import { randomFillSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { writeSynced } from '../../../src/storage/local/synced-file.ts'
import { allocatePages } from '../../../src/http/page-memory.ts'

const SIZES = [300_000, 4096, 4097, 1, 0]

/** A file system without disk, where Linux has it. */
const MEMORY = '/dev/shm'

const folders: string[] = []

async function folderIn(parent: string): Promise<string> {
  const folder = await mkdtemp(path.join(parent, 'pixpress-synced-'))
  folders.push(folder)
  return folder
}

afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

function inPages(size: number): Uint8Array {
  const place = new Uint8Array(allocatePages(500_000)!)
  randomFillSync(place)
  return place.subarray(0, size)
}

describe.each([os.tmpdir(), ...(existsSync(MEMORY) ? [MEMORY] : [])])('writeSynced', (parent) => {
  let folder: string
  beforeEach(async () => {
    folder = await folderIn(parent)
  })

  it.each(SIZES)('writes all bytes and no more, from whatever memory (%i bytes)', async (size) => {
    const bytes = inPages(size)
    const content = Buffer.from(bytes)
    await writeSynced(path.join(folder, 'pages'), bytes)
    await writeSynced(path.join(folder, 'buffer'), content)
    for (const name of ['pages', 'buffer']) {
      expect(Buffer.compare(await readFile(path.join(folder, name)), content)).toBe(0)
      expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o600)
    }
  })

  it('writes as ever where bytes cannot go past the page cache', async () => {
    const probe = await open(path.join(folder, 'probe'), 'w')
    const prototype = Object.getPrototypeOf(probe) as typeof probe
    await probe.close()
    const { writeFile } = prototype
    let refused = 0
    vi.spyOn(prototype, 'writeFile').mockImplementation(async function (this: typeof probe, data) {
      if (refused++ === 0) throw Object.assign(new Error('EINVAL: invalid argument, write'), { code: 'EINVAL' })
      return writeFile.call(this, data)
    })
    const bytes = inPages(300_000)
    await writeSynced(path.join(folder, 'pages'), bytes)
    expect(Buffer.compare(await readFile(path.join(folder, 'pages')), bytes)).toBe(0)
    expect(refused).toBe(process.platform === 'linux' ? 2 : 1)
  })

  it('never writes over a file', async () => {
    await writeSynced(path.join(folder, 'pages'), inPages(4096))
    await expect(writeSynced(path.join(folder, 'pages'), inPages(4096))).rejects.toMatchObject({ code: 'EEXIST' })
  })
})
