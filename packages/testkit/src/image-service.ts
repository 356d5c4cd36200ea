import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createOptimizer } from '@pixpress/core'
import type { Operations, OptimizeResult, PixpressError } from '@pixpress/core'
import type { TestCertificate } from './test-authority.ts'

/** A request that the service has received. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Answers one request in the place of the service. */
export type ScriptedAnswer = (response: ServerResponse, request: SeenRequest) => void | Promise<void>

/** Options of the service. */
export interface ImageServiceOptions {
  /** Keys of the accounts. Default `['test-key']`. */
  readonly keys?: readonly string[]
  /** Compressions a month that each account may make. Default: no bound. */
  readonly quota?: number
  /** Serves https. */
  readonly tls?: TestCertificate
  /** The form of outputs' URLs in `Location`. Default: absolute. */
  readonly locations?: 'absolute' | 'relative'
}

/** The image compression interface on this machine, with core's local engine behind it. */
export interface ImageService {
  /** Base address. */
  readonly endpoint: string
  /** Every request, in the order of arrival, scripted ones included. */
  readonly requests: readonly SeenRequest[]
  /** Compressions of each account. */
  readonly counts: ReadonlyMap<string, number>
  /** Answers for the next requests, used up one by one before the service itself answers. */
  readonly script: ScriptedAnswer[]
  /** Forgets every output, as after the time that the service keeps them. */
  forgetOutputs(): void
  close(): Promise<void>
}

interface Output {
  readonly key: string
  readonly source: Buffer
  readonly result: OptimizeResult
}

/** Starts a service on a free port of 127.0.0.1. */
export async function startImageService(options: ImageServiceOptions = {}): Promise<ImageService> {
  const { keys = ['test-key'], quota = Infinity, tls, locations = 'absolute' } = options
  const optimizer = createOptimizer()
  const requests: SeenRequest[] = []
  const script: ScriptedAnswer[] = []
  const counts = new Map(keys.map((key) => [key, 0]))
  const outputs = new Map<string, Output>()

  const spend = (key: string, compressions: number): void => void counts.set(key, counts.get(key)! + compressions)
  const allows = (key: string, compressions: number): boolean => counts.get(key)! + compressions <= quota

  async function answer(seen: SeenRequest, response: ServerResponse): Promise<void> {
    const key = keyOf(seen.headers)
    if (key === undefined || !counts.has(key)) return refuse(response, 401, 'Unauthorized', 'Credentials are invalid.')
    const reply = (status: number, headers: Record<string, string | number>, body: Uint8Array | string): void => {
      const length = { 'Content-Length': Buffer.byteLength(body) }
      response.writeHead(status, { 'Compression-Count': counts.get(key)!, ...length, ...headers }).end(body)
    }
    const fail = (status: number, error: string, message: string): void =>
      reply(status, { 'Content-Type': 'application/json' }, JSON.stringify({ error, message }))
    try {
      if (seen.path === '/shrink') return await shrink(seen, key, reply, fail)
      const output = outputs.get(seen.path)
      if (output?.key !== key) return fail(404, 'NotFound', 'There is no such output.')
      const commands = (seen.body.length === 0 ? {} : JSON.parse(seen.body.toString())) as Commands
      return await render(output, commands, key, reply, fail)
    } catch (error) {
      const { code, message, status } = error as PixpressError
      return fail(status ?? 500, ERROR_NAMES[code] ?? 'BadRequest', message)
    }
  }

  async function shrink(seen: SeenRequest, key: string, reply: Reply, fail: Fail): Promise<void> {
    if (seen.body.length === 0) return fail(400, 'InputMissing', 'The upload is empty.')
    if (!allows(key, 1)) return fail(429, 'TooManyRequests', 'The monthly limit is reached.')
    const source = seen.headers['content-type'] === 'application/json' ? await download(seen.body) : seen.body
    const result = await optimizer.optimize(source)
    const path = `/output/${outputs.size + 1}`
    outputs.set(path, { key, source, result })
    spend(key, 1)
    const url = `${endpoint}${path}`
    const { size, type, width, height } = result.info
    const body = {
      input: { size: source.length, type: result.input.type },
      output: { size, type, width, height, ratio: Number((size / source.length).toFixed(4)), url },
    }
    const location = locations === 'absolute' ? url : path
    reply(201, { Location: location, 'Content-Type': 'application/json' }, JSON.stringify(body))
  }

  async function render(output: Output, commands: Commands, key: string, reply: Reply, fail: Fail): Promise<void> {
    const { store, ...operations } = commands
    const cost = [operations.resize, operations.convert, store].filter((command) => command !== undefined).length
    if (!allows(key, cost)) return fail(429, 'TooManyRequests', 'The monthly limit is reached.')
    const changed = Object.keys(operations).length > 0
    const { data, info } = changed ? await optimizer.optimize(output.source, operations) : output.result
    spend(key, cost)
    const size = { 'Image-Width': info.width, 'Image-Height': info.height }
    if (store === undefined) return reply(200, { ...size, 'Content-Type': info.type }, data)
    const location = `https://storage.example.com/${store.path}`
    reply(200, { ...size, Location: location, 'Content-Type': 'application/json' }, '{}')
  }

  const listener: RequestListener = (request, response) => {
    void readRequest(request).then(
      async (seen) => {
        requests.push(seen)
        const scripted = script.shift()
        await (scripted === undefined ? answer(seen, response) : scripted(response, seen))
      },
      () => response.destroy(),
    )
  }
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const endpoint = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    endpoint,
    requests,
    counts,
    script,
    forgetOutputs: () => outputs.clear(),
    async close() {
      const closed = new Promise((resolve) => void server.close(resolve))
      server.closeAllConnections()
      await closed
      await optimizer.close()
    },
  }
}

type Commands = Operations & { store?: { path: string } }
type Reply = (status: number, headers: Record<string, string | number>, body: Uint8Array | string) => void
type Fail = (status: number, error: string, message: string) => void

const ERROR_NAMES: Readonly<Record<string, string>> = {
  BACKGROUND_REQUIRED: 'BackgroundRequired',
  DECODE_FAILED: 'DecodeError',
  INPUT_TOO_LARGE: 'InputTooLarge',
  UNSUPPORTED_TYPE: 'UnsupportedMediaType',
}

/** An answer in the form of the interface's errors, for scripts. */
export function refuse(response: ServerResponse, status: number, error: string, message: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ error, message }))
}

function keyOf({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  const [scheme, credentials = ''] = authorization.split(' ')
  const [user, ...password] = Buffer.from(credentials, 'base64').toString().split(':')
  return scheme === 'Basic' && user === 'api' ? password.join(':') : undefined
}

async function download(body: Buffer): Promise<Buffer> {
  const { source } = JSON.parse(body.toString()) as { source: { url: string } }
  return Buffer.from(await (await fetch(source.url)).arrayBuffer())
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const { method = '', url: path = '', headers } = request
  return { method, path, headers, body: Buffer.concat(chunks) }
}
