import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Operations, OptimizeResult, Optimizer, PixpressError } from '@pixpress/core'

/** A request that the service has received. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Answers one request in the place of the service. */
export type ScriptedAnswer = (response: ServerResponse, request: SeenRequest) => void | Promise<void>

/** The state of a service between its requests. */
export interface ServiceState {
  readonly optimizer: Optimizer
  /** Compressions of each account, by key. */
  readonly counts: Map<string, number>
  /** Compressions that each account may make. */
  readonly quota: number
  /** Outputs by their path. */
  readonly outputs: Map<string, Output>
  /** Returns the URL of an output, and how `Location` gives it. */
  locate(path: string): { readonly url: string; readonly location: string }
}

interface Output {
  readonly key: string
  readonly source: Buffer
  readonly result: OptimizeResult
}

/** A request of an account with the ways to answer it. */
interface Exchange {
  readonly seen: SeenRequest
  readonly key: string
  reply(status: number, headers: Record<string, string | number>, body: Uint8Array | string): void
  fail(status: number, error: string, message: string): void
}

type Commands = Operations & { store?: { path: string } }

const ERROR_NAMES: Readonly<Record<string, string>> = {
  BACKGROUND_REQUIRED: 'BackgroundRequired',
  DECODE_FAILED: 'DecodeError',
  INPUT_TOO_LARGE: 'InputTooLarge',
  UNSUPPORTED_TYPE: 'UnsupportedMediaType',
}

/** Answers a request as the service does: `/shrink`, or commands for one of its outputs. */
export async function answerAsService(state: ServiceState, seen: SeenRequest, response: ServerResponse): Promise<void> {
  const key = keyOf(seen.headers)
  if (key === undefined || !state.counts.has(key)) {
    return refuse(response, 401, 'Unauthorized', 'Credentials are invalid.')
  }
  const exchange: Exchange = {
    seen,
    key,
    reply(status, headers, body) {
      const length = { 'Content-Length': Buffer.byteLength(body) }
      response.writeHead(status, { 'Compression-Count': state.counts.get(key)!, ...length, ...headers }).end(body)
    },
    fail: (status, error, message) =>
      exchange.reply(status, { 'Content-Type': 'application/json' }, JSON.stringify({ error, message })),
  }
  try {
    if (seen.path === '/shrink') return await shrink(state, exchange)
    const output = state.outputs.get(seen.path)
    if (output?.key !== key) return exchange.fail(404, 'NotFound', 'There is no such output.')
    return await render(state, exchange, output)
  } catch (error) {
    const { code, message, status } = error as PixpressError
    return exchange.fail(status ?? 500, ERROR_NAMES[code] ?? 'BadRequest', message)
  }
}

async function shrink(state: ServiceState, { seen, key, reply, fail }: Exchange): Promise<void> {
  if (seen.body.length === 0) return fail(400, 'InputMissing', 'The upload is empty.')
  if (!allows(state, key, 1)) return fail(429, 'TooManyRequests', 'The monthly limit is reached.')
  const source = seen.headers['content-type'] === 'application/json' ? await download(seen.body) : seen.body
  const result = await state.optimizer.optimize(source)
  const path = `/output/${state.outputs.size + 1}`
  state.outputs.set(path, { key, source, result })
  spend(state, key, 1)
  const { url, location } = state.locate(path)
  const { size, type, width, height } = result.info
  const body = {
    input: { size: source.length, type: result.input.type },
    output: { size, type, width, height, ratio: Number((size / source.length).toFixed(4)), url },
  }
  reply(201, { Location: location, 'Content-Type': 'application/json' }, JSON.stringify(body))
}

async function render(state: ServiceState, { seen, key, reply, fail }: Exchange, output: Output): Promise<void> {
  const commands = (seen.body.length === 0 ? {} : JSON.parse(seen.body.toString())) as Commands
  const { store, ...operations } = commands
  const cost = [operations.resize, operations.convert, store].filter((command) => command !== undefined).length
  if (!allows(state, key, cost)) return fail(429, 'TooManyRequests', 'The monthly limit is reached.')
  const changed = Object.keys(operations).length > 0
  const { data, info } = changed ? await state.optimizer.optimize(output.source, operations) : output.result
  spend(state, key, cost)
  const size = { 'Image-Width': info.width, 'Image-Height': info.height }
  if (store === undefined) return reply(200, { ...size, 'Content-Type': info.type }, data)
  const location = `https://storage.example.com/${store.path}`
  reply(200, { ...size, Location: location, 'Content-Type': 'application/json' }, '{}')
}

const allows = ({ counts, quota }: ServiceState, key: string, compressions: number): boolean =>
  counts.get(key)! + compressions <= quota

const spend = ({ counts }: ServiceState, key: string, compressions: number): void =>
  void counts.set(key, counts.get(key)! + compressions)

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
