import { PixpressError, invalidOption } from '../../base/errors.ts'
import { isEncryptedOrLocal } from '../../net/url.ts'
import { oneOf, record, whole } from '../../options/parsers.ts'
import type { Parser } from '../../options/parsers.ts'
import { maskKey } from './client.ts'
import type { RemoteClient } from './client.ts'
import { createRemoteEngine } from './engine.ts'
import type { RemoteEngine, RemoteFallback } from './engine.ts'
import type { RemoteLimit } from './ledger.ts'

/** A service of the remote interface, as the plugin and the command are told of it. */
export interface RemoteOptions {
  /**
   * Base URL of the service: `https://` or, on this machine only, `http://`. Several are one service to which images
   * are spread by free places.
   */
  endpoint: string | readonly string[]
  /** The API key. */
  key?: string
  /** Several API keys: the first that has compressions left is used. */
  keys?: readonly string[]
  /** Certificates of authorities to trust instead of the public ones, PEM. */
  ca?: string | Uint8Array | readonly (string | Uint8Array)[]
  /** HTTP proxy: `http://user:password@host:port`. */
  proxy?: string
  /** Images at each endpoint at once. Default 4. */
  concurrency?: number
  /** Milliseconds one try of a request may take. Default 120,000. */
  timeout?: number
  /** Milliseconds one request may wait because the service asked for it. Default 30,000. */
  maxWait?: number
  /**
   * Compressions that one build may use, and compressions a month after which a key is not used any more. Default: no
   * bound.
   */
  limit?: RemoteLimit
  /** The way out when a limit is reached, the key is wrong, or the service is away. Default `local`. */
  fallback?: RemoteFallback
}

/** Checked options of the remote engine. */
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

/** Parses a member that is checked by whoever uses it: its value may be a secret, which no message shows. */
const unchecked = <Value>(): Parser<Value> => ({ schema: {}, parse: (value) => value as Value })

const ENDPOINT: Parser<string> = {
  schema: { type: 'string' },
  parse(value, option) {
    if (!isUsableEndpoint(value)) {
      throw invalidOption(option, 'an https URL, or an http URL of this machine (127.0.0.1)', value)
    }
    if (!/[@?#]/.test(value)) return value
    // The value is not shown, as it may hold a password.
    const hint = "An API key goes into 'key'."
    throw new PixpressError('INVALID_OPTION', `Expected no user, query or fragment in '${option}'. ${hint}`)
  },
}

const ENDPOINTS: Parser<string | readonly string[]> = {
  schema: { anyOf: [ENDPOINT.schema, { type: 'array', items: ENDPOINT.schema, minItems: 1 }] },
  parse(value, option) {
    if (!Array.isArray(value) || value.length === 0) return ENDPOINT.parse(value, option)
    const urls = value.map((each, index) => ENDPOINT.parse(each, `${option}[${index}]`))
    const byAddress = new Map(urls.toReversed().map((url) => [new URL(url).href.replace(/\/+$/, ''), url]))
    const [only, ...others] = [...byAddress.values()].toReversed()
    return others.length === 0 ? only! : [only!, ...others]
  },
}

const REMOTE: Parser<Partial<RemoteOptions>> = record<RemoteOptions>({
  endpoint: ENDPOINTS,
  key: unchecked(),
  keys: unchecked(),
  ca: unchecked(),
  proxy: unchecked(),
  concurrency: whole(1),
  timeout: whole(1),
  maxWait: whole(0),
  limit: record<RemoteLimit>({ build: whole(0), month: whole(0) }),
  fallback: oneOf<RemoteFallback>(['local', 'original', 'error']),
})

/**
 * Validates the options of a service. No message shows a key or a proxy's password.
 * @param name of the option that holds them
 * @throws PixpressError `INVALID_OPTION`
 */
export function resolveRemoteOptions(options: RemoteOptions, name = 'engine'): ResolvedRemoteOptions {
  const given = REMOTE.parse(options, name)
  const { key, keys, endpoint, concurrency = 4, maxWait = 30_000, fallback = 'local', ...others } = given
  const isGivenTwice = key !== undefined && keys !== undefined
  const all: unknown = keys ?? (key === undefined ? [] : [key])
  if (isGivenTwice || !Array.isArray(all) || all.length === 0 || !all.every(isKey)) {
    const hint = 'Is the environment variable set that it comes from?'
    throw new PixpressError(
      'INVALID_OPTION',
      `Expected an API key for '${name}.key', or a list for '${name}.keys'. ${hint}`,
    )
  }
  return {
    ...others,
    endpoint: ENDPOINTS.parse(endpoint, `${name}.endpoint`),
    keys: [...new Set(all)],
    concurrency,
    maxWait,
    fallback,
  }
}

/**
 * Opens the engine of resolved options.
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
    async open(url) {
      const createClient = await load()
      const shared = {
        endpoint: url,
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

/** The client refuses other URLs as well; here it is said before the build begins. */
function isUsableEndpoint(endpoint: unknown): endpoint is string {
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) return false
  return isEncryptedOrLocal(new URL(endpoint))
}

const isKey = (key: unknown): key is string => typeof key === 'string' && key !== ''
