import { PixpressError } from '../../base/errors.ts'
import type { Attempt } from '../../net/retry.ts'
import { isPassingStatus } from '../../net/retry.ts'

/** Bytes of an answer that are read: more than any entry has. */
const LONGEST_ANSWER = 256 * 1024 ** 2

/** A request to a remote. */
export interface RemoteRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT'
  readonly url: string
  /** They may have to be signed first. */
  readonly headers: Headers | Promise<Headers>
  readonly body?: Uint8Array
  readonly signal: AbortSignal
}

/** A whole answer. */
export interface Answer {
  readonly status: number
  readonly body: Uint8Array
}

/**
 * Sends one request to a remote cache and reads its answer as a whole.
 * @param read what a status means; `undefined` for one that is a failure
 */
export async function ask<T>(
  { method, url, headers, body, signal }: RemoteRequest,
  place: string,
  read: (answer: Answer) => { readonly value: T } | undefined,
): Promise<Attempt<T>> {
  try {
    const sent = await headers
    // Bytes are to come as they are stored.
    sent.set('Accept-Encoding', 'identity')
    const response = await fetch(url, {
      method,
      headers: sent,
      ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer> }),
      // Credentials are for this host alone.
      redirect: 'manual',
      signal,
    })
    const { status } = response
    const answered = read({ status, body: await wholeBody(response) })
    return answered ?? { failure: failed(`${place} answered ${status}.`), passing: isPassingStatus(status) }
  } catch (error) {
    return { failure: failed(`${place} cannot be reached: ${reasonOf(error)}.`), passing: !signal.aborted }
  }
}

async function wholeBody(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).length
    if (size > LONGEST_ANSWER) throw new Error(`the answer has more than ${LONGEST_ANSWER} bytes`)
    chunks.push(chunk as Uint8Array)
  }
  return Buffer.concat(chunks, size)
}

/** The error itself is not the cause: fetch's errors may hold the request, and so credentials. */
export const failed = (message: string): PixpressError => new PixpressError('REMOTE_UNAVAILABLE', message)

function reasonOf(error: unknown): string {
  const { name, code, message } = ((error as Error).cause ?? error) as { name?: string; code?: string; message: string }
  return name === 'AbortError' || name === 'TimeoutError' ? 'it took too long to answer' : (code ?? message)
}
