import http from 'node:http'
import https from 'node:https'
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http'
import { ConnectionError } from '../base/errors.ts'
import type { ResolvedClientOptions } from '../base/options.ts'
import type { OnBytes } from '../base/progress.ts'
import { piecesOf, sizeOfContent } from '../base/upload-body.ts'
import type { UploadContent } from '../base/upload-body.ts'
import { announcedSize, boundedBody, longerThan, silentFor, wholeBody, withoutSilence } from './answer-body.ts'
import { isSuccess } from './exchange.ts'
import type { Answer, AnswerHeaders, ComingBody, Exchange, Request } from './exchange.ts'
import { HttpTunnelAgent, HttpsTunnelAgent } from './tunnel-agent.ts'

type ExchangeOptions = Pick<
  ResolvedClientOptions,
  'ca' | 'proxy' | 'idleTimeout' | 'connectTimeout' | 'maxResponseSize'
>

/** Creates an exchange on Node's own HTTP, which reuses connections and goes through a proxy where one is set. */
export function createNodeExchange(options: ExchangeOptions): Exchange {
  const agents = createAgents(options)
  return {
    send: (request, signal) => sendOnce(request, options, agents, signal),
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

interface Agents {
  readonly http: http.Agent
  readonly https: https.Agent
}

function createAgents({ ca, proxy, connectTimeout }: ExchangeOptions): Agents {
  const kept = { keepAlive: true }
  const trusting = { ...kept, ...(ca !== undefined && { ca: ca.map((each) => Buffer.from(each)) }) }
  if (proxy === undefined) return { http: new http.Agent(kept), https: new https.Agent(trusting) }
  const tunnel = { proxy, ca, connectTimeout }
  return { http: new HttpTunnelAgent(kept, tunnel), https: new HttpsTunnelAgent(trusting, tunnel) }
}

function sendOnce(
  asked: Request,
  options: ExchangeOptions,
  agents: Agents,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const { method, url, headers, body, streamed, onSent, onReceived } = asked
  const encrypted = url.protocol === 'https:'
  const length = body === undefined ? 0 : sizeOfContent(body)
  const settings: RequestOptions = {
    method,
    headers: { ...headers, ...(method === 'POST' && length !== undefined && { 'Content-Length': String(length) }) },
    agent: encrypted ? agents.https : agents.http,
  }
  const request = (encrypted ? https : http).request(url, settings)
  const watch = watchTry(request, asked, options, signal)
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      watch.release()
      reject(watch.errorOf(error))
    }
    request.on('error', fail)
    request.on('response', (response) => {
      watch.answered = true
      const answer = { status: response.statusCode ?? 0, headers: singleHeaders(response.headers) }
      const pieces = bodyOf(response, answer.headers, options, onReceived)
      if (streamed === true && isSuccess(answer.status)) {
        watch.untimed()
        const coming = handOver(response, withoutSilence(pieces, options.idleTimeout), watch)
        return resolve({ ...answer, body: new Uint8Array(), coming })
      }
      wholeBody(pieces).then(
        (whole) => {
          watch.release()
          // An answer that came before the upload was through: the rest of it is not wanted.
          if (!request.writableFinished) request.destroy()
          resolve({ ...answer, body: whole })
        },
        (error: Error) => {
          fail(error)
          request.destroy()
        },
      )
    })
    sendBody(request, body, onSent).catch((error: unknown) => {
      watch.unreadable = { reason: error }
      request.destroy(error as Error)
      fail(error)
    })
  })
}

/** The state of one try, which ends for the first of many reasons. */
interface Watch {
  /** `true` from the first byte of an answer on. */
  answered: boolean
  /** The error of the content itself, which is no fault of the connection. */
  unreadable: { readonly reason: unknown } | undefined
  /** Returns why the try has failed, of what the socket says about it. */
  errorOf(error: unknown): unknown
  /** Leaves the time that the try takes to the reader of its body. */
  untimed(): void
  /** Stops watching. */
  release(): void
}

/** Ends the request when it takes too long, or when it is aborted. */
function watchTry(
  request: ClientRequest,
  asked: Request,
  options: ExchangeOptions,
  signal: AbortSignal | undefined,
): Watch {
  const stop = bound(request, asked, options)
  const abort = (): void => void request.destroy(signal?.reason as Error)
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted === true) abort()
  const watch: Watch = {
    answered: false,
    unreadable: undefined,
    errorOf(error) {
      if (watch.unreadable !== undefined) return watch.unreadable.reason
      // A request that was told to go away fails for that reason, whatever the socket says about it.
      if (signal?.aborted === true) return signal.reason
      return connectionError(error, request.reusedSocket && !watch.answered)
    },
    untimed() {
      stop()
      request.setTimeout(0)
    },
    release() {
      stop()
      signal?.removeEventListener('abort', abort)
    },
  }
  return watch
}

