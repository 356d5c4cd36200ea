import { shownNumber } from './kept-stream.ts'
import { resolveEndpoint, resolveProxy } from './url.ts'

/** Options of `createClient`. */
export interface ClientOptions {
  /** The account's API key. */
  key: string
  /** Base URL of the service, a path included: `https://` or, on this machine only, `http://`. */
  endpoint: string | URL
  /** Certificates of authorities to trust instead of the public ones, PEM. */
  ca?: string | Uint8Array | readonly (string | Uint8Array)[]
  /**
   * HTTP proxy that tunnels by CONNECT: `http://user:password@host:port`. The environment's proxies are not looked at.
   */
  proxy?: string | URL
  /** Milliseconds one try of a request may take. Default 120,000. */
  timeout?: number
  /** Milliseconds without a byte in either direction after which a try is given up. Default 60,000. */
  idleTimeout?: number
  /** Milliseconds to connect, proxy and TLS included. Default 10,000. */
  connectTimeout?: number
  /** Requests at once; others wait for their turn. Default 4. */
  concurrency?: number
  /** Further tries after a broken connection or a 5xx answer. Default 2. */
  retries?: number
  /** Milliseconds one request may wait in sum because the service asked for it (`Retry-After`). Default 60,000. */
  maxWait?: number
  /**
   * Milliseconds one request may take in sum, its tries and the waits between them included. Default 600,000. Time in
   * the queue does not count.
   */
  totalTimeout?: number
  /**
   * Bytes of a stream's beginning that are kept for further tries. Default 64 MiB. Where requests cannot be streamed,
   * which is in browsers, a stream has to fit.
   */
  maxBuffered?: number
  /** Bytes of the largest answer to accept. Default 256 MiB. */
  maxResponseSize?: number
  /** This text precedes the client's own name in `User-Agent`. */
  appIdentifier?: string
  /** Ends every request of the client, waiting ones included. */
  signal?: AbortSignal
  /** The client calls it with the account's compressions of the month after each answer that tells them. */
  onCompressionCount?: (count: number) => void
}

/** Checked options, with every default filled in. */
export interface ResolvedClientOptions {
  readonly key: string
  /** Ends with a slash. */
  readonly endpoint: URL
  readonly ca: readonly (string | Uint8Array)[] | undefined
  readonly proxy: URL | undefined
  readonly timeout: number
  readonly idleTimeout: number
  readonly connectTimeout: number
  readonly concurrency: number
  readonly retries: number
  readonly maxWait: number
  readonly totalTimeout: number
  readonly maxBuffered: number
  readonly maxResponseSize: number
  readonly appIdentifier: string | undefined
  readonly signal: AbortSignal | undefined
  readonly onCompressionCount: ((count: number) => void) | undefined
}

const KNOWN: ReadonlySet<string> = new Set<keyof ClientOptions>([
  'key',
  'endpoint',
  'ca',
  'proxy',
  'timeout',
  'idleTimeout',
  'connectTimeout',
  'concurrency',
  'retries',
  'maxWait',
  'totalTimeout',
  'maxBuffered',
  'maxResponseSize',
  'appIdentifier',
  'signal',
  'onCompressionCount',
])

/** The longest delay that timers can hold. */
const MAX_DELAY = 2 ** 31 - 1

/** @throws TypeError naming the option, what is allowed, and, unless it is a secret, what came */
export function resolveClientOptions(options: ClientOptions): ResolvedClientOptions {
  if (typeof options !== 'object' || options === null) throw new TypeError('Expected an object of client options.')
  const unknown = Object.keys(options).find((name) => !KNOWN.has(name))
  if (unknown !== undefined) {
    throw new TypeError(`Unknown client option '${unknown}'. Known: ${[...KNOWN].join(', ')}.`)
  }
  if (typeof options.key !== 'string' || !/^[\x21-\x7e]+$/.test(options.key)) {
    throw new TypeError("Expected an API key of printable characters for 'key'.")
  }
  const { ca } = options
  return {
    key: options.key,
    endpoint: resolveEndpoint(options.endpoint),
    ca: ca === undefined ? undefined : typeof ca === 'string' || ca instanceof Uint8Array ? [ca] : ca,
    proxy: options.proxy === undefined ? undefined : resolveProxy(options.proxy),
    timeout: wholeNumber(options, 'timeout', 120_000, { least: 1, most: MAX_DELAY }),
    idleTimeout: wholeNumber(options, 'idleTimeout', 60_000, { least: 1, most: MAX_DELAY }),
    connectTimeout: wholeNumber(options, 'connectTimeout', 10_000, { least: 1, most: MAX_DELAY }),
    concurrency: wholeNumber(options, 'concurrency', 4, { least: 1 }),
    retries: wholeNumber(options, 'retries', 2, { least: 0 }),
    maxWait: wholeNumber(options, 'maxWait', 60_000, { least: 0, most: MAX_DELAY }),
    totalTimeout: wholeNumber(options, 'totalTimeout', 600_000, { least: 1, most: MAX_DELAY }),
    maxBuffered: wholeNumber(options, 'maxBuffered', 64 * 1024 * 1024, { least: 0 }),
    maxResponseSize: wholeNumber(options, 'maxResponseSize', 256 * 1024 * 1024, { least: 1 }),
    appIdentifier: headerText('appIdentifier', options.appIdentifier),
    signal: options.signal,
    onCompressionCount: options.onCompressionCount,
  }
}

type NumberOption = {
  [Name in keyof ClientOptions]-?: ClientOptions[Name] extends number | undefined ? Name : never
}[keyof ClientOptions]

function wholeNumber(
  options: ClientOptions,
  name: NumberOption,
  fallback: number,
  { least, most = Number.MAX_SAFE_INTEGER }: { readonly least: number; readonly most?: number },
): number {
  const value = options[name]
  if (value === undefined) return fallback
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`
  throw new TypeError(`Expected a whole number ${range} for '${name}' but received ${shownNumber(value)}.`)
}

function headerText(name: keyof ClientOptions, value: string | undefined): string | undefined {
  if (value === undefined || /^[\x20-\x7e]+$/.test(value)) return value
  throw new TypeError(`Expected printable ASCII characters for '${name}'.`)
}
