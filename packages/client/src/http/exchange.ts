import http from 'node:http'
import https from 'node:https'
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http'
import { ConnectionError } from '../base/errors.ts'
import type { ResolvedClientOptions } from '../base/options.ts'
import { HttpTunnelAgent, HttpsTunnelAgent } from './tunnel-agent.ts'

/** A request to the service. */
export interface Request {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | undefined
  /** The exchange calls it when there is a connection: from then on the service may hear of the request. */
  readonly onConnected?: () => void
}

/** The service's answer, its body included. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Makes one try of one request at a time, each bounded in time and size. Redirects are answers like any other. */
export interface Exchange {
  /**
   * @throws ConnectionError when no whole answer came
   * @throws the signal's reason when it is aborted
   */
  send(request: Request, signal?: AbortSignal): Promise<Answer>
  /** Closes the connections that are kept open for further requests. */
  close(): void
}

type ExchangeOptions = Pick<
  ResolvedClientOptions,
  'ca' | 'proxy' | 'timeout' | 'idleTimeout' | 'connectTimeout' | 'maxResponseSize'
>

/** Creates the HTTP exchange of a client, which reuses connections and goes through a proxy where one is set. */
export function createExchange(options: ExchangeOptions): Exchange {
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
  { method, url, headers, body, onConnected }: Request,
  options: ExchangeOptions,
  agents: Agents,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const encrypted = url.protocol === 'https:'
  const settings: RequestOptions = {
    method,
    headers: { ...headers, ...(method === 'POST' && { 'Content-Length': String(body?.length ?? 0) }) },
    agent: encrypted ? agents.https : agents.http,
  }
  return new Promise((resolve, reject) => {
    const request = (encrypted ? https : http).request(url, settings)
    const stop = bound(request, encrypted, options, onConnected)
    let answered = false
    const abort = (): void => void request.destroy(signal?.reason as Error)
    const fail = (error: unknown): void => {
      stop()
      signal?.removeEventListener('abort', abort)
      // A request that was told to go away fails for that reason, whatever the socket says about it.
      reject(signal?.aborted === true ? signal.reason : connectionError(error, request.reusedSocket && !answered))
    }
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted === true) abort()
    request.on('error', fail)
    request.on('response', (response) => {
      answered = true
      readWhole(response, options.maxResponseSize).then(
        (whole) => {
          stop()
          signal?.removeEventListener('abort', abort)
          // An answer that came before the upload was through: the rest of it is not wanted.
          if (!request.writableFinished) request.destroy()
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: whole })
        },
        (error: Error) => {
          fail(error)
          request.destroy()
        },
      )
    })
    request.end(body)
  })
}

/**
 * Ends the request when it takes too long to connect, as a whole, or between two bytes. Returns how to stop watching.
 */
function bound(
  request: ClientRequest,
  encrypted: boolean,
  options: ExchangeOptions,
  onConnected?: () => void,
): () => void {
  const { timeout, idleTimeout, connectTimeout } = options
  const expire = (message: string) => (): void => {
    request.destroy(new ConnectionError(message, { error: 'Timeout' }))
  }
  const whole = setTimeout(expire(`The service took longer than ${timeout} ms.`), timeout)
  const connecting = setTimeout(expire(`No connection within ${connectTimeout} ms.`), connectTimeout)
  const connected = (): void => {
    clearTimeout(connecting)
    onConnected?.()
  }
  request.on('socket', (socket) => {
    if (request.reusedSocket || !(encrypted || socket.connecting)) connected()
    else socket.once(encrypted ? 'secureConnect' : 'connect', connected)
  })
  request.setTimeout(idleTimeout, expire(`The service was silent for ${idleTimeout} ms.`))
  return () => {
    clearTimeout(whole)
    clearTimeout(connecting)
  }
}

async function readWhole(response: IncomingMessage, maxSize: number): Promise<Buffer> {
  const declared = response.headers['content-length']
  const expected = declared === undefined ? undefined : Number(declared)
  const chunks: Buffer[] = []
  let size = 0
  refuseOver(maxSize, expected ?? 0)
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    refuseOver(maxSize, size)
    chunks.push(chunk)
  }
  if (!response.complete || (expected !== undefined && size !== expected)) {
    throw new ConnectionError(`The answer was cut off after ${size} bytes.`, { error: 'Truncated' })
  }
  return Buffer.concat(chunks, size)
}

function refuseOver(maxSize: number, size: number): void {
  if (size <= maxSize) return
  throw new ConnectionError(`The answer is larger than the limit of ${maxSize} bytes.`, { error: 'AnswerTooLarge' })
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
