import { mkdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { useTemporaryFolder } from '@pixpress/testkit'
import { expect, it } from 'vitest'
import { readFromFolder } from '../../src/delivery/folder-reader.ts'
import { createUploadMemory } from '../../src/http/upload-memory.ts'

const folder = useTemporaryFolder()

async function read(name: string): Promise<string | undefined> {
  const memory = createUploadMemory(1000, 1).open('shop')
  const data = await readFromFolder(path.join(folder.path, 'photos'), [name], { maxBytes: 100, memory })
  return data && Buffer.from(data).toString()
}

it('follows links inside the folder alone', async () => {
  await folder.write({ 'photos/a.jpg': 'A', 'photos-private/b.jpg': 'B', 'c.jpg': 'C' })
  const link = (target: string, name: string) => symlink(target, path.join(folder.path, 'photos', name))
  await link('a.jpg', 'inside.jpg')
  await link('../photos-private/b.jpg', 'alike.jpg')
  await link('../c.jpg', 'above.jpg')
  const names = ['a.jpg', 'inside.jpg', 'alike.jpg', 'above.jpg', 'none.jpg']
  expect(await Promise.all(names.map(read))).toEqual(['A', 'A', undefined, undefined, undefined])
})

it('leaves out folders and names with a dot', async () => {
  await folder.write({ 'photos/.a.jpg': 'A' })
  await mkdir(path.join(folder.path, 'photos', 'deep'))
  expect(await Promise.all(['.a.jpg', 'deep'].map(read))).toEqual([undefined, undefined])
})
