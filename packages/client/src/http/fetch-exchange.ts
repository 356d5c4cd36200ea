import { joined } from '../base/encoding.ts'
import { ConnectionError, PixpressClientError } from '../base/errors.ts'
import type { ResolvedClientOptions } from '../base/options.ts'
import { iterated, piecesOf } from '../base/upload-body.ts'
import type { UploadContent } from '../base/upload-body.ts'
import { announcedSize, boundedBody, longerThan, wholeBody, withoutSilence } from './answer-body.ts'
import { isSuccess } from './exchange.ts'
import type { Answer, Exchange, Request as ServiceRequest } from './exchange.ts'
import { sendWatched, tellsOfUploads } from './xhr-exchange.ts'
import type { WholeContent } from './xhr-exchange.ts'

type FetchOptions = Pick<ResolvedClientOptions, 'idleTimeout' | 'maxResponseSize' | 'maxBuffered'>

/** Creates an exchange on `fetch`, which browsers and edge runtimes have. */
export function createFetchExchange(options: FetchOptions): Exchange {
  return {
    send: (request, signal) => fetchOnce(request, options, signal),
    // Connections are the runtime's own.
    close: () => undefined,
  }
}

async function fetchOnce(
  request: ServiceRequest,
  options: FetchOptions,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const { method, url, headers, timeout, streamed, onSent, onReceived } = request
  signal?.throwIfAborted()
  const watch = watchTry(timeout, signal)
  let handedOver = false
  try {
    const body = await unlessEnded(wholeContent(request.body, options.maxBuffered), watch.signal)
    request.onConnected?.()
    if (body !== undefined && onSent !== undefined && tellsOfUploads) {
      return await sendWatched({ request, body, maxSize: options.maxResponseSize, watch })
    }
    const settings = { ...NO_CREDENTIALS, method, headers, redirect: 'manual', signal: watch.signal } as const
    const response = await fetch(url, body === undefined ? settings : { ...settings, body }).catch((error: unknown) => {
      throw watch.errorOf(error)
    })
    if (body !== undefined) onSent?.(sizeOf(body), sizeOf(body))
    const answer = headOf(response)
    const pieces = boundedBody(withoutSilence(received(response, watch), options.idleTimeout), {
      expected: announcedSize(answer.headers),
      maxSize: options.maxResponseSize,
      onReceived,
    })
    if (streamed !== true || !isSuccess(answer.status)) return { ...answer, body: await wholeBody(pieces) }
    handedOver = true
    watch.untimed()
    return { ...answer, body: new Uint8Array(), coming: { pieces: watched(pieces, watch), cancel: watch.end } }
  } finally {
    if (!handedOver) watch.end()
  }
}

/** The ends that a try may come to. */
interface Watch {
  readonly signal: AbortSignal
  /** Leaves the time that the try takes to the reader of its body. */
  untimed(): void
  /** Returns why the try has failed, of what the runtime says about it. */
  errorOf(error: unknown): unknown
  /** Ends the try, if it is not over. */
  end(): void
}

function watchTry(timeout: number, signal: AbortSignal | undefined): Watch {
  const control = new AbortController()
  const abort = (): void => control.abort(signal?.reason)
  const timer = setTimeout(() => control.abort(longerThan(timeout)), timeout)
  signal?.addEventListener('abort', abort, { once: true })
  return {
    signal: control.signal,
    untimed: () => clearTimeout(timer),
    errorOf: (error) => (control.signal.aborted ? control.signal.reason : connectionError(error)),
    end() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      control.abort()
    },
  }
}

/** Waits no longer than the try lasts: a stream may have stopped for ever. */
function unlessEnded<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    promise.then(resolve, reject)
  })
}

/** Requests with a key of their own need no cookies, and no window that asks for a password. Workers lack it. */
const NO_CREDENTIALS: { readonly credentials?: 'omit' } =
  typeof Request === 'function' && 'credentials' in Request.prototype ? { credentials: 'omit' } : {}

/**
 * Returns the content in one piece: browsers send no streams over HTTP/1.1.
 * @throws PixpressClientError `StreamTooLarge`
 */
async function wholeContent(
  content: UploadContent | undefined,
  maxBuffered: number,
): Promise<WholeContent | undefined> {
  if (content === undefined || content instanceof Blob) return content
  if (content instanceof Uint8Array) return content as Uint8Array<ArrayBuffer>
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of piecesOf(content)) {
    size += piece.length
    if (size > maxBuffered) {
      const text = `A stream of more than ${maxBuffered} bytes cannot be sent from here: give a Blob or raise 'maxBuffered'.`
      throw new PixpressClientError(text, { error: 'StreamTooLarge' })
    }
    pieces.push(piece)
  }
  return joined(pieces, size) as Uint8Array<ArrayBuffer>
}

const sizeOf = (body: WholeContent): number => (body instanceof Uint8Array ? body.length : body.size)

function headOf({ status, type, headers }: Response): Pick<Answer, 'status' | 'headers'> {
  // Browsers do not say where a redirect leads that they were told not to follow.
  return type === 'opaqueredirect' ? { status: 302, headers: {} } : { status, headers: Object.fromEntries(headers) }
}

/** Gives the body as it comes. */
async function* received({ body }: Response, { errorOf }: Watch): AsyncGenerator<Uint8Array> {
  if (body === null) return
  const iterator = iterated(body)[Symbol.asyncIterator]()
  for (;;) {
    const { done, value } = await iterator.next().catch((error: unknown) => {
      throw errorOf(error)
    })
    if (done === true) return
    yield value
  }
}

async function* watched(pieces: AsyncIterable<Uint8Array>, watch: Watch): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces
  } finally {
    watch.end()
  }
}

function connectionError(error: unknown): ConnectionError {
  const { message, cause } = error as Error
  // Node says why in the cause; browsers never do.
  const why = cause instanceof Error && cause.message !== '' ? cause.message : message
  const hint = 'location' in globalThis ? " The service may not allow this page's origin." : ''
  return new ConnectionError(`The connection failed: ${why}.${hint}`, { error: 'ConnectionError', cause: error })
}
