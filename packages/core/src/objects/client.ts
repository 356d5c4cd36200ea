import type { ObjectRequest } from './contract.ts'
import { STORES } from './index.ts'
import type { StoreOptions } from './index.ts'

/** Settings of one request. */
export interface ObjectCall {
  readonly signal: AbortSignal
  /** Replaces the global `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** Sends one request to a store and returns its answer, whatever it is, with a body that is not read. */
export type SendToStore = (request: ObjectRequest, call: ObjectCall) => Promise<Response>

/**
 * Creates the client of a store. Everything that talks to object storage uses it: what is made of the answer, and
 * whether another try follows, is up to the caller.
 * @param options validated
 */
export function createObjectClient(options: StoreOptions): SendToStore {
  const authorize = STORES[options.service].authorizer(options)
  return async (request, { signal, fetch = globalThis.fetch }) => {
    const { method, body } = request
    const { url, headers } = await authorize(request)
    // The header asks for bytes as they are stored. It is not signed, as proxies may change it.
    headers.set('Accept-Encoding', 'identity')
    return fetch(
      new Request(url, {
        method,
        headers,
        ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer> }),
        // A signature holds for one host: another one would refuse the request.
        redirect: 'manual',
        signal,
      }),
    )
  }
}
