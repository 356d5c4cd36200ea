/** The same client where there is no Node: on `fetch`, for browsers, workers and edge runtimes. */
import { PixpressClientError } from './base/errors.ts'
import type { ClientOptions } from './base/options.ts'
import { createClientOn } from './client.ts'
import type { ClientOf } from './client.ts'
import { createFetchExchange } from './http/fetch-exchange.ts'
import type { Platform } from './platform.ts'
import type { ServiceImageOf, ServiceOf } from './service.ts'
import type { ResultOf, SourceOf } from './source.ts'

export type * from './interface.ts'
export { AccountError, ClientError, ConnectionError, PixpressClientError, ServerError } from './base/errors.ts'
export { VERSION } from './sender.ts'

/** A client for browsers and edge runtimes. */
export type Client = ClientOf<Uint8Array>
/** An image of a client for browsers and edge runtimes, and what is to be done to it. */
export type Source = SourceOf<Uint8Array>
/** A finished image of a client for browsers and edge runtimes. */
export type Result = ResultOf<Uint8Array>
/** The interface's three requests, for browsers and edge runtimes. */
export type Service = ServiceOf<Uint8Array>
/** The answer to an upload with commands, for browsers and edge runtimes. */
export type ServiceImage = ServiceImageOf<Uint8Array>

/** Options that are settled by whoever runs the program here. */
const NODE_ONLY = ['ca', 'proxy', 'connectTimeout', 'appIdentifier'] as const

const noFiles = (instead: string): Promise<never> =>
  Promise.reject(new PixpressClientError(`There are no files here: ${instead}.`, { error: 'NoFiles' }))

const WEB: Platform<Uint8Array> = {
  createExchange: createFetchExchange,
  agent: undefined,
  asData: (bytes) => bytes,
  readFile: () => noFiles('give the image as a Blob, as bytes or as a stream'),
  writeFile: () => noFiles('ask for the image as a Blob, as bytes or as a stream'),
}

/**
 * Creates a client on `fetch`.
 * @example
 * const client = createClient({ key: 'secret', endpoint: 'https://images.example.com' })
 * const smaller = await client.fromBlob(input.files[0]).blob()
 *
 * @throws TypeError for an option that is unknown, out of range or for Node alone, and for an endpoint that is not
 * encrypted
 */
export function createClient(options: ClientOptions): Client {
  const other = NODE_ONLY.find((name) => options?.[name] !== undefined)
  if (other !== undefined) throw new TypeError(`The client option '${other}' is for Node alone.`)
  return createClientOn(WEB, options)
}
