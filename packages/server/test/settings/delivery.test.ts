import path from 'node:path'
import { DELIVERY_WIDTHS } from '@pixpress/client/delivery'
import { failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { resolveSettings } from '../../src/index.ts'
import type { GivenSettings } from '../../src/index.ts'

const key = 'k'.repeat(32)
const env = { PIXPRESS_S3_ACCESS_KEY_ID: 'id', PIXPRESS_S3_SECRET_ACCESS_KEY: 'hunter2' }
const delivery = (given: GivenSettings) => resolveSettings({ 'delivery-key': key, ...given }, env).delivery!

describe('the settings of the delivery', () => {
  it('are none without a key', () => {
    expect(resolveSettings().delivery).toBeUndefined()
  })

  it('have defaults: a day, 5 GB, and the widths of the usual components', () => {
    const { keys, sources, presets, widths, maxAge, cacheSize } = delivery({})
    expect([keys, sources.size, presets.size, maxAge, cacheSize]).toEqual([[key], 0, 0, 86_400_000, 5e9])
    // Clients that are told nothing else fill in these.
    expect([...widths]).toEqual(DELIVERY_WIDTHS)
  })

  it('take several keys, sources and presets, whose values may hold commas', () => {
    const settings = delivery({
      'delivery-key': `${key}, ${'n'.repeat(40)}`,
      'delivery-source':
        'photos=./originals, shop=https://shop.example.com/media,s3=s3:https://s3.example.com/bucket/a/b',
      'delivery-preset': 'thumb=w=200;position=0.3,0.6,hero=w=*;format=avif,webp, plain=-',
    })
    expect(settings.keys).toEqual([key, 'n'.repeat(40)])
    expect(Object.fromEntries(settings.sources)).toEqual({
      photos: { kind: 'folder', folder: path.resolve('originals') },
      shop: { kind: 'http', base: 'https://shop.example.com/media/' },
      s3: {
        kind: 'bucket',
        bucket: {
          endpoint: 'https://s3.example.com',
          bucket: 'bucket',
          region: 'us-east-1',
          accessKeyId: 'id',
          secretAccessKey: 'hunter2',
        },
        prefix: 'a/b/',
      },
    })
    expect(Object.fromEntries(settings.presets)).toEqual({
      thumb: 'w=200;position=0.3,0.6',
      hero: 'w=*;format=avif,webp',
      plain: '-',
    })
  })

  it.each<[GivenSettings, RegExp]>([
    [{ 'delivery-key': 'short' }, /^Expected at least 32 characters .* for each key of '--delivery-key'\.$/],
    [{ 'delivery-key': `${key},short` }, /at least 32 characters/],
    [{ 'delivery-source': 'photos' }, /^Expected NAME=VALUE in '--delivery-source'/],
    [{ 'delivery-source': 'output=/a' }, /^The name 'output' in '--delivery-source' has a meaning of its own\.$/],
    [{ 'delivery-source': 'a=/a,a=/b' }, /^'--delivery-source' has 'a' twice\.$/],
    [{ 'delivery-source': 'a=ftp://example.com' }, /^Expected a folder, an http or https URL/],
    [{ 'delivery-source': 'a=https://user:hunter2@example.com' }, /without credentials/],
    [{ 'delivery-source': 'a=https://example.com?x=1' }, /and query/],
    [{ 'delivery-source': 'a=s3:https://s3.example.com' }, /a bucket such as/],
    [{ 'delivery-source': 'a=s3:http://s3.example.com/bucket' }, /a bucket such as/],
    [{ 'delivery-widths': '320,wide' }, /'--delivery-widths'.*'wide'/],
  ])('refuse %j in a sentence that shows no secret', (given, message) => {
    expect(() => delivery(given)).toThrow(message)
    expect(() => delivery(given)).not.toThrow(/hunter2/)
  })

  it('need the key for the others, and credentials for a bucket', () => {
    expect(() => resolveSettings({ 'delivery-widths': '320' })).toThrow(
      failure('INVALID_OPTION', "'--delivery-widths'", "'--delivery-key'"),
    )
    const bucket = { 'delivery-key': key, 'delivery-source': 'a=s3:https://s3.example.com/bucket' }
    expect(() => resolveSettings(bucket)).toThrow(/needs PIXPRESS_S3_ACCESS_KEY_ID and PIXPRESS_S3_SECRET_ACCESS_KEY/)
  })
})
