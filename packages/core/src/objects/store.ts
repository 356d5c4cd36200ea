/**
 * An image goes to object storage: `store` → options (options.ts, path.ts) → request (client.ts), authorised by the
 * kind of store (its own file) → answer (refusal.ts).
 */
import { PixpressError } from '../base/errors.ts'
import { isPassingStatus, withRetries } from '../net/retry.ts'
import type { Attempt } from '../net/retry.ts'
import { createObjectClient } from './client.ts'
import type { ObjectRequest } from './contract.ts'
import { STORES } from './index.ts'
import type { StoreOptions } from './index.ts'
import { resolveStoreOptions } from './options.ts'
import { refusal } from './refusal.ts'

/** An image as `optimize` gives it, or any bytes with their type. */
export interface Storable {
  readonly data: Uint8Array
  /** `type`: MIME. */
  readonly info: { readonly type: string }
}

/** Options of one upload. */
export interface StoreCall {
  /** Aborts the upload. */
  readonly signal?: AbortSignal
  /** Milliseconds for each try. Default 30,000. */
  readonly timeout?: number
  /** Replaces the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/** Waits before each further try, in milliseconds. */
const RETRIES = [200, 800] as const

/** Bytes of a refusal that are read. */
const LONGEST_REFUSAL = 16_384

/**
 * Puts an image into object storage; an object of the same path is replaced. Servers' errors, too many requests and
 * broken connections are tried again, twice.
 * @returns the URL of the object
 * @throws PixpressError `INVALID_OPTION`; `STORE_FAILED`, which says what the storage answered and never a credential
 */
export async function store(
  { data, info }: Storable,
  options: StoreOptions,
  call: StoreCall = {},
): Promise<{ location: string }> {
  const { url, cacheControl } = resolveStoreOptions(options)
  const headers = { 'Content-Type': info.type, ...(cacheControl !== undefined && { 'Cache-Control': cacheControl }) }
  const response = await send({ method: 'PUT', url, headers, body: data }, options, call)
  if (response.status !== 200 && response.status !== 201) throw await refused(response, options)
  await response.body?.cancel()
  return { location: url }
}

/**
 * Tells whether an object is there. Without the right to list a bucket, S3 answers 403 for an object that does not
 * exist: that counts as absent.
 * @throws PixpressError like `store`
 */
export async function isStored(options: StoreOptions, call: StoreCall = {}): Promise<boolean> {
  const { url } = resolveStoreOptions(options)
  const { status } = await send({ method: 'HEAD', url, headers: {} }, options, call)
  if (status === 200) return true
  if (status === 404 || status === 403) return false
  throw refusal(status, '', STORES[options.service].hints)
}

/** Returns the URL that `store` would give. @throws PixpressError `INVALID_OPTION` */
export function storeLocation(options: StoreOptions): string {
  return resolveStoreOptions(options).url
}

/** @returns an answer that another try would not change */
async function send(
  request: ObjectRequest,
  options: StoreOptions,
  { signal, timeout = 30_000, fetch = globalThis.fetch }: StoreCall,
): Promise<Response> {
  const ask = createObjectClient(options)
  async function attempt(): Promise<Attempt<Response>> {
    const limit = AbortSignal.timeout(timeout)
    try {
      const response = await ask(request, {
        fetch,
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      })
      if (!isPassingStatus(response.status)) return { value: response }
      return { failure: await refused(response, options), passing: true }
    } catch (error) {
      return { failure: unreachable(error, limit.aborted), passing: signal?.aborted !== true }
    }
  }
  return withRetries(attempt, { waits: RETRIES, signal }).catch((error: unknown) => {
    throw error instanceof PixpressError ? error : unreachable(error, false)
  })
}

/** The error itself is not its cause: fetch's errors may hold the request. */
function unreachable(error: unknown, tooSlow: boolean): PixpressError {
  const { code, message } = ((error as Error).cause ?? error) as { code?: string; message: string }
  const reason = tooSlow ? 'it took too long to answer' : (code ?? message)
  return new PixpressError('STORE_FAILED', `The object storage cannot be reached: ${reason}.`)
}

async function refused(response: Response, { service }: StoreOptions): Promise<PixpressError> {
  return refusal(response.status, await readSome(response), STORES[service].hints)
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
