import { makeBucket, requireTool, startRadosgw } from '@pixpress/testkit'
import type { Radosgw } from '@pixpress/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createRemoteCache } from '../../../src/cache/remote/remote-cache.ts'
import type { RemoteCache } from '../../../src/cache/remote/remote-cache.ts'
import { createEntrySigner } from '../../../src/cache/remote/signature.ts'
import { createS3Objects } from '../../../src/cache/remote/s3-objects.ts'
import type { S3CacheRemote } from '../../../src/cache/remote/options.ts'

const installed = requireTool('radosgw') !== undefined && requireTool('ceph-osd') !== undefined
const SIGNING_KEY = 'a signing key of more than thirty-two characters'
const ENTRY = { meta: { info: 1 }, data: new Uint8Array([1, 2, 3]) }
const signer = createEntrySigner(SIGNING_KEY)
const keyOf = (index: number): string => index.toString(16).padStart(64, '0')
const signal = new AbortController().signal

let gateway: Radosgw | undefined
beforeAll(async () => {
  if (!installed) return
  gateway = await startRadosgw()
  await makeBucket(gateway, 'results')
}, 120_000)
afterAll(() => gateway?.stop())

const options = (folder: string, more: Partial<S3CacheRemote> = {}): S3CacheRemote => ({
  service: 's3',
  path: `results/${folder}`,
  region: 'us-east-1',
  endpoint: gateway!.endpoint,
  aws_access_key_id: gateway!.accessKeyId,
  aws_secret_access_key: gateway!.secretAccessKey,
  ...more,
})
const open = (folder: string, more: Partial<S3CacheRemote> = {}): RemoteCache =>
  createRemoteCache({ ...options(folder, more), signingKey: SIGNING_KEY })

describe.skipIf(!installed)('a bucket of a real S3 server', () => {
  it('keeps entries for other machines', async () => {
    const one = open('kept/deep')
    expect(await one.get(keyOf(1), signal)).toEqual({ value: 'absent' })
    expect(await one.create(keyOf(1), ENTRY, signal)).toEqual({ value: 'created' })
    expect(await open('kept/deep').get(keyOf(1), signal)).toEqual({ value: { entry: ENTRY } })
  })

  it('creates and never replaces', async () => {
    const objects = createS3Objects(options('created'))
    expect(await objects.create('name', Buffer.from('first'), signal)).toEqual({ value: 'created' })
    expect(await objects.create('name', Buffer.from('second'), signal)).toEqual({ value: 'present' })
    expect(await objects.get('name', signal)).toEqual({ value: Buffer.from('first') })
    const both = ['third', 'fourth'].map((text) => objects.create('other', Buffer.from(text), signal))
    expect((await Promise.all(both)).map((outcome) => 'value' in outcome && outcome.value).sort()).toEqual([
      'created',
      'present',
    ])
  })

  it('sends nothing that is there already', async () => {
    await open('present').create(keyOf(1), ENTRY, signal)
    expect(await open('present').create(keyOf(1), ENTRY, signal)).toEqual({ value: 'present' })
  })

  it.each([
    ['altered', (sealed: Uint8Array) => Buffer.concat([sealed.subarray(0, -1), Buffer.from([9])])],
    ['truncated', (sealed: Uint8Array) => sealed.subarray(0, -1)],
    ['empty', () => new Uint8Array()],
    ['of another key', () => signer.seal(keyOf(2), ENTRY)],
  ])('never gives out an entry that is %s', async (name, spoil) => {
    const folder = `spoilt-${name.replaceAll(' ', '-')}`
    const objects = createS3Objects(options(folder))
    await objects.create(`${signer.id}/${keyOf(1)}`, spoil(signer.seal(keyOf(1), ENTRY)), signal)
    expect(await open(folder).get(keyOf(1), signal)).toEqual({ value: 'refused' })
  })

  it('lists what the signing key has made, in pages', async () => {
    const cache = open('listed')
    const keys = Array.from({ length: 1003 }, (_, index) => keyOf(index))
    const objects = createS3Objects(options('listed'))
    for (let at = 0; at < keys.length; at += 50) {
      await Promise.all(
        keys.slice(at, at + 50).map((key) => objects.create(`${signer.id}/${key}`, Buffer.from('x'), signal)),
      )
    }
    await objects.create(`0123456789abcdef/${keyOf(5000)}`, Buffer.from('x'), signal)
    const found: string[] = []
    let pages = 0
    for (let from: string | undefined; pages === 0 || from !== undefined; pages++) {
      const page = await cache.list(from, signal)
      if ('failure' in page) throw page.failure
      found.push(...page.value.keys)
      from = page.value.next
    }
    expect(pages).toBe(2)
    expect(found.sort()).toEqual(keys)
  })

  it.each([
    ['secret', { aws_secret_access_key: 'not-the-secret-of-this-key' }],
    ['key', { aws_access_key_id: 'AKIAWRONG000000WRONG' }],
    ['bucket', { path: 'not-there' }],
  ])('fails for a wrong %s, and shows no credential', async (_, more) => {
    const cache = open('wrong', more)
    for (const outcome of [
      await cache.get(keyOf(1), signal),
      await cache.create(keyOf(1), ENTRY, signal),
      await cache.list(undefined, signal),
    ]) {
      expect(outcome).toMatchObject({ failure: { code: 'REMOTE_UNAVAILABLE' }, passing: false })
      const shown = JSON.stringify(outcome) + String((outcome as { failure: Error }).failure)
      expect(shown).not.toContain(gateway!.secretAccessKey)
      expect(shown).not.toContain('not-the-secret')
      expect(shown).not.toContain(SIGNING_KEY)
    }
  })
})

describe.skipIf(!installed)('a bucket of a server that is stopped', () => {
  afterEach(() => gateway!.resume())

  it('does not answer, until the request is ended', async () => {
    const cache = open('stopped')
    gateway!.pause()
    const outcome = await cache.get(keyOf(1), AbortSignal.timeout(300))
    expect(outcome).toMatchObject({ failure: { code: 'REMOTE_UNAVAILABLE' } })
    expect(String((outcome as { failure: Error }).failure)).toContain('too long')
  })
})
