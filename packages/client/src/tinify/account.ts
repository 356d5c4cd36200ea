import { AccountError, ConnectionError, PixpressClientError, createClient } from '../index.ts'
import type { Client } from '../index.ts'
import { resolveProxy } from '../base/url.ts'

/** The connection to the service with one key. Its settings are those of every connection that is made after them. */
export class TinifyClient {
  /** Base URL of the service. Default: the variable `PIXPRESS_ENDPOINT`. */
  static API_ENDPOINT: string | undefined
  /** Certificates of authorities to trust instead of the public ones, PEM. */
  static CA_BUNDLE: string | string[] | undefined
  /** The client that sends the requests. */
  readonly calls: Client

  /** @throws ConnectionError for a proxy that is none, PixpressClientError without an endpoint */
  constructor(key = '', appIdentifier?: string, proxy?: string) {
    const endpoint = endpointNow()
    if (endpoint === undefined || endpoint === '') {
      throw new PixpressClientError("Provide the service's URL with tinify.endpoint = ... or PIXPRESS_ENDPOINT")
    }
    const ca = TinifyClient.CA_BUNDLE
    this.calls = createClient({
      key,
      endpoint,
      // One further try, as the official client makes.
      retries: 1,
      ...(appIdentifier !== undefined && { appIdentifier }),
      ...(proxy !== undefined && proxy !== '' && { proxy: validProxy(proxy) }),
      ...(ca !== undefined && { ca }),
      onCompressionCount: (count) => account.onCompressionCount?.(count),
    })
  }
}

const endpointNow = (): string | undefined => TinifyClient.API_ENDPOINT ?? process.env.PIXPRESS_ENDPOINT

function validProxy(proxy: string): URL {
  try {
    return resolveProxy(proxy)
  } catch (error) {
    throw new ConnectionError(`Invalid proxy: ${(error as Error).message}`, { error: 'ProxyError', cause: error })
  }
}

/** The settings of a program's account: one for the whole program, as the official client has it. */
class Account {
  /** Is told of each count of the month. */
  onCompressionCount: ((count: number) => void) | undefined
  #key: string | undefined
  #appIdentifier: string | undefined
  #proxy: string | undefined
  #made: { readonly client: TinifyClient; readonly settings: readonly unknown[] } | undefined

  set key(key: string) {
    this.#key = key
  }

  set appIdentifier(appIdentifier: string) {
    this.#appIdentifier = appIdentifier
  }

  set proxy(proxy: string) {
    this.#proxy = proxy
  }

  /** The connection with the settings of now. @throws AccountError without a key, and what `TinifyClient` throws */
  get client(): TinifyClient {
    const [key, name, proxy] = [this.#key, this.#appIdentifier, this.#proxy]
    if (key === undefined || key === '') throw new AccountError('Provide an API key with tinify.key = ...')
    const settings = [key, name, proxy, endpointNow(), TinifyClient.CA_BUNDLE]
    if (this.#made?.settings.every((value, index) => value === settings[index]) !== true) {
      this.#made = { client: new TinifyClient(key, name, proxy), settings }
    }
    return this.#made!.client
  }
}

/** The program's account. */
export const account: Account = new Account()
