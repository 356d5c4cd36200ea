import path from 'node:path'
import { failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { resolveImageStore } from '../../src/objects/image-store-options.ts'
import type { ImageStoreOptions } from '../../src/objects/image-store-options.ts'

const S3: ImageStoreOptions = {
  service: 's3',
  aws_access_key_id: 'AKIA',
  aws_secret_access_key: 'never shown',
  region: 'eu-central-1',
  path: 'bucket/static/',
}
const resolve = (options: object) => resolveImageStore({ ...S3, ...options } as ImageStoreOptions, path.resolve('site'))

describe('resolveImageStore', () => {
  it('has images kept for ever, unless told otherwise', () => {
    expect(resolve({})).toEqual({
      folder: { ...S3, path: 'bucket/static', headers: { 'Cache-Control': 'public, max-age=31536000, immutable' } },
      baseUrl: undefined,
      manifest: undefined,
    })
    const headers = { 'Cache-Control': 'no-cache' }
    expect(resolve({ headers }).folder.headers).toEqual(headers)
  })

  it('takes a bucket alone, a base address and a manifest', () => {
    expect(resolve({ path: 'bucket', baseUrl: 'https://cdn.example.com/i/', manifest: 'images.json' })).toMatchObject({
      folder: { path: 'bucket' },
      baseUrl: 'https://cdn.example.com/i',
      manifest: path.resolve('site', 'images.json'),
    })
  })

  it.each([
    [{ path: undefined }, 'store.path'],
    [{ path: 'Bucket' }, 'store.path'],
    [{ path: 'bucket/../other' }, 'store.path'],
    [{ service: 'ftp' }, 'store.service'],
    [{ region: '' }, 'store.region'],
    [{ aws_secret_access_key: '' }, 'store.aws_secret_access_key'],
    [{ regoin: 'x' }, "Did you mean 'region'"],
    [{ baseURL: 'https://cdn.example.com' }, "Did you mean 'baseUrl'"],
    [{ baseUrl: '/images' }, 'store.baseUrl'],
    [{ baseUrl: 'https://user:never-shown@cdn.example.com' }, 'store.baseUrl'],
    [{ manifest: '' }, 'store.manifest'],
  ])('refuses %j', (options, said) => {
    const attempt = (): unknown => resolve(options)
    expect(attempt).toThrow(said)
    expect(attempt).not.toThrow(/never.shown/)
    expect(attempt).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  })

  it('refuses what is no object', () => {
    expect(() => resolveImageStore('s3' as never, '')).toThrow(failure('INVALID_OPTION', "'store'"))
  })
})
