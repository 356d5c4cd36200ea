import { PixpressError, invalidOption } from '../base/errors.ts'
import { baseUrl } from '../net/url.ts'
import { listed } from '../options/parsers.ts'
import { refuseUnknownKeys } from '../options/unknown-key.ts'
import type { MemberFacts } from './contract.ts'
import { SERVICES_IN_WORDS, STORES, isStoreService, membersOf } from './index.ts'
import type { StoreOptions, StoreService } from './index.ts'
import { encodePath, parsePath } from './path.ts'

/** Where an object goes, as far as all stores are alike. */
export interface Destination {
  /** The URL of the bucket. */
  readonly bucketUrl: string
  /** The URL of the object. */
  readonly url: string
  readonly cacheControl: string | undefined
}

/**
 * Validates once. No message shows a value that may be a credential.
 * @param option how messages call the options
 * @throws PixpressError `INVALID_OPTION`
 */
export function resolveStoreOptions(options: StoreOptions, option: string = 'store'): Destination {
  if (typeof options !== 'object' || options === null) throw refused(option, 'an object')
  const { service, path, headers, endpoint } = options
  if (!isStoreService(service)) throw invalidOption(`${option}.service`, SERVICES_IN_WORDS, service)
  refuseUnknownKeys(option, options, membersOf(service))
  const object = parsePath(path, `${option}.path`)
  const cacheControl = cacheControlOf(headers)
  const given = options as unknown as Readonly<Record<string, unknown>>
  for (const [name, facts] of Object.entries(STORES[service].members)) {
    checkMember(`${option}.${name}`, facts, given[name])
  }
  requireOne(option, service, given)
  const base = endpoint === undefined ? STORES[service].endpoint(options) : checkedUrl(`${option}.endpoint`, endpoint)
  return { bucketUrl: `${base}/${object.bucket}`, url: base + encodePath(object), cacheControl }
}

function checkMember(option: string, { required, form }: MemberFacts, value: unknown): void {
  if (value === undefined && required !== true) return
  const given = text(option, value)
  // Most of them become a part of a header, which takes no line breaks.
  if (!isPlain(given)) throw refused(option, 'plain characters')
  if (form === undefined) return
  const [pattern, expected] = form
  if (!pattern.test(given)) throw invalidOption(option, expected, given)
}

function requireOne(option: string, service: StoreService, given: Readonly<Record<string, unknown>>): void {
  const names = Object.entries(STORES[service].members).flatMap(([name, { required }]) =>
    required === 'one' ? [name] : [],
  )
  if (names.length === 0 || names.filter((name) => given[name] !== undefined).length === 1) return
  throw refused(option, `exactly one of ${listed(names)}`)
}

/**
 * Checks an http or https URL and removes a slash at its end. Errors do not show the value: it may hold a password.
 * @throws PixpressError `INVALID_OPTION`
 */
export function checkedUrl(option: string, given: unknown): string {
  const url = baseUrl(given, { encrypted: false })
  if (url === undefined) throw refused(option, 'an http or https URL without user, query or fragment')
  return url
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
  const value = text('store.headers.Cache-Control', entry[1])
  if (!isPlain(value)) throw refused('store.headers.Cache-Control', 'plain characters')
  return value
}

const isPlain = (given: string): boolean => /^[\t\x20-\x7e]+$/.test(given)

function text(option: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value
  throw refused(option, 'a text that is not empty')
}

/** Makes an `INVALID_OPTION` that does not show the value, which may be a secret. */
function refused(option: string, expected: string): PixpressError {
  return new PixpressError('INVALID_OPTION', `Expected ${expected} for '${option}'.`)
}
