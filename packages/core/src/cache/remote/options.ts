import { PixpressError, invalidOption } from '../../base/errors.ts'
import { baseUrl } from '../../net/url.ts'
import type { Parser } from '../../options/parsers.ts'
import { oneOf, plainObject } from '../../options/parsers.ts'
import { refuseUnknownKeys } from '../../options/unknown-key.ts'
import { STORES } from '../../objects/index.ts'
import { resolveStoreOptions } from '../../objects/options.ts'
import type { S3StoreOptions } from '../../objects/s3.ts'

interface Signed {
  /**
   * The secret that signs entries: at least 32 characters, the same on every machine. Default: the variable
   * `PIXPRESS_CACHE_KEY`.
   */
  signingKey?: string
}

/** A bucket of S3, or of a service that speaks its protocol. The members are those of `store`. */
export interface S3CacheRemote extends Signed, Omit<S3StoreOptions, 'acl' | 'headers'> {
  /** `<bucket>` or `<bucket>/<folder>`. */
  path: string
}

/** A server that takes `GET`, `HEAD` and `PUT` below a URL, as `pixpress serve` does below `/cache`. */
export interface HttpCacheRemote extends Signed {
  service: 'http'
  /** `https://images.example.com/cache`; `http` for this machine alone. */
  endpoint: string
  /**
   * Password of the user `api` (HTTP Basic); for `pixpress serve` one of its keys. Default: no credentials are sent.
   */
  key?: string
}

/** Where results are shared between machines. */
export type CacheRemote = S3CacheRemote | HttpCacheRemote

/** A checked remote with its signing key. */
export type ResolvedCacheRemote = CacheRemote & { readonly signingKey: string }

/** The variable that holds the signing key where no option does. */
export const SIGNING_KEY_VARIABLE = 'PIXPRESS_CACHE_KEY'

/** Characters: as many as 16 random bytes have in hexadecimal digits. */
const SHORTEST_KEY = 32

const TEXT = { type: 'string', minLength: 1 }

/** The members of each kind of remote, besides those of all. */
const MEMBERS: Readonly<Record<CacheRemote['service'], readonly string[]>> = {
  s3: ['path', 'endpoint', ...Object.keys(STORES.s3.members).filter((name) => name !== 'acl')],
  http: ['endpoint', 'key'],
}

const SERVICES = Object.keys(MEMBERS) as CacheRemote['service'][]

/** Parses `cache.remote`. No message shows a value that may be a credential. */
export const CACHE_REMOTE: Parser<CacheRemote> = {
  schema: {
    anyOf: Object.entries(MEMBERS).map(([service, members]) => ({
      type: 'object',
      properties: {
        service: { const: service },
        ...Object.fromEntries([...members, 'signingKey'].map((name) => [name, TEXT])),
      },
      required: ['service'],
      additionalProperties: false,
    })),
  },
  parse(value, option) {
    if (typeof value !== 'object' || value === null) throw refused(option, 'an object')
    const given = plainObject(option, value)
    const service = oneOf(SERVICES).parse(given['service'], `${option}.service`)
    refuseUnknownKeys(option, given, ['service', ...MEMBERS[service], 'signingKey'])
    const { signingKey, ...others } = given as unknown as CacheRemote
    if (signingKey !== undefined) assertSigningKey(signingKey, `${option}.signingKey`)
    if (others.service === 'http') return { ...httpRemote(others, option), ...(signingKey && { signingKey }) }
    if (typeof others.path !== 'string') throw invalidOption(`${option}.path`, "'<bucket>/<folder>'", others.path)
    const path = others.path.replace(/\/+$/, '')
    resolveStoreOptions({ ...others, path: `${path}/name` }, option)
    return { ...others, path, ...(signingKey && { signingKey }) }
  },
}

/**
 * Returns the remote with its signing key.
 * @throws PixpressError `INVALID_OPTION` without one
 */
export function resolveCacheRemote(
  remote: CacheRemote,
  env: Readonly<Record<string, string | undefined>>,
): ResolvedCacheRemote {
  const { signingKey = env[SIGNING_KEY_VARIABLE] ?? '' } = remote
  if (signingKey === '') {
    throw new PixpressError(
      'INVALID_OPTION',
      `'cache.remote' needs a signing key: set ${SIGNING_KEY_VARIABLE}, or give 'cache.remote.signingKey'.`,
    )
  }
  assertSigningKey(signingKey, remote.signingKey === undefined ? SIGNING_KEY_VARIABLE : 'cache.remote.signingKey')
  return { ...remote, signingKey }
}

function assertSigningKey(key: unknown, option: string): void {
  if (typeof key === 'string' && key.length >= SHORTEST_KEY) return
  throw refused(option, `a secret of at least ${SHORTEST_KEY} characters`)
}

function httpRemote(remote: Omit<HttpCacheRemote, 'signingKey'>, option: string): HttpCacheRemote {
  const endpoint = baseUrl(remote.endpoint, { encrypted: true })
  // The value is not shown, as it may hold a password.
  if (endpoint === undefined) throw refused(`${option}.endpoint`, 'an https URL without user, query or fragment')
  const { key } = remote
  if (key !== undefined && (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key))) {
    throw refused(`${option}.key`, 'printable ASCII without spaces')
  }
  return { ...remote, endpoint }
}

/** Makes an `INVALID_OPTION` that does not show the value, which may be a secret. */
const refused = (option: string, expected: string): PixpressError =>
  new PixpressError('INVALID_OPTION', `Expected ${expected} for '${option}'.`)
