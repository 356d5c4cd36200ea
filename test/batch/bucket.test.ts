import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { isStored, store } from '@pixpress/core'
import { makeBucket, photo, requireTool, startRadosgw } from '@pixpress/testkit'
import type { Radosgw } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from './command.ts'

const installed = requireTool('radosgw') !== undefined && requireTool('ceph-osd') !== undefined
const IMAGES = 12

/** The status of a batch without the time of its latest listing. */
const withoutTime = (text: string): object => ({ ...(JSON.parse(text) as object), listed: undefined })

describe.skipIf(!installed)('a batch from one bucket to another', () => {
  let gateway: Radosgw
  let folder: string
  let env: Readonly<Record<string, string>>
  beforeAll(async () => {
    gateway = await startRadosgw()
    folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-batch-'))
    const { endpoint, accessKeyId, secretAccessKey } = gateway
    env = {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_ENDPOINT_URL_S3: endpoint,
      XDG_CACHE_HOME: path.join(folder, 'cache'),
    }
    for (const name of ['sources', 'results']) await makeBucket(gateway, name)
    for (let seed = 1; seed <= IMAGES; seed++) await put(`photos/${seed}.jpg`, seed)
  })
  afterAll(async () => {
    await gateway?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Where an object is, for the client of the stores. */
  const objectAt = (place: string): Parameters<typeof store>[1] => ({
    service: 's3',
    region: 'us-east-1',
    endpoint: gateway.endpoint,
    aws_access_key_id: gateway.accessKeyId,
    aws_secret_access_key: gateway.secretAccessKey,
    path: place,
  })

  async function put(key: string, seed: number): Promise<void> {
    const data = await photo(24, 16, seed).jpeg(90)
    await store({ data, info: { type: 'image/jpeg' } }, objectAt(`sources/${key}`))
  }

  const batch = (...args: string[]): ReturnType<typeof runCommand> =>
    runCommand(['batch', '--from', 's3://sources/photos', '--to', 's3://results/small', ...args], folder, env)

  it('estimates what it takes, and counts the requests', async () => {
    const { code, stdout } = await batch('--dry-run', '--json', '--sample', '3')
    expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({
      code: 0,
      images: IMAGES,
      sample: 3,
      // One for each result, two for the chunk, and one for the listing.
      requests: { writes: IMAGES + 3, reads: IMAGES + 2 },
    })
  })

  it('writes every result once, and sees what has changed since', async () => {
    const first = await batch('--convert', 'webp', '--json')
    expect({ code: first.code, ...(JSON.parse(first.stdout) as object) }).toMatchObject({
      code: 0,
      images: { all: IMAGES, done: IMAGES, written: IMAGES, failed: 0 },
    })
    expect(await isStored(objectAt('results/small/1.webp'))).toBe(true)
    const again = await batch('--convert', 'webp', '--json')
    expect(withoutTime(again.stdout)).toEqual(withoutTime(first.stdout))

    await put('photos/1.jpg', 100)
    const changed = await batch('--convert', 'webp', '--json')
    expect({ code: changed.code, ...(JSON.parse(changed.stdout) as object) }).toMatchObject({
      code: 1,
      images: { all: IMAGES, present: IMAGES - 1, failed: 1 },
      failures: [{ key: '1.jpg', code: 'IO_FAILED' }],
    })
    expect(JSON.stringify([first, again, changed])).not.toContain(gateway.secretAccessKey)
  })
})
