import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { detectType } from '@pixpress/core'
import type { Context } from 'hono'
import { BackendUnavailableError } from '../storage/contract.ts'
import type { OutputRecord } from '../storage/contract.ts'
import { hasBody, readBody } from '../http/body.ts'
import type { CountedBytes } from '../accounts/accounting.ts'
import { assertAllowed } from '../accounts/authentication.ts'
import { assertClientWaits } from '../http/context.ts'
import type { Access, AppEnv } from '../http/context.ts'
import { HttpError } from '../http/http-error.ts'
import { answerJson, asObject, assertKnownKeys, isJson, parseJson } from '../http/json.ts'
import type { MemoryShare } from '../http/upload-memory.ts'
import { fetchSource } from '../source/fetch-source.ts'
import { errorFields } from '../telemetry/log.ts'
import { assertAccepted } from './extensions.ts'
import type { WorkResult } from './image-work.ts'
import type { Services } from './services.ts'

/** Bytes of a JSON body: a URL and its keys. */
const MAX_JSON = 64 * 1024

/** Answers `POST /shrink`: compresses an upload, or the image at a URL, and keeps it as a new output resource. */
export async function shrink(c: Context<AppEnv>, access: Access, services: Services): Promise<Response> {
  const { accounting, work, backend, metrics } = services
  // An upload without content asks whether the key is right: no limit stands before that answer.
  if (!hasBody(c)) throw inputMissing()
  assertAllowed(access, 'shrink')
  await accounting.assertWithinLimit(access, 1)
  work.assertRoom(access.account)
  const memory = services.memory.open(access.account)
  try {
    const upload = await readUpload(c, memory, services)
    if (upload.length === 0) throw inputMissing()
    assertAccepted(c, upload)
    const id = randomBytes(16).toString('hex')
    // The upload is stored, then counted, then answered: a result that a client knows of is never lost and never
    // uncounted.
    const kept = await compressAndKeep(c, { id, upload, memory }, services)
    const record = newRecord(id, access.account, kept, services)
    try {
      await backend.records.create(record)
      assertClientWaits(c)
      c.set('count', await accounting.count(access, 1, bytesOf(record)))
    } catch (error) {
      await forget(id, c, services)
      throw error
    }
    metrics.compressions('shrink')
    metrics.account(access.account, { compressions: 1, ...bytesOf(record) })
    return created(c, record, `${services.origin(c)}/output/${record.id}`)
  } finally {
    memory.release()
  }
}

/** An upload on its way to an output. */
interface Incoming {
  /** The id of the output. */
  readonly id: string
  readonly upload: Buffer
  /** Where the upload is held. */
  readonly memory: MemoryShare
}

/** The result and the upload are where outputs are; where that fails, neither is. */
async function compressAndKeep(c: Context<AppEnv>, incoming: Incoming, services: Services): Promise<WorkResult> {
  const { id, upload } = incoming
  const { work, backend } = services
  const asker = { account: c.get('account')!, assertWanted: (): void => assertClientWaits(c) }
  const keepUpload = (): Promise<void> => backend.bytes.put(id, 'upload', upload, detectType(upload)!)
  const keepResult = ({ data, info }: WorkResult): Promise<void> => backend.bytes.put(id, 'output', data, info.type)
  const cost = await work.cost(upload)
  const isStored = !work.idle && services.memory.isTight
  const made = isStored ? undefined : await work.runLater(() => Promise.resolve(upload), cost, asker)
  try {
    if (made !== undefined) {
      await allDone([keepUpload(), keepResult(made)])
      return made
    }
    await keepUpload()
    const later = await work.runLater(letGoUntilTurn(incoming, services), cost, asker)
    await keepResult(later)
    return later
  } catch (error) {
    await forget(id, c, services)
    throw error
  }
}

/** Lets the memory of an upload go, which is kept already. @returns how to have it again */
function letGoUntilTurn({ id, upload, memory }: Incoming, { backend }: Services): () => Promise<Uint8Array> {
  const size = upload.length
  memory.letGo()
  return async () => {
    memory.takeAnyway(size)
    const kept = await backend.bytes.get(id, 'upload')
    if (kept?.length === size) return kept
    throw new BackendUnavailableError('An upload that was kept a moment ago is not there.')
  }
}

/** Milliseconds that an answer waits for the removal of what nobody will hear of: a silent bucket takes far longer. */
const FORGET_WAIT = 1000

/** Nobody will hear of this output: its bytes must not fill a disk that may be full already. */
async function forget(id: string, c: Context<AppEnv>, { backend, log }: Services): Promise<void> {
  const deleted = backend.bytes.delete(id).catch((error: unknown) => {
    // The request has failed for another reason, which is the one to be told.
    log.warn('output not deleted', { request: c.get('requestId'), ...errorFields(error) })
  })
  const answered = new AbortController()
  await Promise.race([deleted, delay(FORGET_WAIT, undefined, { signal: answered.signal }).catch(() => undefined)])
  answered.abort()
}

/**
 * Fails when all have ended, not before: the memory of an upload that is still being written must not be used again.
 */
async function allDone(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

async function readUpload(c: Context<AppEnv>, memory: MemoryShare, { settings, tracing }: Services): Promise<Buffer> {
  const { maxBytes } = settings.limits
  if (!isJson(c)) {
    const upload = await readBody(c, { maxBytes, memory })
    if (upload.length === 0) throw inputMissing()
    return upload
  }
  const body = await readBody(c, { maxBytes: MAX_JSON, memory })
  if (body.length === 0) throw inputMissing()
  const url = sourceUrl(parseJson(body))
  return tracing.span('fetch', async (span) => {
    const upload = await fetchSource(url, { sources: settings.sources, maxBytes, memory })
    span.set({ 'pixpress.input.bytes': upload.length })
    return upload
  })
}

function sourceUrl(body: unknown): string {
  const given = asObject('The body', body)
  assertKnownKeys('', given, ['source'])
  if (given.source === undefined) throw inputMissing()
  const source = asObject("'source'", given.source)
  assertKnownKeys('source', source, ['url'])
  if (source.url === undefined) throw inputMissing()
  if (typeof source.url !== 'string') throw new HttpError('BadRequest', "'source.url' must be a text.")
  return source.url
}

function newRecord(
  id: string,
  account: string,
  { info, input, orientation }: WorkResult,
  { settings, clock }: Services,
): OutputRecord {
  const now = clock()
  return {
    id,
    account,
    createdAt: now,
    expiresAt: now + settings.retention,
    input: { type: input.type, size: input.size },
    output: {
      type: info.type,
      size: info.size,
      width: info.width,
      height: info.height,
      ...(orientation !== undefined && { orientation }),
    },
  }
}

const bytesOf = ({ input, output }: OutputRecord): CountedBytes => ({ bytesIn: input.size, bytesOut: output.size })

function created(c: Context<AppEnv>, { input, output }: OutputRecord, url: string): Response {
  const ratio = Number((output.size / input.size).toFixed(4))
  return answerJson(c, JSON.stringify({ input, output: { ...output, ratio, url } }), 201, { Location: url })
}

function inputMissing(): HttpError {
  return new HttpError('InputMissing', "The upload is empty. Send an image, or a JSON object with 'source.url'.")
}
