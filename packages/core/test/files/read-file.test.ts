import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lookAtFile, readBytes, readWholeFile } from '../../src/files/read-file.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

it.each([0, 1, 256 * 1024, 256 * 1024 + 1, 1_000_000])('reads %d bytes as they are', async (size) => {
  const file = path.join(folder, `${size}.bin`)
  const data = randomBytes(size)
  await writeFile(file, data)
  const { bytes, modified } = await readWholeFile(file)
  expect(bytes.equals(data)).toBe(true)
  expect(modified).toBe((await stat(file)).mtimeMs)
  expect(await lookAtFile(file, (seen) => seen.equals(data))).toBe(true)
  const alone = await readBytes(file)
  // They are not where the next file is read to.
  await readBytes(path.join(folder, '0.bin'))
  expect(alone.equals(data)).toBe(true)
})

it('fails as the file system does, and leaves nothing open', async () => {
  await expect(readWholeFile(path.join(folder, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(readWholeFile(folder)).rejects.toMatchObject({ code: 'EISDIR' })
  expect(() => lookAtFile(path.join(folder, 'missing'), () => true)).toThrow(
    expect.objectContaining({ code: 'ENOENT' }),
  )
  expect(() => lookAtFile(folder, () => true)).toThrow(expect.objectContaining({ code: 'EISDIR' }))
})

it('shows several large files at once, each with its own bytes', async () => {
  const files = await Promise.all(
    [1, 2, 3].map(async (number) => {
      const file = path.join(folder, `large-${number}.bin`)
      await writeFile(file, Buffer.alloc(300_000 + number, number))
      return { file, number }
    }),
  )
  const seen = files.map(({ file, number }) =>
    lookAtFile(file, (bytes) => bytes.equals(Buffer.alloc(300_000 + number, number))),
  )
  expect(await Promise.all(seen)).toEqual([true, true, true])
})
