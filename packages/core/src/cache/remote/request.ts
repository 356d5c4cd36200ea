import { PixpressError } from '../../base/errors.ts'
import type { Attempt } from '../../net/retry.ts'
import { isPassingStatus } from '../../net/retry.ts'

/** Bytes of an answer that are read: more than any entry has. */
const LONGEST_ANSWER = 256 * 1024 ** 2

/** A whole answer. */
export interface Answer {
  readonly status: number
  readonly body: Uint8Array
}

/** One request to a remote: how it is sent, and what its answer means. */
export interface RemoteRequest<T> {
  readonly signal: AbortSignal
  send(): Promise<Response>
  /** Returns what an answer means; `undefined` for a failure. */
  read(answer: Answer): { readonly value: T } | undefined
}

/**
 * Sends one request to a remote cache and reads its answer as a whole.
 * @param place how messages call the remote
 */
export async function ask<T>(place: string, { signal, send, read }: RemoteRequest<T>): Promise<Attempt<T>> {
  try {
    const response = await send()
    const { status } = response
    const answered = read({ status, body: await wholeBody(response) })
    return answered ?? { failure: cacheUnavailable(`${place} answered ${status}.`), passing: isPassingStatus(status) }
  } catch (error) {
    return { failure: cacheUnavailable(`${place} cannot be reached: ${reasonOf(error)}.`), passing: !signal.aborted }
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
export const cacheUnavailable = (message: string): PixpressError => new PixpressError('REMOTE_UNAVAILABLE', message)

function reasonOf(error: unknown): string {
  const { name, code, message } = ((error as Error).cause ?? error) as { name?: string; code?: string; message: string }
  return name === 'AbortError' || name === 'TimeoutError' ? 'it took too long to answer' : (code ?? message)
}
