import type { Attempt } from '../../net/retry.ts'
import { isCacheKey } from '../store.ts'
import type { KeyPage, RemoteObjects } from './objects.ts'
import type { HttpCacheRemote } from './options.ts'
import { ask, cacheUnavailable } from './request.ts'
import type { Answer } from './request.ts'

interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT'
  /** The part of the URL that follows the endpoint. */
  readonly path: string
  readonly body?: Uint8Array
  readonly signal: AbortSignal
}

/**
 * Resources `<endpoint>/<name>` of a server; `GET <endpoint>/<folder>?after=<key>` lists what is there, where the
 * server can.
 */
export function createHttpObjects({ endpoint, key }: HttpCacheRemote): RemoteObjects {
  const place = `The cache at ${endpoint}`

  function send<T>(
    { path, method, body, signal }: HttpRequest,
    more: Readonly<Record<string, string>>,
    read: (answer: Answer) => { readonly value: T } | undefined,
  ): Promise<Attempt<T>> {
    // Bytes are to come as they are stored.
    const headers = new Headers({ ...more, 'Accept-Encoding': 'identity' })
    if (key !== undefined) headers.set('Authorization', `Basic ${Buffer.from(`api:${key}`).toString('base64')}`)
    const bytes = body !== undefined && { body: body as Uint8Array<ArrayBuffer> }
    return ask(place, {
      signal,
      // Credentials are for this host alone.
      send: () => fetch(`${endpoint}/${path}`, { method, headers, ...bytes, redirect: 'manual', signal }),
      read,
    })
  }

  return {
    place,
    get: (path, signal) =>
      send({ method: 'GET', path, signal }, {}, ({ status, body }) => {
        if (status === 200) return { value: body }
        return isAbsent(status) ? { value: undefined } : undefined
      }),
    has: (path, signal) =>
      send({ method: 'HEAD', path, signal }, {}, ({ status }) => {
        if (status === 200 || status === 204) return { value: true }
        return isAbsent(status) ? { value: false } : undefined
      }),
    create(path, body, signal) {
      const headers = { 'If-None-Match': '*', 'Content-Type': 'application/octet-stream' }
      return send({ method: 'PUT', path, body, signal }, headers, ({ status }) => {
        if (status === 200 || status === 201 || status === 204) return { value: 'created' }
        return status === 412 || status === 409 ? { value: 'present' } : undefined
      })
    },
    async list(folder, from, signal) {
      const path = from === undefined ? folder : `${folder}?after=${from}`
      const outcome = await send({ method: 'GET', path, signal }, {}, ({ status, body }) => {
        if (status === 200) return { value: pageOf(body) }
        return isAbsent(status) || status === 405 ? { value: undefined } : undefined
      })
      if ('failure' in outcome) return outcome
      const { value } = outcome
      return value === undefined
        ? { failure: cacheUnavailable(`${place} cannot list its entries.`), passing: false }
        : { value }
    },
  }
}

const isAbsent = (status: number): boolean => status === 404 || status === 410

/** Parses `{"keys":["…"],"next":"…"}`; `undefined` where another server means something else by this URL. */
function pageOf(body: Uint8Array): KeyPage | undefined {
  try {
    const { keys, next } = JSON.parse(Buffer.from(body).toString()) as { keys?: unknown; next?: unknown }
    if (!Array.isArray(keys) || !keys.every((key) => typeof key === 'string' && isCacheKey(key))) return undefined
    return { keys, next: typeof next === 'string' && isCacheKey(next) ? next : undefined }
  } catch {
    return undefined
  }
}
