/**
 * Object storage: an image goes to S3, to a service that speaks its protocol, or to Google Cloud Storage. `store` →
 * options (options.ts, path.ts) → signed request (request.ts) → answer (refusal.ts).
 */
import { setTimeout as delay } from 'node:timers/promises'
import { PixpressError } from '../errors.ts'
import { resolveStoreOptions } from './options.ts'
import type { StoreOptions } from './options.ts'
import { refusal } from './refusal.ts'
import { headRequest, locationOf, putRequest } from './request.ts'

export type { GcsStoreOptions, S3StoreOptions, StoreHeaders, StoreOptions } from './options.ts'

/** An image as `optimize` gives it, or any bytes with their type. */
export interface Storable {
  readonly data: Uint8Array
  /** `type`: MIME. */
  readonly info: { readonly type: string }
}

export interface StoreCall {
  /** Aborts the upload. */
  readonly signal?: AbortSignal
  /** Milliseconds for each try. Default 30,000. */
  readonly timeout?: number
  /** In place of the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/** Waits before each further try, in milliseconds. */
const RETRIES = [200, 800] as const

/** Bytes of a refusal that are read. */
const LONGEST_REFUSAL = 16_384

/**
 * Puts an image into object storage; an object of the same path is replaced. Servers' errors, too many requests and broken
 * connections are tried again, twice.
 * @returns the address of the object
 * @throws PixpressError `INVALID_OPTION`; `STORE_FAILED`, which says what the storage answered and never a credential
 */
export async function store(
  image: Storable,
  options: StoreOptions,
  call: StoreCall = {},
): Promise<{ location: string }> {
  const destination = resolveStoreOptions(options)
  const object = { data: image.data, type: image.info.type }
  const response = await send((signal) => putRequest(destination, object, signal), call)
  if (response.status !== 200) throw refusal(response.status, await readSome(response))
  await response.body?.cancel()
  return { location: locationOf(destination) }
}

/**
 * Whether an object is there. Without the right to list a bucket, S3 answers 403 for one that is not: that counts as not
 * there.
 * @throws PixpressError as `store`
 */
export async function isStored(options: StoreOptions, call: StoreCall = {}): Promise<boolean> {
  const destination = resolveStoreOptions(options)
  const { status } = await send((signal) => headRequest(destination, signal), call)
  if (status === 200) return true
  if (status === 404 || status === 403) return false
  throw refusal(status, '')
}

/** The address that `store` would give. @throws PixpressError `INVALID_OPTION` */
export function storeLocation(options: StoreOptions): string {
  return locationOf(resolveStoreOptions(options))
}

async function send(
  request: (signal: AbortSignal) => Promise<Request>,
  { signal, timeout = 30_000, fetch = globalThis.fetch }: StoreCall,
): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const wait = RETRIES[attempt]
    const limit = AbortSignal.timeout(timeout)
    try {
      const response = await fetch(await request(signal === undefined ? limit : AbortSignal.any([signal, limit])))
      if ((response.status < 500 && response.status !== 429) || wait === undefined) return response
      await response.body?.cancel()
    } catch (error) {
      if (signal?.aborted === true || wait === undefined) throw unreachable(error, limit.aborted)
    }
    await delay(wait, undefined, { ...(signal !== undefined && { signal }) }).catch((error: unknown) => {
      throw unreachable(error, false)
    })
  }
}

/** The error itself is not its cause: fetch's errors may hold the request. */
function unreachable(error: unknown, tooSlow: boolean): PixpressError {
  const { code, message } = ((error as Error).cause ?? error) as { code?: string; message: string }
  const reason = tooSlow ? 'it took too long to answer' : (code ?? message)
  return new PixpressError('STORE_FAILED', `The object storage cannot be reached: ${reason}.`)
}

async function readSome(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece as Uint8Array, { stream: true })
    if (text.length > LONGEST_REFUSAL) break
  }
  return text
}
