import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { isStored, store, storeLocation } from '../../src/objects/store.ts'
import type { StoreOptions } from '../../src/objects/index.ts'
import type { S3StoreOptions } from '../../src/objects/s3.ts'

const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const S3: S3StoreOptions = {
  service: 's3',
  aws_access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  aws_secret_access_key: SECRET,
  region: 'eu-west-1',
  path: 'pictures/a.png',
}
const GCS: StoreOptions = { service: 'gcs', gcp_access_token: SECRET, path: 'pictures/a.png' }
const image = { data: Buffer.from('bytes'), info: { type: 'image/png' } }

/** Answers requests in turn; keeps what came. */
function service(...answers: (Response | Error)[]): {
  fetch: (request: Request) => Promise<Response>
  seen: Request[]
} {
  const seen: Request[] = []
  return {
    seen,
    async fetch(request) {
      seen.push(request)
      const next = answers.shift() ?? new Response(null)
      if (next instanceof Error) throw next
      return next
    },
  }
}

const refused = (status: number, code: string, message = ''): Response =>
  new Response(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`, { status })

describe('addresses', () => {
  it('are of the path style, which is right for every bucket', () => {
    expect(storeLocation(S3)).toBe('https://s3.eu-west-1.amazonaws.com/pictures/a.png')
    expect(storeLocation({ ...S3, path: 'my.bucket/a b/ü.png' })).toBe(
      'https://s3.eu-west-1.amazonaws.com/my.bucket/a%20b/%C3%BC.png',
    )
    expect(storeLocation({ ...S3, endpoint: 'https://objects.example.com/base/' })).toBe(
      'https://objects.example.com/base/pictures/a.png',
    )
    expect(storeLocation(GCS)).toBe('https://storage.googleapis.com/pictures/a.png')
  })
})

describe('options', () => {
  it.each([
    [{ ...S3, service: 'azure' }, /'store\.service' but received 'azure'/],
    [{ ...S3, regoin: 'x' }, /Unknown option 'store\.regoin'\. Did you mean 'region'\?/],
    [{ ...GCS, acl: 'private' }, /Unknown option 'store\.acl'/],
    [{ ...S3, region: 'evil.example.com/' }, /Expected a region such as 'us-east-1'/],
    [{ ...S3, region: '' }, /Expected a text that is not empty for 'store\.region'/],
    [{ ...S3, aws_secret_access_key: 5 }, /for 'store\.aws_secret_access_key'\.$/],
    [{ ...S3, path: 'pictures' }, /with a file name at its end/],
    [{ ...S3, path: 'pictures/' }, /with a file name at its end/],
    [{ ...S3, path: '/a.png' }, /with a bucket of small letters/],
    [{ ...S3, path: 'Pictures/a.png' }, /with a bucket of small letters/],
    [{ ...S3, path: 'pictures/../a.png' }, /without segments '\.' or '\.\.'/],
    [{ ...S3, path: 'pictures/./a.png' }, /without segments/],
    [{ ...S3, path: 'pictures/a\n.png' }, /without control characters/],
    [{ ...S3, path: `pictures/${'a'.repeat(1025)}` }, /at most 1024 bytes/],
    [{ ...S3, headers: { 'Content-Type': 'text/html' } }, /no header but 'Cache-Control'/],
    [{ ...S3, headers: { 'Cache-Control': 'a\r\nX-Evil: 1' } }, /plain characters/],
    [{ ...S3, endpoint: 'ftp://example.com' }, /an http or https URL/],
    [{ ...S3, endpoint: `https://user:${SECRET}@example.com` }, /an http or https URL/],
  ])('%j are refused', async (options, message) => {
    const error: unknown = await store(image, options as StoreOptions).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'INVALID_OPTION', message })
    expect(String(error)).not.toContain(SECRET)
  })
})

describe('requests', () => {
  it('to S3 have their body signed, an ACL and what may be cached', async () => {
    const { fetch, seen } = service()
    await store(image, { ...S3, aws_session_token: 'session', headers: { 'Cache-Control': 'no-store' } }, { fetch })
    const [request] = seen
    expect([request!.method, request!.redirect]).toEqual(['PUT', 'manual'])
    expect(Object.fromEntries(request!.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'no-store',
      'x-amz-acl': 'public-read',
      'x-amz-security-token': 'session',
      // SHA-256 of `bytes`.
      'x-amz-content-sha256': '277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9',
    })
    expect(request!.headers.get('authorization')).toMatch(
      /Credential=AKIAIOSFODNN7EXAMPLE\/\d{8}\/eu-west-1\/s3\/aws4_request.*SignedHeaders=[^,]*x-amz-content-sha256/,
    )
    await store(image, { ...S3, acl: 'no-acl' }, { fetch })
    expect(seen[1]!.headers.has('x-amz-acl')).toBe(false)
  })

  it('are tried again where that may help, each signed anew, and no more than twice', async () => {
    const { fetch, seen } = service(refused(503, 'SlowDown'), new TypeError('fetch failed'))
    await store(image, S3, { fetch })
    expect(seen).toHaveLength(3)
    const stubborn = service(
      refused(500, 'InternalError'),
      refused(500, 'InternalError'),
      refused(500, 'InternalError'),
    )
    await expect(store(image, GCS, { fetch: stubborn.fetch })).rejects.toMatchObject({
      message: naming('500', 'InternalError'),
    })
    expect(stubborn.seen).toHaveLength(3)
  })

  it.each([
    [400, 'AccessControlListNotSupported', /give acl 'no-acl'/],
    [301, 'PermanentRedirect', /The region is not that of the bucket/],
    [400, 'AuthorizationHeaderMalformed', /The region is not that of the bucket/],
    [403, 'RequestTimeTooSkewed', /clock is wrong/],
    [400, 'ExpiredToken', /have expired/],
  ])('that are answered %d %s are not: the error says what to do', async (status, code, hint) => {
    const { fetch, seen } = service(refused(status, code, 'Said by the storage.'))
    const error: unknown = await store(image, S3, { fetch }).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'STORE_FAILED', message: hint })
    expect(String(error)).toEqual(naming(status, code))
    expect(seen).toHaveLength(1)
  })

  it('that reach nobody say so without what they held', async () => {
    const broken = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED', message: SECRET } })
    const { fetch } = service(broken, broken, broken)
    const error = (await store(image, S3, { fetch }).catch((caught: unknown) => caught)) as Error
    expect(error.message).toContain('ECONNREFUSED')
    expect(JSON.stringify(error) + String(error.stack) + String(error.cause)).not.toContain(SECRET)
  })

  it('for what is there need no right to list', async () => {
    expect(await isStored(S3, service(new Response(null, { status: 403 })))).toBe(false)
    expect(await isStored(GCS, service(new Response(null, { status: 404 })))).toBe(false)
    expect(await isStored(S3, service(new Response(null, { status: 200 })))).toBe(true)
    await expect(isStored(S3, service(new Response(null, { status: 400 })))).rejects.toMatchObject({
      code: 'STORE_FAILED',
    })
  })
})
