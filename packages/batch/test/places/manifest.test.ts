import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { useTemporaryFolder, failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import type { ListedImage, Source } from '../../src/places/contract.ts'
import { createManifestSource } from '../../src/places/manifest.ts'
import type { ReadByUrl } from '../../src/places/manifest.ts'

const folder = useTemporaryFolder()
const MOST = 1000

async function open(text: string, readS3: ReadByUrl = unread): Promise<Source> {
  await folder.write({ 'lists/images.txt': text })
  return createManifestSource(path.join(folder.path, 'lists', 'images.txt'), readS3)
}

const unread = async (): Promise<never> => {
  throw new Error('No bucket is to be read.')
}

async function listed(source: Source): Promise<ListedImage[]> {
  const images: ListedImage[] = []
  for await (const image of source.list()) images.push(image)
  return images
}

describe('a list of images', () => {
  it('takes paths, URLs and lines of JSON', async () => {
    const source = await open(
      [
        'a/b.jpg',
        '',
        './c.jpg\r',
        's3://shop/d e.jpg',
        'https://example.com/f%20g.jpg?size=2',
        '{"source":"/photos/h.jpg","key":"h.jpg","size":3,"version":"v1"}',
      ].join('\n'),
    )
    expect(await listed(source)).toEqual([
      { key: 'a/b.jpg', source: 'a/b.jpg' },
      { key: 'c.jpg', source: './c.jpg' },
      { key: 'shop/d e.jpg', source: 's3://shop/d e.jpg' },
      { key: 'example.com/f g.jpg', source: 'https://example.com/f%20g.jpg?size=2' },
      { key: 'h.jpg', source: '/photos/h.jpg', size: 3, version: 'v1' },
    ])
  })

  it.each([
    ['{"source":1}', "a text for 'source'"],
    ['{"source":"a","key":""}', "a text for 'key'"],
    ['{"source":"a","size":-1}', "a whole number of bytes for 'size'"],
    ['{"source":"a","etag":"1"}', "no other members than source, key, size, version, and not 'etag'"],
    ['{"source"', 'a line of JSON'],
  ])('refuses the line %s, and says where it is', async (line, expected) => {
    const source = await open(`a.jpg\n${line}\n`)
    await expect(listed(source)).rejects.toThrow(`images.txt:2: expected ${expected}.`)
  })

  it('says that it cannot be read', async () => {
    const source = createManifestSource(path.join(folder.path, 'none.txt'), unread)
    await expect(listed(source)).rejects.toThrow(failure('UsageError', 'none.txt', "'--from'", 'ENOENT'))
  })

  it('reads files relative to itself, and objects by their URLs', async () => {
    const asked: string[] = []
    const source = await open('', async (url) => {
      asked.push(url)
      return 'gone'
    })
    await folder.write({ 'lists/a.jpg': 'bytes' })
    expect(await source.read({ key: 'a.jpg', source: 'a.jpg' }, MOST)).toMatchObject({ bytes: Buffer.from('bytes') })
    expect(await source.read({ key: 'b.jpg', source: 's3://shop/b.jpg' }, MOST)).toBe('gone')
    expect(asked).toEqual(['s3://shop/b.jpg'])
  })

  it('fetches URLs, once more where a server is busy, and sees another version', async () => {
    let asked = 0
    const server = http.createServer((request, response) => {
      if (request.url === '/busy.jpg' && asked++ === 0) return response.writeHead(503).end()
      if (request.url === '/none.jpg') return response.writeHead(404).end()
      if (request.url === '/no.jpg') return response.writeHead(403).end()
      return response.writeHead(200, { ETag: '"v1"' }).end('bytes')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const source = await open('')
    const read = (name: string, more: Partial<ListedImage> = {}, most = MOST): ReturnType<Source['read']> =>
      source.read({ key: name, source: `${base}/${name}`, ...more }, most)
    try {
      expect(await read('busy.jpg')).toEqual({ bytes: Buffer.from('bytes'), version: 'v1' })
      expect(await read('none.jpg')).toBe('gone')
      expect(await read('a.jpg', { version: 'v0' })).toBe('changed')
      await expect(read('a.jpg', {}, 4)).rejects.toMatchObject({ code: 'INPUT_TOO_LARGE' })
      await expect(read('no.jpg')).rejects.toThrow(failure('IO_FAILED', '403'))
    } finally {
      server.close()
    }
  })
})
