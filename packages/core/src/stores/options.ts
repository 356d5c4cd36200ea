import { PixpressError, invalidOption } from '../errors.ts'
import { didYouMean } from '../suggest.ts'
import { parsePath } from './path.ts'
import type { ObjectPath } from './path.ts'

/** What may be said about the stored object besides its type. */
export interface StoreHeaders {
  'Cache-Control'?: string
}

/** S3, or a service that speaks its protocol. The members are those of the remote interface, and `endpoint`. */
export interface S3StoreOptions {
  service: 's3'
  aws_access_key_id: string
  aws_secret_access_key: string
  /** With temporary credentials. */
  aws_session_token?: string
  region: string
  /** `<bucket>/<path>/<filename>`. */
  path: string
  headers?: StoreHeaders
  /** A canned ACL; `no-acl` sends none. Default `public-read`. */
  acl?: string
  /** Base address of another provider. Default: Amazon's of the region. */
  endpoint?: string
}

/** Google Cloud Storage. */
export interface GcsStoreOptions {
  service: 'gcs'
  /** An OAuth access token. */
  gcp_access_token: string
  /** `<bucket>/<path>/<filename>`. */
  path: string
  headers?: StoreHeaders
  /** Base address. Default: Google's. */
  endpoint?: string
}

export type StoreOptions = S3StoreOptions | GcsStoreOptions

interface Destination {
  readonly path: ObjectPath
  readonly cacheControl: string | undefined
  /** Without a slash at its end. */
  readonly endpoint: string
}

export interface S3Destination extends Destination {
  readonly service: 's3'
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | undefined
  readonly region: string
  readonly acl: string | undefined
}

export interface GcsDestination extends Destination {
  readonly service: 'gcs'
  readonly accessToken: string
}

/** Members by service. */
export const STORE_KEYS = {
  s3: [
    'service',
    'aws_access_key_id',
    'aws_secret_access_key',
    'aws_session_token',
    'region',
    'path',
    'headers',
    'acl',
    'endpoint',
  ],
  gcs: ['service', 'gcp_access_token', 'path', 'headers', 'endpoint'],
} as const

/**
 * Validates once. No message shows a value that may be a credential.
 * @throws PixpressError `INVALID_OPTION`
 */
export function resolveStoreOptions(options: StoreOptions): S3Destination | GcsDestination {
  if (typeof options !== 'object' || options === null) throw refused('store', 'an object')
  const { service } = options
  if (service !== 's3' && service !== 'gcs') throw invalidOption('store.service', "'s3' or 'gcs'", service)
  knownKeys('store.', options, STORE_KEYS[service])
  const shared = { path: parsePath(options.path), cacheControl: cacheControlOf(options.headers) }
  if (options.service === 'gcs') {
    return {
      service: 'gcs',
      ...shared,
      accessToken: text('gcp_access_token', options.gcp_access_token),
      endpoint: endpointOf(options.endpoint, 'https://storage.googleapis.com'),
    }
  }
  const region = regionOf(options.region)
  const { acl = 'public-read', aws_session_token: token } = options
  return {
    service: 's3',
    ...shared,
    accessKeyId: text('aws_access_key_id', options.aws_access_key_id),
    secretAccessKey: text('aws_secret_access_key', options.aws_secret_access_key),
    sessionToken: token === undefined ? undefined : text('aws_session_token', token),
    region,
    acl: text('acl', acl) === 'no-acl' ? undefined : acl,
    // The path style is right for bucket names with dots as well, which certificates for host names do not cover.
    endpoint: endpointOf(options.endpoint, `https://s3.${region}.amazonaws.com`),
  }
}

/** It becomes a part of a host name. */
function regionOf(region: unknown): string {
  const given = text('region', region)
  if (/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/.test(given)) return given
  throw invalidOption('store.region', "a region such as 'us-east-1'", region)
}

function endpointOf(given: unknown, fallback: string): string {
  if (given === undefined) return fallback
  const address = text('endpoint', given)
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.username + url.password + url.search + url.hash !== ''
  ) {
    throw refused('store.endpoint', 'an http or https address without user, query or fragment')
  }
  return url.href.replace(/\/+$/, '')
}

function cacheControlOf(headers: unknown): string | undefined {
  if (headers === undefined) return undefined
  if (typeof headers !== 'object' || headers === null) throw refused('store.headers', 'an object')
  const [entry, ...others] = Object.entries(headers)
  if (entry === undefined) return undefined
  const unknown = [entry, ...others].find(([name]) => name.toLowerCase() !== 'cache-control')
  if (unknown !== undefined || others.length > 0) {
    throw invalidOption('store.headers', "no header but 'Cache-Control'", unknown?.[0] ?? entry[0])
  }
  const value = text('headers.Cache-Control', entry[1])
  if (!/^[\t\x20-\x7e]+$/.test(value)) throw refused('store.headers.Cache-Control', 'plain characters')
  return value
}

function text(key: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value
  throw refused(`store.${key}`, 'a text that is not empty')
}

/** As `invalidOption`, without what came: it may be a secret. */
function refused(option: string, expected: string): PixpressError {
  return new PixpressError('INVALID_OPTION', `Expected ${expected} for '${option}'.`)
}

/** @throws PixpressError `INVALID_OPTION` for a key that is not known */
export function knownKeys(prefix: string, value: object, known: readonly string[]): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key))
  if (unknown === undefined) return
  throw new PixpressError('INVALID_OPTION', `Unknown option '${prefix}${unknown}'. ${didYouMean(unknown, known)}`)
}
