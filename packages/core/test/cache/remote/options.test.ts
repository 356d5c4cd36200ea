import { describe, expect, it } from 'vitest'
import { cacheModeOf } from '../../../src/cache/mode.ts'
import { CACHE_REMOTE, resolveCacheRemote } from '../../../src/cache/remote/options.ts'
import { createOptimizer } from '../../../src/optimizer/index.ts'

const SIGNING_KEY = 'd0e6f1c2b3a4958677685a4b3c2d1e0f'
const SECRET = 'a-secret-that-nobody-may-see'
const HTTP = { service: 'http', endpoint: 'https://images.example.com/cache' } as const
const S3 = {
  service: 's3',
  path: 'bucket/folder',
  region: 'eu-west-1',
  aws_access_key_id: 'id',
  aws_secret_access_key: SECRET,
} as const

const parse = (remote: unknown): unknown => CACHE_REMOTE.parse(remote, 'cache.remote')

describe('cache.remote', () => {
  it('takes a bucket and a server', () => {
    expect(parse({ ...S3, path: 'bucket/folder/' })).toEqual(S3)
    expect(parse({ ...HTTP, endpoint: 'https://images.example.com/cache/', key: 'k' })).toEqual({ ...HTTP, key: 'k' })
    expect(parse({ ...HTTP, endpoint: 'http://localhost:8080/cache' })).toMatchObject({ service: 'http' })
  })

  it.each([
    ['nothing', null, /an object for 'cache\.remote'/],
    ['no service', {}, /'s3' or 'http' for 'cache\.remote\.service'/],
    ['another service', { service: 'ftp' }, /'s3' or 'http'/],
    ['a misspelt member', { ...HTTP, endpiont: 'x' }, /'cache\.remote\.endpiont'. Did you mean 'endpoint'/],
    ['an acl', { ...S3, acl: 'public-read' }, /Unknown option 'cache\.remote\.acl'/],
    ['no path', { ...S3, path: undefined }, /'<bucket>\/<folder>' for 'cache\.remote\.path'/],
    ['a wrong region', { ...S3, region: 'EU West' }, /'cache\.remote\.region'/],
    ['no secret', { ...S3, aws_secret_access_key: undefined }, /'cache\.remote\.aws_secret_access_key'/],
    ['a server in the clear', { ...HTTP, endpoint: 'http://example.com' }, /an https URL.*'cache\.remote\.endpoint'/],
    ['a password in the URL', { ...HTTP, endpoint: `https://u:${SECRET}@example.com` }, /'cache\.remote\.endpoint'/],
    ['a key with a line end', { ...HTTP, key: `${SECRET}\n` }, /'cache\.remote\.key'/],
    ['a short signing key', { ...HTTP, signingKey: 'short-secret' }, /at least 32 characters.*signingKey'/],
  ])('refuses %s, and shows no secret', (_, remote, expected) => {
    const refuse = (): unknown => parse(remote)
    expect(refuse).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringMatching(expected) }),
    )
    expect(refuse).not.toThrow(SECRET)
    expect(refuse).not.toThrow('short-secret')
  })

  it('takes the signing key of the option before that of the environment', () => {
    const other = SIGNING_KEY.toUpperCase()
    expect(resolveCacheRemote(HTTP, { PIXPRESS_CACHE_KEY: SIGNING_KEY }).signingKey).toBe(SIGNING_KEY)
    expect(resolveCacheRemote({ ...HTTP, signingKey: other }, { PIXPRESS_CACHE_KEY: SIGNING_KEY }).signingKey).toBe(
      other,
    )
  })

  it.each([
    [undefined, "needs a signing key: set PIXPRESS_CACHE_KEY, or give 'cache.remote.signingKey'"],
    ['', 'needs a signing key'],
    ['too-short', "at least 32 characters for 'PIXPRESS_CACHE_KEY'"],
  ])('is refused with the signing key %j', (key, expected) => {
    expect(() => resolveCacheRemote(HTTP, { PIXPRESS_CACHE_KEY: key })).toThrow(expected)
  })

  it('is refused by an optimizer without a signing key', () => {
    expect(() => createOptimizer({ cache: { dir: 'x', remote: HTTP } })).toThrow('needs a signing key')
  })
})

describe('cache.mode', () => {
  it.each([
    [{}, {}, 'readwrite'],
    [{ remote: HTTP }, {}, 'read'],
    [{ remote: HTTP, mode: 'readwrite' }, {}, 'readwrite'],
    [{ mode: 'frozen' }, {}, 'frozen'],
    [{ mode: 'frozen' }, { PIXPRESS_FROZEN: '0' }, 'frozen'],
    [{ mode: 'readwrite' }, { PIXPRESS_FROZEN: '1' }, 'frozen'],
    [{}, { PIXPRESS_FROZEN: '' }, 'readwrite'],
  ] as const)('of %j with %j is %s', (settings, env, expected) => {
    expect(cacheModeOf(settings, env)).toBe(expected)
  })

  it('is refused for a value of the variable that says neither', () => {
    expect(() => cacheModeOf({}, { PIXPRESS_FROZEN: 'true' })).toThrow("'1' or '0' for 'PIXPRESS_FROZEN'")
  })
})
