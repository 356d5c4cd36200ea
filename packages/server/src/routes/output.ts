import type { Context } from 'hono'
import type { OutputRecord } from '../storage/contract.ts'
import { hasBody, readBody } from '../http/body.ts'
import { assertAllowed } from '../accounts/authentication.ts'
import { assertClientWaits } from '../http/context.ts'
import type { Access, AppEnv } from '../http/context.ts'
import { HttpError } from '../http/http-error.ts'
import { answerJson, isJson, parseJson } from '../http/json.ts'
import type { MemoryShare } from '../http/upload-memory.ts'
import { NO_COMMANDS, parseCommands } from './commands.ts'
import type { Commands } from './commands.ts'
import { withQuality } from './extensions.ts'
import type { Services } from './services.ts'

/** Bytes of a JSON body: commands and credentials. */
const MAX_JSON = 64 * 1024

/** An image to answer with, or to store. */
interface MadeImage {
  readonly data: Uint8Array
  readonly type: string
  readonly width: number
  readonly height: number
  readonly orientation?: number | undefined
}

/**
 * Answers `GET` and `POST /output/<id>`: the compressed image, or another one made from the upload. Many clients send
 * commands by GET, so both methods mean the same.
 */
export async function output(c: Context<AppEnv>, access: Access, services: Services): Promise<Response> {
  const record = await findRecord(c.req.param('id') ?? '', access.account, services)
  // HEAD asks what GET without commands would answer.
  if (c.req.method === 'HEAD') return image(record.output, null)
  const memory = services.memory.open(access.account)
  try {
    const commands = withQuality(c, await readCommands(c, memory))
    for (const command of commands.named) assertAllowed(access, command)
    if (commands.unchanged && commands.store === undefined) return await download(record, services)
    return await perform(c, { commands, access, record, memory }, services)
  } finally {
    memory.release()
  }
}

async function findRecord(id: string, account: string, { backend, clock }: Services): Promise<OutputRecord> {
  const record = /^[\da-f]{32}$/.test(id) ? await backend.records.find(id) : undefined
  // Another account's output answers as none at all, so that ids cannot be tried out.
  if (record === undefined || record.account !== account || record.expiresAt <= clock()) throw notFound()
  return record
}

async function readCommands(c: Context<AppEnv>, memory: MemoryShare): Promise<Commands> {
  if (!hasBody(c)) return NO_COMMANDS
  const body = await readBody(c, { maxBytes: MAX_JSON, memory })
  if (body.length === 0) return NO_COMMANDS
  if (!isJson(c)) throw new HttpError('BadRequest', "The 'Content-Type' of commands must be 'application/json'.")
  return parseCommands(parseJson(body))
}

async function download({ id, output: info }: OutputRecord, { backend }: Services): Promise<Response> {
  const body = await backend.bytes.stream(id, 'output')
  if (body === undefined) throw notFound()
  return image(info, body)
}

/** A request for another image than the one that is kept. */
interface OutputRequest {
  readonly commands: Commands
  readonly access: Access
  readonly record: OutputRecord
  readonly memory: MemoryShare
}

/** Resizes, fills, encodes, preserves; then stores; then counts; then answers. */
async function perform(c: Context<AppEnv>, request: OutputRequest, services: Services): Promise<Response> {
  const { commands, access } = request
  const { accounting, metrics, store } = services
  await accounting.assertWithinLimit(access, commands.counted.length)
  const made = await makeImage(request, () => assertClientWaits(c), services)
  const stored = commands.store === undefined ? undefined : await store(made, commands.store)
  assertClientWaits(c)
  c.set('count', await accounting.count(access, commands.counted.length))
  for (const operation of commands.counted) metrics.compressions(operation)
  metrics.account(access.account, { compressions: commands.counted.length, bytesIn: 0, bytesOut: 0 })
  if (stored === undefined) return image({ ...made, size: made.data.length }, made.data)
  return answerJson(c, '{}', 200, { Location: stored.location, ...dimensions(made) })
}

async function makeImage(
  { commands: { operations, unchanged }, record: { id, account, input, output: compressed }, memory }: OutputRequest,
  assertWanted: () => void,
  { backend, work }: Services,
): Promise<MadeImage> {
  if (!unchanged) work.assertRoom(account)
  memory.take(unchanged ? compressed.size : input.size)
  const bytes = await backend.bytes.get(id, unchanged ? 'output' : 'upload')
  if (bytes === undefined) throw notFound()
  if (unchanged) return { ...compressed, data: bytes }
  const { data, info, orientation } = await work.run(bytes, operations, { account, assertWanted })
  return { data, type: info.type, width: info.width, height: info.height, orientation }
}

/** An SVG keeps its scripts, which must not run under the address of this server. */
const NO_SCRIPTS = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

function image(info: OutputRecord['output'], body: Uint8Array | ReadableStream<Uint8Array> | null): Response {
  return new Response(body as ConstructorParameters<typeof Response>[0], {
    headers: {
      'Content-Type': info.type,
      'Content-Length': String(info.size),
      ...dimensions(info),
      ...(info.type === 'image/svg+xml' && { 'Content-Security-Policy': NO_SCRIPTS }),
    },
  })
}

/** Pixels as they are seen, and what a program that ignores EXIF has to know to find them in the file. */
const dimensions = ({ width, height, orientation }: Omit<MadeImage, 'data' | 'type'>): Record<string, string> => ({
  'Image-Width': String(width),
  'Image-Height': String(height),
  ...(orientation !== undefined && { 'Image-Orientation': String(orientation) }),
})

const notFound = (): HttpError => new HttpError('NotFound', 'This output does not exist, or it has expired.')
