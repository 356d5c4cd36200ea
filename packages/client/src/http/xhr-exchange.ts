import { longerThan, tooLarge } from './answer-body.ts'
import type { Answer, AnswerHeaders, Request } from './exchange.ts'

/** The content of a request, in one piece. */
export type WholeContent = Uint8Array<ArrayBuffer> | Blob

interface LoadEvent extends Event {
  readonly loaded: number
}

/** The part of XMLHttpRequest that is used here; Node's types do not have it. */
interface PageRequest extends EventTarget {
  readonly upload: EventTarget
  readonly status: number
  readonly response: ArrayBuffer | null
  readonly responseURL: string
  responseType: string
  timeout: number
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getAllResponseHeaders(): string
  send(body: WholeContent): void
  abort(): void
}

const PageRequestClass = (globalThis as { readonly XMLHttpRequest?: new () => PageRequest }).XMLHttpRequest

/** Tells whether this platform tells of uploads only by XMLHttpRequest: pages and their workers. */
export const tellsOfUploads: boolean = PageRequestClass !== undefined

/** An upload that a page watches. */
export interface WatchedUpload {
  readonly request: Request
  readonly body: WholeContent
  /** Bytes of the largest answer to accept. */
  readonly maxSize: number
  readonly watch: {
    readonly signal: AbortSignal
    errorOf(error: unknown): unknown
  }
}

/**
 * Makes a request by XMLHttpRequest, as `fetch` does not tell how much of an upload has gone out. A redirect, which it
 * follows by itself, is answered as one.
 * @throws ConnectionError, and the signal's reason when it is aborted
 */
export function sendWatched({ request, body, maxSize, watch }: WatchedUpload): Promise<Answer> {
  const { method, url, headers, timeout, onSent } = request
  const { signal, errorOf } = watch
  const sent = new PageRequestClass!()
  const total = body instanceof Blob ? body.size : body.length
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      signal.removeEventListener('abort', abort)
      reject(error)
      sent.abort()
    }
    const abort = (): void => fail(signal.reason)
    const tell = (event: Event): void => {
      try {
        onSent?.((event as LoadEvent).loaded, total)
      } catch (error) {
        fail(error)
      }
    }
    signal.addEventListener('abort', abort, { once: true })
    sent.open(method, url.href)
    sent.responseType = 'arraybuffer'
    sent.timeout = timeout
    for (const [name, value] of Object.entries(headers)) sent.setRequestHeader(name, value)
    sent.upload.addEventListener('progress', tell)
    sent.addEventListener('progress', (event) => {
      if ((event as LoadEvent).loaded > maxSize) fail(tooLarge(maxSize))
    })
    sent.addEventListener('error', () => fail(errorOf(new TypeError('the request failed'))))
    sent.addEventListener('timeout', () => fail(longerThan(timeout)))
    sent.addEventListener('load', () => {
      signal.removeEventListener('abort', abort)
      resolve(answerOf(sent, url))
    })
    sent.send(body)
  })
}

function answerOf(sent: PageRequest, url: URL): Answer {
  const body = new Uint8Array(sent.response ?? new ArrayBuffer(0))
  if (sent.responseURL !== url.href) return { status: 302, headers: { location: sent.responseURL }, body }
  return { status: sent.status, headers: headersOf(sent.getAllResponseHeaders()), body }
}

function headersOf(lines: string): AnswerHeaders {
  const pairs = lines.split('\r\n').flatMap((line) => {
    const [, name, value] = /^([^:]+): ?(.*)$/.exec(line) ?? []
    return name === undefined ? [] : [[name.toLowerCase(), value] as const]
  })
  return Object.fromEntries(pairs)
}
