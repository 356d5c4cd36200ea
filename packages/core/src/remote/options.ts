import { PixpressError, invalidOption } from '../errors.ts'
import { didYouMean } from '../suggest.ts'
import { maskKey } from './client.ts'
import type { RemoteClient } from './client.ts'
import { createRemoteEngine } from './engine.ts'
import type { RemoteEngine, RemoteFallback } from './engine.ts'
import type { RemoteLimit } from './ledger.ts'

/** A service of the remote interface, as the plugin and the command are told of it. */
export interface RemoteOptions {
  /** Base address of the service: `https://` or, on this machine only, `http://`. */
  endpoint: string
  /** The API key. */
  key?: string
  /** Several API keys: the first that has compressions left is used. */
  keys?: readonly string[]
  /** Certificates of authorities to trust instead of the public ones, PEM. */
  ca?: string | Uint8Array | readonly (string | Uint8Array)[]
  /** HTTP proxy: `http://user:password@host:port`. */
  proxy?: string
  /** Images at the service at once. Default 4. */
  concurrency?: number
  /** Milliseconds one try of a request may take. Default 120,000. */
  timeout?: number
  /** Milliseconds one request may wait because the service asked for it. Default 30,000. */
  maxWait?: number
  /** Compressions that one build may use, and compressions a month after which a key is not used any more. Default: no bound. */
  limit?: RemoteLimit
  /** What happens when a limit is reached, the key is wrong, or the service is away. Default `local`. */
  fallback?: RemoteFallback
}

export interface ResolvedRemoteOptions extends Omit<RemoteOptions, 'key' | 'keys' | 'concurrency' | 'fallback'> {
  readonly keys: readonly string[]
  readonly concurrency: number
  readonly fallback: RemoteFallback
}

/** `createClient` of `@pixpress/client`, as far as it is needed here. */
export type CreateRemoteClient = (options: {
  key: string
  endpoint: string
  concurrency: number
  maxWait: number
  ca?: string | Uint8Array | readonly (string | Uint8Array)[]
  proxy?: string
  timeout?: number
}) => RemoteClient

const KNOWN: readonly (keyof RemoteOptions)[] = [
  'endpoint',
  'key',
  'keys',
  'ca',
  'proxy',
  'concurrency',
  'timeout',
  'maxWait',
  'limit',
  'fallback',
]
const FALLBACKS: readonly unknown[] = ['local', 'original', 'error'] satisfies RemoteFallback[]

/**
 * Validates the options of a service. No message shows a key or a proxy's password.
 * @param name of the option that holds them
 * @throws PixpressError `INVALID_OPTION`
 */
export function resolveRemoteOptions(options: RemoteOptions, name = 'engine'): ResolvedRemoteOptions {
  if (typeof options !== 'object' || options === null) throw invalidOption(name, 'an object', options)
  refuseUnknown(name, options, KNOWN)
  const { key, keys, endpoint, concurrency = 4, fallback = 'local', limit, timeout, maxWait, ...others } = options
  if (!isUsableEndpoint(endpoint)) {
    throw invalidOption(
      `${name}.endpoint`,
      'an https address, or an http address of this machine (127.0.0.1)',
      endpoint,
    )
  }
  if (/[@?#]/.test(endpoint)) {
    // Not shown: it may hold a password.
    const hint = "An API key goes into 'key'."
    throw new PixpressError('INVALID_OPTION', `Expected no user, query or fragment in '${name}.endpoint'. ${hint}`)
  }
  const given = keys ?? (key === undefined ? [] : [key])
  if ((key !== undefined && keys !== undefined) || !Array.isArray(given) || given.length === 0 || !given.every(isKey)) {
    const hint = 'Is the environment variable set that it comes from?'
    throw new PixpressError(
      'INVALID_OPTION',
      `Expected an API key for '${name}.key', or a list for '${name}.keys'. ${hint}`,
    )
  }
  if (!FALLBACKS.includes(fallback)) {
    throw invalidOption(`${name}.fallback`, "'local', 'original' or 'error'", fallback)
  }
  if (limit !== undefined) {
    if (typeof limit !== 'object' || limit === null) throw invalidOption(`${name}.limit`, 'an object', limit)
    refuseUnknown(`${name}.limit`, limit, ['build', 'month'])
    wholeNumber(`${name}.limit.build`, limit.build, 0)
    wholeNumber(`${name}.limit.month`, limit.month, 0)
  }
  wholeNumber(`${name}.concurrency`, concurrency, 1)
  wholeNumber(`${name}.timeout`, timeout, 1)
  wholeNumber(`${name}.maxWait`, maxWait, 0)
  return {
    ...others,
    endpoint,
    keys: [...new Set(given)],
    concurrency,
    fallback,
    ...(limit !== undefined && { limit }),
    ...(timeout !== undefined && { timeout }),
    maxWait: maxWait ?? 30_000,
  }
}

/**
 * The engine of resolved options.
 * @param load gives `createClient` of `@pixpress/client` when the first image needs it
 */
export function openRemoteEngine(
  options: ResolvedRemoteOptions,
  { load, onWarning }: { load: () => Promise<CreateRemoteClient>; onWarning: (message: string) => void },
): RemoteEngine {
  const { endpoint, keys, ca, proxy, concurrency, timeout, maxWait = 0, limit, fallback } = options
  return createRemoteEngine({
    endpoint,
    concurrency,
    limit,
    askFirst: true,
    fallback,
    onWarning,
    async open() {
      const createClient = await load()
      const shared = {
        endpoint,
        concurrency,
        maxWait,
        ...(ca !== undefined && { ca }),
        ...(proxy !== undefined && { proxy }),
        ...(timeout !== undefined && { timeout }),
      }
      try {
        return keys.map((key) => ({ name: maskKey(key), client: createClient({ key, ...shared }) }))
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        throw new PixpressError('INVALID_OPTION', `The options of the image service: ${error.message}`, {
          cause: error,
        })
      }
    },
  })
}

/** The client refuses other addresses as well; here it is said before the build begins. */
function isUsableEndpoint(endpoint: unknown): endpoint is string {
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) return false
  const { protocol, hostname } = new URL(endpoint)
  const isHere = hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isHere)
}

const isKey = (key: unknown): boolean => typeof key === 'string' && key !== ''

function refuseUnknown(name: string, value: object, known: readonly string[]): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key))
  if (unknown === undefined) return
  throw new PixpressError('INVALID_OPTION', `Unknown option '${name}.${unknown}'. ${didYouMean(unknown, known)}`)
}

function wholeNumber(option: string, value: unknown, least: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= least)) return
  throw invalidOption(option, `a whole number of at least ${least}`, value)
}
