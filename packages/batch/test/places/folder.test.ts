import { symlink, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { useTemporaryFolder, failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import type { ListedImage, Source } from '../../src/places/contract.ts'
import { createFolderDestination, createFolderSource } from '../../src/places/folder.ts'
import { testDestination } from './destination-contract.ts'

const folder = useTemporaryFolder()
const MOST = 1000

async function listed(source: Source): Promise<ListedImage[]> {
  const images: ListedImage[] = []
  for await (const image of source.list()) images.push(image)
  return images
}

describe('a folder of results', () => {
  testDestination(async () => createFolderDestination(path.join(folder.path, 'results')))

  it('leaves no temporary file behind', async () => {
    const destination = createFolderDestination(folder.path)
    await destination.create('a', { bytes: Buffer.from('1'), type: 'image/png' })
    await destination.create('a', { bytes: Buffer.from('2'), type: 'image/png' })
    expect(await folder.files()).toEqual(['a'])
  })

  it.each(['../a', 'a/../../b', '/a', 'a//b', 'a\\b', 'C:/a', './a'])("refuses the key '%s'", async (key) => {
    const destination = createFolderDestination(path.join(folder.path, 'results'))
    await expect(destination.create(key, { bytes: Buffer.from('1'), type: 'image/png' })).rejects.toThrow(
      failure('INVALID_OPTION', 'or dotted parts'),
    )
  })
})

const source = (): Source => createFolderSource(folder.path, (key) => key.endsWith('.png'))

describe('a folder of images', () => {
  it('lists images in the same order each time, without what belongs to programs', async () => {
    await folder.write({
      'b.png': '12',
      'a/z.png': '1',
      'a.txt': '1',
      'node_modules/c.png': '1',
      '.pixpress-batch/d.png': '1',
    })
    await symlink('../a', path.join(folder.path, 'a', 'loop'))
    const images = await listed(source())
    expect(images.map(({ key, size }) => [key, size])).toEqual([
      ['a/z.png', 1],
      ['b.png', 2],
    ])
    expect(await listed(source())).toEqual(images)
  })

  it('reads an image that is as it was listed', async () => {
    await folder.write({ 'a.png': 'bytes' })
    const [image] = await listed(source())
    expect(await source().read(image!, MOST)).toEqual({ bytes: Buffer.from('bytes'), version: image!.version })
  })

  it('sees that an image was changed or removed since it was listed', async () => {
    await folder.write({ 'a.png': 'bytes', 'b.png': 'bytes', 'c.png': 'bytes' })
    const [size, time, gone] = await listed(source())
    await writeFile(path.join(folder.path, 'a.png'), 'other bytes')
    await utimes(path.join(folder.path, 'b.png'), 1, 1)
    await folder.remove('c.png')
    const reads = [size, time, gone].map((image) => source().read(image!, MOST))
    expect(await Promise.all(reads)).toEqual(['changed', 'changed', 'gone'])
  })

  it('does not read an image with more bytes than the limit', async () => {
    await folder.write({ 'a.png': 'bytes' })
    const [image] = await listed(source())
    await expect(source().read(image!, 4)).rejects.toMatchObject({ code: 'INPUT_TOO_LARGE', file: 'a.png' })
  })
})
