import { requireTool, startRadosgw, testObjectStore } from '@pixpress/testkit'
import type { Radosgw } from '@pixpress/testkit'
import { AwsClient } from 'aws4fetch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { store } from '../../src/objects/store.ts'
import type { S3StoreOptions } from '../../src/objects/s3.ts'

const installed = requireTool('radosgw') !== undefined && requireTool('ceph-osd') !== undefined
const BUCKET = 'pictures'
let gateway: Radosgw | undefined

const options = (path: string, more: Partial<S3StoreOptions> = {}): S3StoreOptions => ({
  service: 's3',
  aws_access_key_id: gateway!.accessKeyId,
  aws_secret_access_key: gateway!.secretAccessKey,
  region: 'us-east-1',
  endpoint: gateway!.endpoint,
  path,
  ...more,
})

beforeAll(async () => {
  if (!installed) return
  gateway = await startRadosgw()
  const { endpoint, accessKeyId, secretAccessKey } = gateway
  const client = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region: 'us-east-1' })
  const made = await client.fetch(`${endpoint}/${BUCKET}`, { method: 'PUT' })
  if (made.status !== 200) throw new Error(`The bucket could not be made: ${made.status} ${await made.text()}`)
}, 120_000)

afterAll(() => gateway?.stop())

describe.skipIf(!installed)('a real S3 server', () => {
  testObjectStore('Ceph RADOS Gateway', async () => {
    const wrongSecret = 'not-the-secret-of-this-key'
    return {
      options,
      bucket: BUCKET,
      missingBucket: 'not-there',
      wrong: [
        ['secret', { aws_secret_access_key: wrongSecret }, /SignatureDoesNotMatch.*The secret access key is wrong\./],
        ['key', { aws_access_key_id: 'AKIAWRONG000000WRONG' }, /InvalidAccessKeyId.*There is no such access key\./],
      ],
      secrets: [gateway!.secretAccessKey, wrongSecret],
      stop: async () => undefined,
    }
  })

  it.each([
    [undefined, 200],
    ['public-read', 200],
    ['private', 403],
    ['no-acl', 403],
  ])('with the acl %s answers strangers %d', async (acl, status) => {
    const image = { data: Buffer.from('x'), info: { type: 'image/png' } }
    const where = options(`${BUCKET}/acl-${acl}.png`, acl === undefined ? {} : { acl })
    const { location } = await store(image, where)
    expect((await fetch(location)).status).toBe(status)
  })

  it('refuses an acl that it does not know', async () => {
    const image = { data: Buffer.from('x'), info: { type: 'image/png' } }
    const refused = store(image, options(`${BUCKET}/a.png`, { acl: 'everyone' }))
    await expect(refused).rejects.toMatchObject({ code: 'STORE_FAILED', message: /400 InvalidArgument/ })
  })
})