/** Writes the content as fast as it is taken. @throws what the content or the listener throws */
async function sendBody(
  request: ClientRequest,
  body: UploadContent | undefined,
  onSent: OnBytes | undefined,
): Promise<void> {
  if (body !== undefined) {
    const total = sizeOfContent(body)
    let bytes = 0
    for await (const piece of piecesOf(body)) {
      if (request.destroyed) return
      if (!request.write(piece)) await room(request)
      bytes += piece.length
      onSent?.(bytes, total)
    }
  }
  request.end()
}

/** Waits until more can be written, or never again. */
function room(request: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      request.off('drain', go).off('close', go)
      resolve()
    }
    request.on('drain', go).on('close', go)
  })
}

function bodyOf(
  response: IncomingMessage,
  headers: AnswerHeaders,
  { maxResponseSize }: ExchangeOptions,
  onReceived: OnBytes | undefined,
): AsyncGenerator<Uint8Array> {
  return boundedBody(response as AsyncIterable<Buffer>, {
    expected: announcedSize(headers),
    maxSize: maxResponseSize,
    onReceived,
    isComplete: () => response.complete,
  })
}

/** Gives the body to a reader. One who leaves before the end closes the connection. */
function handOver(
  response: IncomingMessage,
  pieces: AsyncIterable<Uint8Array>,
  { errorOf, release }: Watch,
): ComingBody {
  const cancel = (): void => {
    release()
    if (!response.complete) response.destroy()
  }
  async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      yield* pieces
    } catch (error) {
      throw errorOf(error)
    } finally {
      cancel()
    }
  }
  return { pieces: watched(), cancel }
}

/** Headers that are there several times are none that the interface has. */
function singleHeaders(headers: IncomingHttpHeaders): AnswerHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/**
 * Ends the request when it takes too long to connect, as a whole, or between two bytes. Returns how to stop watching.
 */
function bound(
  request: ClientRequest,
  { url, timeout, onConnected }: Request,
  { idleTimeout, connectTimeout }: ExchangeOptions,
): () => void {
  const encrypted = url.protocol === 'https:'
  const whole = setTimeout(() => request.destroy(longerThan(timeout)), timeout)
  const connecting = setTimeout(() => {
    request.destroy(new ConnectionError(`No connection within ${connectTimeout} ms.`, { error: 'Timeout' }))
  }, connectTimeout)
  const connected = (): void => {
    clearTimeout(connecting)
    onConnected?.()
  }
  request.on('socket', (socket) => {
    if (request.reusedSocket || !(encrypted || socket.connecting)) connected()
    else socket.once(encrypted ? 'secureConnect' : 'connect', connected)
  })
  request.setTimeout(idleTimeout, () => request.destroy(silentFor(idleTimeout)))
  return () => {
    clearTimeout(whole)
    clearTimeout(connecting)
  }
}

/** OpenSSL's and Node's codes of a certificate that is not trusted, too old, or of another name. */
const CERTIFICATE_CODES = /CERT|UNABLE_TO_(?:GET_ISSUER|VERIFY)|SELF_SIGNED|HOSTNAME_MISMATCH/

function connectionError(error: unknown, onKeptConnection: boolean): ConnectionError {
  if (error instanceof ConnectionError) return error
  const { message, code = '' } = error as NodeJS.ErrnoException
  if (CERTIFICATE_CODES.test(code)) {
    const hint = "A private authority's certificate goes into 'ca'."
    return new ConnectionError(`The certificate of the service is not trusted: ${message}. ${hint}`, {
      error: 'CertificateError',
      cause: error,
    })
  }
  // Connections that were kept open may end at any moment: only their next use shows it.
  const stale = onKeptConnection && (code === 'ECONNRESET' || code === 'EPIPE')
  const said = message === 'aborted' ? 'The answer was cut off' : `The connection failed: ${message}`
  return new ConnectionError(`${said}.`, {
    error: stale ? 'StaleConnection' : message === 'aborted' ? 'Truncated' : 'ConnectionError',
    cause: error,
  })
}
