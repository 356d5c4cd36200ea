/**
 * The image compression interface from any program: `createClient` (client.ts) → `Source` (source.ts) → the three
 * requests (service.ts) → queue, retries and connections (http/). No dependencies.
 */
export { createClient } from './client.ts'
export type { Client } from './client.ts'
export type * from './commands.ts'
export { AccountError, ClientError, ConnectionError, PixpressClientError, ServerError } from './base/errors.ts'
export type { ClientErrorDetails } from './base/errors.ts'
export type { ClientOptions } from './base/options.ts'
export { VERSION } from './sender.ts'
export type { CallOptions, RequestOptions, Service, ServiceImage, Upload } from './service.ts'
export type { Result, Source } from './source.ts'
