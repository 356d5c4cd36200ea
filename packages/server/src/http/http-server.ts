import http from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import https from 'node:https'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { CanonicalResponse } from './canonical-response.ts'
import { HttpError, errorBody, overloaded, unforeseen } from './http-error.ts'
import { failBody, onBodyWanted } from './incoming.ts'

/** Bytes of a refused body that are read and dropped, so that its sender gets to read the answer. */
const LINGER_BYTES = 256 * 1024 * 1024
const LINGER_TIME = 15_000
const LINGER_CHECK = 50

/** The least milliseconds without a byte in either direction after which a connection is given up. */
const SOCKET_TIMEOUT = 600_000

/** Milliseconds that storage may take beside the wait and the work of an image. */
const BESIDE_WORK = 60_000

/** Settings of the HTTP server. */
export interface HttpServerSettings {
  /** PEM. `undefined`: in the clear. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  /** Milliseconds in which a whole request must have arrived. */
  readonly uploadTimeout: number
  /** Milliseconds that an image may wait and be worked on: no connection is given up before. */
  readonly answerTimeout: number
  /** Tells after how many milliseconds a client may come back that got no other answer in that time. */
  readonly retryAfter: () => number
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
  const { tls, uploadTimeout, answerTimeout, retryAfter, onMalformed, closing } = settings
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
  const underWay = new WeakMap<Duplex, Exchange>()
  server.setTimeout(Math.max(SOCKET_TIMEOUT, answerTimeout + BESIDE_WORK), (socket) => {
    const late = overloaded('The answer took too long.', retryAfter())
    if (underWay.get(socket)?.outgoing.headersSent === false) endWith(socket, late)
    else socket.destroy()
  })

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
  endWith(socket, malformed(error))
}

/** Answers with an error on the bare connection, and ends it: the app's own answer comes too late, if at all. */
function endWith(socket: Duplex, error: HttpError): void {
  const body = errorBody(error)
  const headers = {
    ...error.headers,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${error.status} ${http.STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n`
  socket.end(head + body, () => socket.destroy())
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
