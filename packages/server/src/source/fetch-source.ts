import dns from 'node:dns'
import net from 'node:net'
import type { LookupFunction } from 'node:net'
import { FetchFailed, fetchBytes } from '@pixpress/core/internal'
import { HttpError } from '../http/http-error.ts'
import type { MemoryShare } from '../http/upload-memory.ts'
import type { AllowedSources } from './allowed-sources.ts'
import { createGuardedLookup, guardSocket } from './guarded-lookup.ts'

const USER_AGENT = 'pixpress (+https://www.npmjs.com/package/@pixpress/server)'

/** Limits of a fetch from `source.url`. */
export interface SourceSettings {
  readonly sources: AllowedSources
  readonly maxBytes: number
  readonly memory: MemoryShare
  /** Milliseconds for everything, redirects included. Default 30,000. */
  readonly timeout?: number
  /** Milliseconds to connect, each time. Default 5,000. */
  readonly connectTimeout?: number
  /** Default: the system's resolver. */
  readonly lookup?: LookupFunction
  /** Certificates trusted besides the usual ones, PEM. */
  readonly ca?: string
}

/**
 * Fetches the image at a URL that a stranger has given. The address that is really dialled is checked, on every
 * redirect anew: a name that resolves to something else the second time gains nothing. No proxy is used.
 * @throws HttpError `SourceNotFound`, saying no more than the caller may know; `InputTooLarge`; `ServiceUnavailable`
 */
export async function fetchSource(given: string, settings: SourceSettings): Promise<Buffer> {
  const { sources, maxBytes, memory, timeout, connectTimeout, ca, lookup = dns.lookup as LookupFunction } = settings
  const allows = (url: URL, address: string): boolean => sources.allows({ address, ...placeOf(url) })
  try {
    const { status, data } = await fetchBytes(given, {
      assertAllowed(url) {
        const { host, port } = placeOf(url)
        if (!sources.mayAllowPort(port, host)) throw refused('has a port that is not allowed')
        // A literal address is never looked up.
        if (net.isIP(host) !== 0 && !allows(url, host)) throw notAllowed()
      },
      guard: (url) => ({
        lookup: createGuardedLookup(lookup, (address) => allows(url, address), notAllowed),
        watch: (socket) => guardSocket(socket, (address) => allows(url, address), notAllowed),
      }),
      take: (bytes) => memory.take(bytes),
      isOwnError: (error) => error instanceof HttpError,
      headers: { 'User-Agent': USER_AGENT },
      maxBytes,
      timeout,
      connectTimeout,
      ca,
    })
    // No condition was given.
    if (status !== 200) throw refused('does not answer with an image')
    return data
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error
    throw error.isTooLarge ? tooLarge(maxBytes) : refused(error.message, error.cause)
  }
}

function placeOf(url: URL): { readonly host: string; readonly port: number } {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return { host, port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)) }
}

function refused(what: string, cause?: unknown): HttpError {
  return new HttpError('SourceNotFound', `The URL in 'source.url' ${what}.`, { cause })
}

/**
 * Returns one sentence for every reason, a name that does not exist among them, so that answers do not map the network
 * behind the server.
 */
const notAllowed = (cause?: unknown): HttpError =>
  refused('has a host that cannot be found, or is not one that the service may fetch from', cause)

function tooLarge(maxBytes: number): HttpError {
  return new HttpError('InputTooLarge', `The image at 'source.url' has more bytes than the limit of ${maxBytes}.`)
}
