import { STORES, STORE_SERVICES, isStoreService, listed } from '@pixpress/core/internal'
import type { StoreService } from '@pixpress/core/internal'
import { HttpError } from '../http/http-error.ts'
import { asObject, assertKnownKeys } from '../http/json.ts'

/**
 * The `store` member as the interface has it, with the members of its service. An endpoint of its own choosing is not
 * among a client's rights.
 */
export interface StoreCommand {
  readonly service: StoreService
  readonly path: string
  readonly headers?: { readonly 'Cache-Control'?: string }
  readonly [credential: string]: unknown
}

/** Lists the members that a service requires besides `service` itself, and the optional ones. */
export function commandMembers(service: StoreService): { required: string[]; optional: string[] } {
  const members = Object.entries(STORES[service].members).filter(([, { inCommands }]) => inCommands)
  const names = (required: boolean): string[] =>
    members.filter(([, member]) => (member.required === true) === required).map(([name]) => name)
  return { required: [...names(true), 'path'], optional: ['headers', ...names(false)] }
}

/** @throws HttpError `BadRequest`, which never shows a value: most of them are credentials */
export function parseStoreCommand(given: Record<string, unknown>): StoreCommand {
  const { service } = given
  if (!isStoreService(service)) {
    throw new HttpError('BadRequest', `'store.service' must be ${listed(STORE_SERVICES)}.`)
  }
  const { required, optional } = commandMembers(service)
  assertKnownKeys('store', given, ['service', ...required, ...optional])
  for (const key of required) assertText(`store.${key}`, given[key])
  for (const key of optional) if (key !== 'headers' && given[key] !== undefined) assertText(`store.${key}`, given[key])
  const headers = given.headers === undefined ? undefined : parseHeaders(given.headers)
  return { ...given, ...(headers !== undefined && { headers }) } as StoreCommand
}

function parseHeaders(given: unknown): { 'Cache-Control'?: string } {
  const headers = asObject("'store.headers'", given)
  const names = Object.keys(headers).map((name) => (name.toLowerCase() === 'cache-control' ? 'Cache-Control' : name))
  assertKnownKeys('store.headers', Object.fromEntries(names.map((name) => [name, true])), ['Cache-Control'])
  for (const value of Object.values(headers)) assertText('store.headers.Cache-Control', value)
  const [value] = Object.values(headers) as string[]
  return value === undefined ? {} : { 'Cache-Control': value }
}

function assertText(key: string, value: unknown): void {
  if (typeof value === 'string' && value !== '') return
  const wrong = value === undefined ? 'is missing' : 'must be a text that is not empty'
  throw new HttpError('BadRequest', `'${key}' ${wrong}.`)
}
