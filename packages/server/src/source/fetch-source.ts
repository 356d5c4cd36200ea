import dns from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import type { LookupFunction } from 'node:net'
import { HttpError } from '../http/http-error.ts'
import type { MemoryShare } from '../http/upload-memory.ts'
import type { AllowedSources } from './allowed-sources.ts'
import { createGuardedLookup, guardSocket } from './guarded-lookup.ts'

const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308])
const MAX_REDIRECTS = 3
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
  const signal = AbortSignal.timeout(settings.timeout ?? 30_000)
  try {
    let url = parseUrl(given)
    for (let redirects = 0; ; redirects++) {
      const response = await get(url, settings, signal)
      const { location } = response.headers
      if (!REDIRECTS.has(response.statusCode) || location === undefined) return await read(response, settings)
      response.destroy()
      if (redirects === MAX_REDIRECTS) throw refused(`leads to more than ${MAX_REDIRECTS} redirects`)
      url = parseUrl(location, url)
    }
  } catch (error) {
    if (error instanceof HttpError) throw error
    if (signal.aborted) throw refused('took too long to answer', error)
    throw refused('cannot be reached', error)
  }
}

function parseUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw refused('is not a valid URL')
  const url = new URL(text, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('must be an http or https URL')
  if (url.username !== '' || url.password !== '') throw refused('must not hold credentials')
  return url
}

function get(url: URL, settings: SourceSettings, signal: AbortSignal): Promise<http.IncomingMessage> {
  const { sources, connectTimeout = 5000, lookup = dns.lookup as LookupFunction, ca } = settings
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  if (!sources.mayAllowPort(port, host)) throw refused('has a port that is not allowed')
  const allows = (address: string): boolean => sources.allows({ address, port, host })
  // A literal address is never looked up.
  if (net.isIP(host) !== 0 && !allows(host)) throw notAllowed()
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        agent: false,
        lookup: createGuardedLookup(lookup, allows, notAllowed),
        signal,
        maxHeaderSize: 16_384,
        headers: { Accept: 'image/*', 'Accept-Encoding': 'identity', 'User-Agent': USER_AGENT },
        ...(ca === undefined ? {} : { ca }),
      },
      resolve,
    )
    const timer = setTimeout(() => outgoing.destroy(refused('cannot be reached')), connectTimeout)
    outgoing.once('socket', (socket) => {
      guardSocket(socket, allows, notAllowed)
      socket.once('connect', () => clearTimeout(timer))
    })
    outgoing.once('close', () => clearTimeout(timer))
    outgoing.once('error', reject)
    outgoing.end()
  })
}

async function read(response: http.IncomingMessage, { maxBytes, memory }: SourceSettings): Promise<Buffer> {
  try {
    if (response.statusCode !== 200) throw refused('does not answer with an image')
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) throw tooLarge(maxBytes)
      memory.take(chunk.length)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks, size)
  } finally {
    response.destroy()
  }
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
