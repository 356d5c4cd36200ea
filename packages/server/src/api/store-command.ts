import { HttpError } from '../http/http-error.ts'
import { asObject, assertKnownKeys } from './json-object.ts'

interface StoreHeaders {
  readonly 'Cache-Control'?: string
}

/** The `store` member as the interface has it: an endpoint of its own choosing is not among a client's rights. */
export type StoreCommand =
  | {
      readonly service: 's3'
      readonly aws_access_key_id: string
      readonly aws_secret_access_key: string
      readonly region: string
      readonly path: string
      readonly headers?: StoreHeaders
      readonly acl?: string
    }
  | {
      readonly service: 'gcs'
      readonly gcp_access_token: string
      readonly path: string
      readonly headers?: StoreHeaders
    }

const REQUIRED = {
  s3: ['aws_access_key_id', 'aws_secret_access_key', 'region', 'path'],
  gcs: ['gcp_access_token', 'path'],
} as const

const OPTIONAL = { s3: ['headers', 'acl'], gcs: ['headers'] } as const

/** @throws HttpError `BadRequest`, which never shows a value: most of them are credentials */
export function parseStoreCommand(given: Record<string, unknown>): StoreCommand {
  const { service } = given
  if (service !== 's3' && service !== 'gcs') throw new HttpError('BadRequest', "'store.service' must be 's3' or 'gcs'.")
  assertKnownKeys('store.', given, ['service', ...REQUIRED[service], ...OPTIONAL[service]])
  for (const key of REQUIRED[service]) assertText(`store.${key}`, given[key])
  if (given.acl !== undefined) assertText('store.acl', given.acl)
  if (given.headers !== undefined) {
    const headers = asObject("'store.headers'", given.headers)
    const names = Object.keys(headers).map((name) => (name.toLowerCase() === 'cache-control' ? 'Cache-Control' : name))
    assertKnownKeys('store.headers.', Object.fromEntries(names.map((name) => [name, true])), ['Cache-Control'])
    for (const value of Object.values(headers)) assertText('store.headers.Cache-Control', value)
    const [value] = Object.values(headers)
    return { ...given, headers: value === undefined ? {} : { 'Cache-Control': value } } as StoreCommand
  }
  return given as StoreCommand
}

function assertText(key: string, value: unknown): void {
  if (typeof value === 'string' && value !== '') return
  const wrong = value === undefined ? 'is missing' : 'must be a text that is not empty'
  throw new HttpError('BadRequest', `'${key}' ${wrong}.`)
}
