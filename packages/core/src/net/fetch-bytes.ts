import http from 'node:http'
import https from 'node:https'
import type { LookupFunction, Socket } from 'node:net'

const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308])
const MAX_REDIRECTS = 3

/** The part of a connection that a caller watches over. */
export interface Guard {
  /** Resolves the host's name. Default: the system does. */
  readonly lookup?: LookupFunction
  /** Sees the socket before it connects. */
  watch?(socket: Socket): void
}

/** The bounds of a fetch. */
export interface FetchRules {
  /** Checks the given URL, and that of every redirect, before it is asked. It throws to refuse. */
  assertAllowed(url: URL): void
  /** Gives what watches over the connection to a URL. Default: nothing does. */
  guard?(url: URL): Guard
  /** Is told of the bytes of every chunk before they are kept. It throws to refuse. */
  take?(bytes: number): void
  /** Tells whether the functions above have thrown an error, which the caller gets as it is. */
  isOwnError(error: unknown): boolean
  readonly headers: Readonly<Record<string, string>>
  readonly maxBytes: number
  /** Milliseconds for everything, redirects included. Default 30,000. */
  readonly timeout?: number | undefined
  /** Milliseconds to connect, each time. Default 5,000. */
  readonly connectTimeout?: number | undefined
  /** Certificates trusted besides the usual ones, PEM. */
  readonly ca?: string | undefined
}

/** The bytes that a URL gives. */
export interface Fetched {
  /** 304 where a condition in `headers` holds: then there are no bytes. */
  readonly status: 200 | 304
  readonly headers: http.IncomingHttpHeaders
  readonly data: Buffer
}

/** A fetch that failed. The message is the end of a sentence about the URL, which it does not name. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed'
  /** The HTTP status, where there was an answer. */
  readonly status: number | undefined
  readonly isTooLarge: boolean

  constructor(what: string, more: { cause?: unknown; status?: number | undefined; isTooLarge?: boolean } = {}) {
    super(what, more.cause === undefined ? undefined : { cause: more.cause })
    this.status = more.status
    this.isTooLarge = more.isTooLarge === true
  }
}

/**
 * Fetches the bytes at an http or https URL within bounds of time and size. Every redirect is checked like the URL
 * itself. Cookies and credentials are neither sent nor kept.
 * @throws FetchFailed, and what the rules throw
 */
export async function fetchBytes(given: string, rules: FetchRules): Promise<Fetched> {
  const signal = AbortSignal.timeout(rules.timeout ?? 30_000)
  try {
    let url = parseUrl(given, rules)
    for (let redirects = 0; ; redirects++) {
      const response = await get(url, rules, signal)
      const { location } = response.headers
      if (!REDIRECTS.has(response.statusCode) || location === undefined) return await read(response, rules)
      response.destroy()
      if (redirects === MAX_REDIRECTS) throw new FetchFailed(`leads to more than ${MAX_REDIRECTS} redirects`)
      url = parseUrl(location, rules, url)
    }
  } catch (error) {
    if (error instanceof FetchFailed || rules.isOwnError(error)) throw error
    if (signal.aborted) throw new FetchFailed('took too long to answer', { cause: error })
    throw new FetchFailed('cannot be reached', { cause: error })
  }
}

function parseUrl(text: string, rules: FetchRules, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new FetchFailed('is not a valid URL')
  const url = new URL(text, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new FetchFailed('must be an http or https URL')
  if (url.username !== '' || url.password !== '') throw new FetchFailed('must not hold credentials')
  rules.assertAllowed(url)
  return url
}

function get(url: URL, rules: FetchRules, signal: AbortSignal): Promise<http.IncomingMessage> {
  const { connectTimeout = 5000, ca } = rules
  const guard = rules.guard?.(url)
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        // A socket of an agent may be connected before it is watched.
        agent: guard === undefined ? undefined : false,
        ...(guard?.lookup && { lookup: guard.lookup }),
        signal,
        maxHeaderSize: 16_384,
        headers: { Accept: 'image/*', 'Accept-Encoding': 'identity', ...rules.headers },
        ...(ca === undefined ? {} : { ca }),
      },
      resolve,
    )
    const timer = setTimeout(() => outgoing.destroy(new FetchFailed('cannot be reached')), connectTimeout)
    outgoing.once('socket', (socket) => {
      guard?.watch?.(socket)
      if (socket.connecting) socket.once('connect', () => clearTimeout(timer))
      else clearTimeout(timer)
    })
    outgoing.once('close', () => clearTimeout(timer))
    outgoing.once('error', reject)
    outgoing.end()
  })
}

async function read(response: http.IncomingMessage, { maxBytes, take }: FetchRules): Promise<Fetched> {
  try {
    const { statusCode: status, headers } = response
    if (status === 304) return { status, headers, data: Buffer.alloc(0) }
    if (status !== 200) throw new FetchFailed('does not answer with an image', { status })
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) throw tooLarge(maxBytes)
      take?.(chunk.length)
      chunks.push(chunk)
    }
    return { status, headers, data: Buffer.concat(chunks, size) }
  } finally {
    response.destroy()
  }
}

const tooLarge = (maxBytes: number): FetchFailed =>
  new FetchFailed(`has more bytes than the limit of ${maxBytes}`, { isTooLarge: true })
