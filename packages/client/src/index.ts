/**
 * The image compression interface from any program: `createClient` (client.ts) → sources (source.ts) → the three
 * requests (service.ts) → queue, retries and connections (http/). No dependencies.
 */
import type { ClientOptions } from './base/options.ts'
import { createClientOn } from './client.ts'
import type { ClientOf } from './client.ts'
import { NODE } from './node-platform.ts'
import type { ServiceImageOf, ServiceOf } from './service.ts'
import type { ResultOf, SourceOf } from './source.ts'

export type * from './interface.ts'
export { AccountError, ClientError, ConnectionError, PixpressClientError, ServerError } from './base/errors.ts'
export { VERSION } from './sender.ts'

/** A client for Node, whose images are Buffers. */
export type Client = ClientOf<Buffer>
/** An image of a client for Node, and what is to be done to it. */
export type Source = SourceOf<Buffer>
/** A finished image of a client for Node. */
export type Result = ResultOf<Buffer>
/** The interface's three requests, for Node. */
export type Service = ServiceOf<Buffer>
/** The answer to an upload with commands, for Node. */
export type ServiceImage = ServiceImageOf<Buffer>

/**
 * @example
 * const client = createClient({ key: 'secret', endpoint: 'https://images.example.com' })
 * await client.fromFile('hero.png').convert({ type: ['image/avif', 'image/webp'] }).toFile('hero.avif')
 *
 * @throws TypeError for an option that is unknown or out of range, and for an endpoint that is not encrypted
 */
export function createClient(options: ClientOptions): Client {
  return createClientOn(NODE, options)
}
