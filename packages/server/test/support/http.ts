import http from 'node:http'
import https from 'node:https'
import net from 'node:net'

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly authorization?: string | undefined
  readonly body?: Uint8Array | string
  /** Sent as JSON with its media type. */
  readonly json?: unknown
  readonly ca?: string
}

export interface Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
  /** The body as JSON. */
  json<T = Record<string, unknown>>(): T
}

/** One request on a connection of its own, by any method with any body: fetch allows no body on GET. */
export function sendRequest(method: string, url: URL, options: RequestOptions = {}): Promise<Answer> {
  const { authorization, json, ca } = options
  const body = json === undefined ? options.body : JSON.stringify(json)
  const headers = {
    ...(authorization !== undefined && { Authorization: authorization }),
    ...(json !== undefined && { 'Content-Type': 'application/json' }),
    ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...options.headers,
  }
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http
    const outgoing = request(url, { method, headers, agent: false, ...(ca !== undefined && { ca }) }, (response) => {
      collect(response).then(resolve, reject)
    })
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}

async function collect(response: http.IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  return {
    status: response.statusCode!,
    headers: response.headers,
    body,
    json: <T>() => JSON.parse(body.toString()) as T,
  }
}

/** Sends bytes as they are and returns everything that comes back until the connection ends. */
export function sendRaw(url: string, bytes: string | Uint8Array, { end = true } = {}): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.once('end', () => {
      socket.end()
      resolve(Buffer.concat(chunks).toString('latin1'))
    })
    socket.once('error', reject)
    socket.write(bytes)
    if (end) socket.end()
  })
}
