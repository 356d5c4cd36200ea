import https from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestAuthority } from '@pixpress/testkit'
import type { ImageServer } from '@pixpress/testkit'

/** A fault of one request. */
export type Fault =
  /** The server answers (and counts), but so many bytes of the answer's body arrive, and then the connection ends. */
  | { readonly cutAfter: number }
  /** The server answers (and counts), and the answer is passed on after so many milliseconds. */
  | { readonly delay: number }
  /** The server never hears of it. */
  | { readonly status: number; readonly headers: Readonly<Record<string, string>> }

export interface GatewayRequest {
  readonly method: string
  readonly path: string
  /** Bytes of the body. */
  readonly size: number
}

/** Between clients and a server, over TLS on both sides, and able to spoil what passes through. */
export interface Gateway {
  readonly endpoint: string
  readonly ca: string
  /** The clients' requests, in the order of arrival. */
  readonly requests: readonly GatewayRequest[]
  /** Decides over each request, when it has arrived whole. Default: nothing goes wrong. */
  fault: (request: GatewayRequest) => Fault | undefined | Promise<Fault | undefined>
  close(): Promise<void>
}

export async function startGateway(server: ImageServer): Promise<Gateway> {
  const authority = await createTestAuthority()
  const requests: GatewayRequest[] = []
  const listener = https.createServer(authority.server, (request, response) => {
    handle(request, response).catch(() => response.destroy())
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await wholeBody(request)
    const seen: GatewayRequest = { method: request.method ?? '', path: request.url ?? '', size: body.length }
    requests.push(seen)
    const fault = await gateway.fault(seen)
    if (fault !== undefined && 'status' in fault) {
      response.writeHead(fault.status, { 'Content-Type': 'application/json', ...fault.headers })
      response.end(JSON.stringify({ error: 'TooManyRequests', message: 'Too many requests.' }))
      return
    }
    const { status, headers, data } = await forward(server, request, body)
    if (fault !== undefined && 'delay' in fault) await new Promise((resolve) => setTimeout(resolve, fault.delay))
    response.writeHead(status, headers)
    if (fault === undefined || !('cutAfter' in fault)) response.end(data)
    else response.write(data.subarray(0, fault.cutAfter), () => void response.destroy())
  }

  await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve))
  const gateway: Gateway = {
    endpoint: `https://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    ca: authority.ca,
    requests,
    fault: () => undefined,
    async close() {
      const closed = new Promise((resolve) => void listener.close(resolve))
      listener.closeAllConnections()
      await closed
    },
  }
  return gateway
}

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly data: Buffer
}

/** With the client's own `Host`, as the server names its outputs by the address that it was asked at. */
function forward(server: ImageServer, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  const { connection: _, 'transfer-encoding': __, ...passed } = headers
  const settings = {
    method,
    headers: { ...passed, 'Content-Length': body.length },
    ca: server.ca,
    agent: false,
  } as const
  return new Promise((resolve, reject) => {
    const request = https.request(new URL(url ?? '/', server.endpoint), settings, (response) => {
      const { connection: ___, 'keep-alive': ____, ...answered } = response.headers
      wholeBody(response).then(
        (data) =>
          resolve({
            status: response.statusCode ?? 0,
            headers: { ...answered, 'content-length': String(data.length) },
            data,
          }),
        reject,
      )
    })
    request.on('error', reject).end(body)
  })
}

async function wholeBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}
