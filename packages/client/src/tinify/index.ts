/**
 * The names of the hosted service's own client, on this one: a program changes one import, and says where its service
 * is (`PIXPRESS_ENDPOINT`, or `tinify.endpoint`).
 */
import { AccountError, ClientError, ConnectionError, PixpressClientError, ServerError } from '../index.ts'
import { TinifyClient, account } from './account.ts'
import { TinifyResult, TinifyResultMeta, settle } from './result.ts'
import type { Callback } from './result.ts'
import { TinifySource } from './source.ts'

export type { TinifyClient } from './account.ts'
export type { Callback, TinifyResult, TinifyResultMeta } from './result.ts'
export type { ConvertOptions, SupportedImageTypes, TinifySource, WildcardOrSupportedImageTypes } from './source.ts'

/** One account for the whole program: its settings, its count, and ways to an image. */
export class Tinify {
  /** Compressions of the account in the current month, as the newest answer said. */
  compressionCount?: number
  /** The object itself, for programs that were compiled to look for it. */
  readonly default: this = this
  readonly Client: typeof TinifyClient = TinifyClient
  readonly Source: typeof TinifySource = TinifySource
  readonly Result: typeof TinifyResult = TinifyResult
  readonly ResultMeta: typeof TinifyResultMeta = TinifyResultMeta
  /** The class of all errors of the service and of the way to it. */
  readonly Error: typeof PixpressClientError = PixpressClientError
  readonly AccountError: typeof AccountError = AccountError
  readonly ClientError: typeof ClientError = ClientError
  readonly ServerError: typeof ServerError = ServerError
  readonly ConnectionError: typeof ConnectionError = ConnectionError

  /** The account's API key. */
  set key(key: string) {
    account.key = key
  }

  /** This text precedes the client's own name in `User-Agent`. */
  set appIdentifier(appIdentifier: string) {
    account.appIdentifier = appIdentifier
  }

  /** HTTP proxy that tunnels by CONNECT: `http://user:password@host:port`. */
  set proxy(proxy: string) {
    account.proxy = proxy
  }

  /** Base URL of the service: `https://` or, on this machine only, `http://`. Default: `PIXPRESS_ENDPOINT`. */
  set endpoint(endpoint: string) {
    TinifyClient.API_ENDPOINT = endpoint
  }

  /** The connection with the settings of now. @throws AccountError without a key */
  get client(): TinifyClient {
    return account.client
  }

  /** Reads and uploads a file, at once. */
  fromFile(path: string): TinifySource {
    return TinifySource.fromFile(path)
  }

  /** Uploads bytes, or a text's bytes, at once. @throws AccountError without a key */
  fromBuffer(data: string | Uint8Array): TinifySource {
    return TinifySource.fromBuffer(data)
  }

  /** Has the service fetch an image, at once. @throws AccountError without a key */
  fromUrl(url: string): TinifySource {
    return TinifySource.fromUrl(url)
  }

  /** Asks whether the key is valid, at no cost. A key at its limit is valid. */
  validate(): Promise<void>
  validate(callback: Callback): void
  validate(callback?: Callback): Promise<void> | undefined {
    return settle(validateKey(), callback)
  }
}

async function validateKey(): Promise<void> {
  await account.client.calls.validate()
}

/** The program's account at the service. */
const tinify: Tinify = new Tinify()
account.onCompressionCount = (count) => void (tinify.compressionCount = count)

export default tinify
/** `require` gives this in a CommonJS program. */
export { tinify as 'module.exports' }
