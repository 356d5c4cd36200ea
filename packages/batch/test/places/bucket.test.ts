import { randomBytes } from 'node:crypto'
import { makeBucket, requireTool, startRadosgw } from '@pixpress/testkit'
import type { Radosgw } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBucketDestination, createBucketSource } from '../../src/places/bucket.ts'
import { createBucketRequests } from '../../src/places/bucket-requests.ts'
import type { AskBucket, BucketAccess } from '../../src/places/bucket-requests.ts'
import type { Destination, ListedImage, Source } from '../../src/places/contract.ts'
import { testDestination } from './destination-contract.ts'

const installed = requireTool('radosgw') !== undefined && requireTool('ceph-osd') !== undefined
const MOST = 1000
let gateway: Radosgw | undefined

beforeAll(async () => {
  if (!installed) return
  gateway = await startRadosgw()
  await makeBucket(gateway, 'pictures')
}, 120_000)
afterAll(() => gateway?.stop())

const access = (more: Partial<BucketAccess> = {}): BucketAccess => ({
  endpoint: gateway!.endpoint,
  region: 'us-east-1',
  accessKeyId: gateway!.accessKeyId,
  secretAccessKey: gateway!.secretAccessKey,
  sessionToken: undefined,
  ...more,
})
const ask = (bucket = 'pictures', more: Partial<BucketAccess> = {}): AskBucket =>
  createBucketRequests(access(more), bucket)
const anyPrefix = (): string => `${randomBytes(8).toString('hex')}/`
const destination = (prefix: string, requests = ask()): Destination =>
  createBucketDestination(requests, { bucket: 'pictures', prefix })
const source = (prefix: string, requests = ask()): Source =>
  createBucketSource(requests, { bucket: 'pictures', prefix }, (key) => key.endsWith('.png'))

async function listed(images: Source): Promise<ListedImage[]> {
  const found: ListedImage[] = []
  for await (const image of images.list()) found.push(image)
  return found
}

const png = (text: string): { bytes: Uint8Array; type: string } => ({ bytes: Buffer.from(text), type: 'image/png' })

describe.skipIf(!installed)('a bucket of a real S3 server', () => {
  testDestination(async () => destination(anyPrefix()))

  it('lists images below its prefix with their sizes and versions, over several pages', async () => {
    const prefix = anyPrefix()
    const keys = Array.from({ length: 1005 }, (_, index) => `a/${String(index).padStart(4, '0')} ü.png`)
    const waiting = keys.values()
    const put = async (): Promise<void> => {
      for (const key of waiting) await destination(prefix).create(key, png(key))
    }
    await Promise.all(Array.from({ length: 16 }, put))
    await destination(prefix).create('note.txt', png('1'))
    const images = await listed(source(prefix))
    expect(images.map(({ key }) => key)).toEqual(keys)
    expect(images[0]).toEqual({
      key: keys[0],
      size: Buffer.byteLength(keys[0]!),
      version: expect.any(String) as string,
    })
  })

  it('sees that an object was changed or removed since it was listed', async () => {
    const prefix = anyPrefix()
    for (const key of ['a.png', 'b.png']) await destination(prefix).create(key, png(key))
    const [same, changed] = await listed(source(prefix))
    await destination(prefix).replace('b.png', png('other'))
    expect(await source(prefix).read(same!, MOST)).toEqual({ bytes: Buffer.from('a.png'), version: same!.version })
    expect(await source(prefix).read(changed!, MOST)).toBe('changed')
    expect(await source(prefix).read({ key: 'c.png' }, MOST)).toBe('gone')
    await expect(source(prefix).read({ key: 'a.png' }, 3)).rejects.toMatchObject({ code: 'INPUT_TOO_LARGE' })
  })

  it.each([
    ['a missing bucket', () => ask('not-there'), /NoSuchBucket.*There is no such bucket\./],
    ['a wrong secret', () => ask('pictures', { secretAccessKey: 'wrong' }), /The secret access key is wrong\./],
  ])('says what is wrong for %s, without a credential', async (_, open, message) => {
    const requests = open()
    const failures = [
      destination('', requests).get('a'),
      destination('', requests).create('a', png('a')),
      source('', requests).read({ key: 'a.png' }, MOST),
      listed(source('', requests)),
    ].map((attempt) => attempt.catch((error: unknown) => error as Error))
    for (const error of await Promise.all(failures)) {
      expect(error).toMatchObject({ code: 'STORE_FAILED', message: expect.stringMatching(message) as string })
      expect(JSON.stringify([error, String(error)])).not.toContain(gateway!.secretAccessKey)
    }
  })
})
