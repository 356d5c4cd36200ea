import http from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import https from 'node:https'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { CanonicalResponse } from './canonical-response.ts'
import { HttpError, errorBody, unforeseen } from './http-error.ts'
import { failBody, onBodyWanted } from './incoming.ts'

/** Bytes of a refused body that are read and dropped, so that its sender gets to read the answer. */
const LINGER_BYTES = 256 * 1024 * 1024
const LINGER_TIME = 15_000
const LINGER_CHECK = 50

/**
 * Milliseconds without a byte in either direction: longer than any image waits and is worked on, shorter than for ever.
 */
const SOCKET_TIMEOUT = 600_000

/** Settings of the HTTP server. */
export interface HttpServerSettings {
  /** PEM. `undefined`: in the clear. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  /** Milliseconds in which a whole request must have arrived. */
  readonly uploadTimeout: number
  /** The server calls it once per broken connection or malformed request that never became one. */
  readonly onMalformed: (code: string) => void
  /** Tells whether connections are to end with the answers that are under way. */
  readonly closing: () => boolean
}

type App = (
  request: Request,
  env: { incoming: IncomingMessage; outgoing: ServerResponse },
) => Response | Promise<Response>

/**
 * Puts a server of Node's before the app: malformed requests are answered in the interface's own words, a refused
 * upload's sender sees the answer, and `Expect: 100-continue` is granted only when the body is wanted.
 */
export function createHttpServer(app: App, settings: HttpServerSettings): http.Server | https.Server {
  const { tls, uploadTimeout, onMalformed, closing } = settings
  const listener = getRequestListener((request, env) => app(request, env as Parameters<App>[1]), {
    hostname: 'localhost',
    // Bodies that nobody reads are dealt with below.
    autoCleanupIncoming: false,
    overrideGlobalObjects: false,
    errorHandler: (error) => jsonResponse(errorBeforeApp(error)),
  })
  const options: http.ServerOptions = {
    requestTimeout: uploadTimeout,
    headersTimeout: Math.min(60_000, uploadTimeout),
    connectionsCheckingInterval: Math.min(5000, uploadTimeout),
    // Longer than load balancers keep theirs, so that a connection never closes under a request.
    keepAliveTimeout: 75_000,
    // The app answers these requests: Node's own answer has no body.
    requireHostHeader: false,
    ServerResponse: CanonicalResponse,
  }
  const server = tls === undefined ? http.createServer(options) : https.createServer({ ...options, ...tls })
  server.setTimeout(SOCKET_TIMEOUT)
  const underWay = new WeakMap<Duplex, Exchange>()

  function handle(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const exchange = { incoming, outgoing }
    if (closing()) outgoing.setHeader('Connection', 'close')
    underWay.set(incoming.socket, exchange)
    outgoing.once('close', () => {
      if (underWay.get(incoming.socket) === exchange) underWay.delete(incoming.socket)
    })
    outgoing.once('finish', () => {
      if (!incoming.complete) linger(incoming)
    })
    // A sender that hangs up while it is refused: the answer is lost, and nobody waits for it.
    incoming.on('error', () => undefined)
    void listener(incoming, outgoing)
  }

  server.on('request', handle)
  server.on('checkExpectation', handle)
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    onBodyWanted(incoming, () => outgoing.writeContinue())
    handle(incoming, outgoing)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    onMalformed(error.code ?? error.name)
    answerMalformed(error, socket, underWay.get(socket))
  })
  return server
}

interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/**
 * Answers input that the parser could not read. That belongs to the body of the request under way, or follows it, or
 * stands alone. An answer under way is finished first: it belongs to a request that was read well.
 */
function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex, exchange: Exchange | undefined): void {
  if (exchange !== undefined && !exchange.outgoing.writableEnded) {
    const { incoming, outgoing } = exchange
    if (!outgoing.headersSent) outgoing.setHeader('Connection', 'close')
    outgoing.once('finish', () => socket.end())
    if (!incoming.complete) failBody(incoming, malformed(error))
    return
  }
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const body = errorBody(malformed(error))
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  )
}

function malformed({ code }: NodeJS.ErrnoException): HttpError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new HttpError('BadRequest', 'The request took too long to arrive.')
  if (code === 'HPE_HEADER_OVERFLOW') return new HttpError('BadRequest', 'The headers of the request are too large.')
  if (code === 'HPE_INVALID_EOF_STATE')
    return new HttpError('BadRequest', 'The request ended before its announced length.')
  return new HttpError('BadRequest', 'The request is not valid HTTP.')
}

/**
 * Returns the error for a URL or header that is no valid request, which the app never sees; the app itself answers
 * every other error.
 */
function errorBeforeApp(error: unknown): HttpError {
  const isRequestError = error instanceof Error && error.name === 'RequestError'
  return isRequestError
    ? new HttpError('BadRequest', 'The request is not valid HTTP.', { cause: error })
    : unforeseen(error)
}

function jsonResponse(error: HttpError): Response {
  return new Response(errorBody(error), { status: error.status, headers: { 'Content-Type': 'application/json' } })
}

/**
 * Closing at once would reset the connection, and the sender would find that instead of the answer; so the rest is read
 * and dropped, within bounds.
 */
function linger(incoming: IncomingMessage): void {
  const { socket } = incoming
  const from = socket.bytesRead
  const until = performance.now() + LINGER_TIME
  const timer = setInterval(() => {
    if (incoming.complete || socket.destroyed) clearInterval(timer)
    else if (socket.bytesRead - from > LINGER_BYTES || performance.now() > until) {
      clearInterval(timer)
      socket.destroy()
    }
  }, LINGER_CHECK)
  timer.unref()
  incoming.resume()
}
