import { describe, expect, it } from 'vitest'
import { listedObjects, nextToken } from '../../src/places/bucket-listing.ts'

const PAGE = `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><EncodingType>url</EncodingType>
<NextContinuationToken>a&amp;b=</NextContinuationToken><IsTruncated>true</IsTruncated>
<Contents><Key>a+b%2B%C3%BC.jpg</Key><LastModified>2026-11-27T00:00:00.000Z</LastModified><ETag>&quot;0cc1&quot;</ETag><Size>12</Size></Contents>
<Contents>
  <Key>c.jpg</Key><ETag>"ab-2"</ETag><Size>0</Size>
</Contents></ListBucketResult>`

describe('a page of a listing', () => {
  it('gives the objects with their decoded keys', () => {
    expect(listedObjects(PAGE)).toEqual([
      { key: 'a b+ü.jpg', size: 12, version: '0cc1' },
      { key: 'c.jpg', size: 0, version: 'ab-2' },
    ])
  })

  it('says where the next one begins', () => {
    expect(nextToken(PAGE)).toBe('a&b=')
    expect(nextToken('<ListBucketResult></ListBucketResult>')).toBeUndefined()
  })
})
