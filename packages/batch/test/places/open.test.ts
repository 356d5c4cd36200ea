import { useTemporaryFolder, failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { readAccess } from '../../src/places/access.ts'
import { openDestination, openBatchSource, parseBucket } from '../../src/places/open.ts'
import type { PlaceOptions } from '../../src/places/open.ts'

const folder = useTemporaryFolder()

const options = (env: Readonly<Record<string, string>> = {}): PlaceOptions => ({
  cwd: folder.path,
  access: () => readAccess({ endpoint: undefined, region: undefined }, env),
})

const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'very secret' }

describe('parseBucket', () => {
  it.each([
    ['s3://shop', { bucket: 'shop', prefix: '' }],
    ['s3://shop/', { bucket: 'shop', prefix: '' }],
    ['s3://shop/a/b', { bucket: 'shop', prefix: 'a/b/' }],
    ['s3://shop/a/b/', { bucket: 'shop', prefix: 'a/b/' }],
    ['photos/2026', undefined],
  ])('reads %s', (text, place) => {
    expect(parseBucket(text, '--from')).toEqual(place)
  })

  it.each(['s3://', 's3://A', 'gs://shop/a', 's3://shop/../a', 'https://shop/a'])('refuses %s', (text) => {
    expect(() => parseBucket(text, '--to')).toThrow(failure('UsageError', 's3://bucket/folder', "'--to'", `'${text}'`))
  })
})

describe('places', () => {
  it('are named with their whole paths, and without credentials', async () => {
    await folder.write({ 'images/a.png': '1', 'list.txt': '' })
    const sources = ['images', 'list.txt', 's3://shop/a'].map((from) =>
      openBatchSource(from, options(KEYS), () => true),
    )
    expect(sources.map(({ name }) => name)).toEqual([
      `${folder.path}/images`,
      `${folder.path}/list.txt`,
      's3://shop/a/',
    ])
    expect(openDestination('s3://shop/b', options(KEYS)).name).toBe('s3://shop/b/')
  })

  it('are refused where there is nothing, or something else', async () => {
    await folder.write({ 'list.txt': '' })
    expect(() => openBatchSource('none', options(), () => true)).toThrow(failure('UsageError', "'--from'", "'none'"))
    expect(() => openDestination('list.txt', options())).toThrow(failure('UsageError', "'list.txt'"))
    expect(() => openBatchSource('s3://shop', options(), () => true)).toThrow('set AWS_ACCESS_KEY_ID and')
  })
})

const refused = (flags: object): unknown => {
  try {
    return readAccess({ endpoint: undefined, region: undefined, ...flags }, KEYS)
  } catch (error) {
    return (error as Error).message
  }
}

describe('readAccess', () => {
  it('takes the variables of the tools of AWS, and flags before them', () => {
    const env = { ...KEYS, AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL: 'http://a/', AWS_ENDPOINT_URL_S3: 'http://b/' }
    expect(readAccess({ endpoint: undefined, region: undefined }, env)).toEqual({
      endpoint: 'http://b',
      region: 'eu-west-1',
      accessKeyId: 'id',
      secretAccessKey: 'very secret',
      sessionToken: undefined,
    })
    expect(readAccess({ endpoint: 'https://c', region: 'auto' }, env)).toMatchObject({
      endpoint: 'https://c',
      region: 'auto',
    })
  })

  it('refuses others without showing them', () => {
    expect(refused({ endpoint: 'http://user:password@host' })).not.toMatch(/password@/)
    expect(refused({ endpoint: 'http://user:password@host' })).toContain('or https URL')
    expect(refused({ region: 'a/b' })).toMatch(/^Expected a region/)
  })
})
