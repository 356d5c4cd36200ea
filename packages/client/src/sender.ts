import { parseObject, wholeNumberOf } from './answer.ts'
import { utf8Bytes } from './base/encoding.ts'
import { ConnectionError, ServerError, errorOfAnswer } from './base/errors.ts'
import type { PixpressClientError } from './base/errors.ts'
import type { ResolvedClientOptions } from './base/options.ts'
import type { OnBytes, OnProgress } from './base/progress.ts'
import type { UploadContent } from './base/upload-body.ts'
import { isSuccess } from './http/exchange.ts'
import type { Answer, AnswerHeaders, Request } from './http/exchange.ts'
import { createQueue } from './http/queue.ts'
import { retryAfterOf, withRetries } from './http/retry.ts'
import type { Platform } from './platform.ts'
import { basicCredentials, withoutSecrets } from './secrets.ts'

/** Options of every call. */
export interface CallOptions {
  /** Ends this call, and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** The client calls it with the bytes of the upload and of the download, piece by piece. */
  readonly onProgress?: OnProgress | undefined
}

/** Options of one request, an upload or an operation. */
export interface RequestOptions extends CallOptions {
  /**
   * The client calls it for each try that the service may have counted without its answer telling so: the answer was
   * cut off, or late, or never came.
   */
  readonly onLostAnswer?: (() => void) | undefined
}

/** Options of one request, as far as they are the client's own. */
export interface SendOptions extends RequestOptions {
  readonly maxWait?: number
  /** Besides the key: not to be repeated in errors. */
  readonly secrets?: readonly string[]
  /** Leaves the body of an answer of success to a reader. */
  readonly streamed?: boolean
  readonly onSent?: OnBytes | undefined
  readonly onReceived?: OnBytes | undefined
}

/** The content of a request: JSON, an image, or nothing. */
interface Content {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly json?: unknown
  readonly body?: UploadContent
}

/** Sends the requests of one account, some at once and again where that may help, and keeps its newest count. */
export interface Sender {
  /** @throws PixpressClientError for an answer without success, or none */
  send(content: Content, call?: SendOptions): Promise<Answer>
  /** The newest count of the month; `undefined` before the first answer. */
  readonly compressionCount: number | undefined
  close(): void
}

/** Names this client to the service. The version is the package's; a test holds it against the manifest. */
export const VERSION = '0.1.0'

/** Creates the sender of one account. */
export function createSender(options: ResolvedClientOptions, platform: Platform<Uint8Array>): Sender {
  const exchange = platform.createExchange(options)
  const queue = createQueue(options.concurrency)
  const requestOf = requestsOf(options, platform.agent)
  let compressionCount: number | undefined
  /** Requests and counts in the order in which they came about. */
  let moments = 0
  let countedAt = 0

  function note(headers: AnswerHeaders, sentAt: number): void {
    const count = wholeNumberOf(headers['compression-count'])
    if (count === undefined) return
    // Answers to requests at the same time may come in another order than the service counted them. A new month begins
    // at 0.
    const isOlder = compressionCount !== undefined && count < compressionCount && sentAt < countedAt
    if (!isOlder) {
      compressionCount = count
      countedAt = ++moments
    }
    options.onCompressionCount?.(compressionCount ?? count)
  }

  return {
    get compressionCount() {
      return compressionCount
    },
    send(content, { signal, onLostAnswer, maxWait = options.maxWait, secrets = [], ...rest } = {}) {
      const { streamed, onSent, onReceived } = rest
      const asked = { ...requestOf(content), streamed, onSent, onReceived }
      const { body } = content
      const ended = anyOf(options.signal, signal)
      const once = async (timeLeft: number): Promise<Answer> => {
        const sentAt = ++moments
        const timeout = Math.min(options.timeout, timeLeft)
        let connected = false
        const onConnected = (): void => void (connected = true)
        try {
          const answer = await exchange.send({ ...asked, timeout, onConnected }, ended)
          note(answer.headers, sentAt)
          if (isSuccess(answer.status)) return answer
          throw problemOf(answer, content.url, [options.key, ...secrets])
        } catch (error) {
          if (connected && isLostAnswer(error)) onLostAnswer?.()
          throw error
        }
      }
      const isRepeatable = (): boolean => body === undefined || !('repeatable' in body) || body.repeatable
      const { retries, totalTimeout } = options
      return queue.run(() => withRetries(once, { retries, maxWait, totalTimeout, isRepeatable }, ended), ended)
    },
    close: () => exchange.close(),
  }
}

/** Returns the function that gives content the headers of this client and account. */
function requestsOf(
  { key, endpoint, appIdentifier = '' }: ResolvedClientOptions,
  agent: string | undefined,
): (content: Content) => Omit<Request, 'timeout'> {
  const authorization = `Basic ${basicCredentials(key)}`
  return ({ method, url, json, body }) => ({
    method,
    url,
    headers: {
      ...(agent !== undefined && { 'User-Agent': `${appIdentifier} pixpress-client/${VERSION} ${agent}`.trimStart() }),
      // The key belongs to the endpoint's origin and goes nowhere else, whatever a Location says.
      ...(url.origin === endpoint.origin && { Authorization: authorization }),
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
    },
    body: json === undefined ? body : utf8Bytes(JSON.stringify(json)),
  })
}

function anyOf(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined)
  return given.length > 1 ? AbortSignal.any(given) : given[0]
}

/** No whole answer, or one of something in between that has lost the service's own. */
const isLostAnswer = (error: unknown): boolean =>
  error instanceof ServerError
    ? error.error === 'ParseError'
    : error instanceof ConnectionError && error.status === undefined

/** The error of an answer without success. Pages of proxies in between are not shown, only that there was one. */
function problemOf(answer: Answer, url: URL, secrets: readonly string[]): PixpressClientError {
  const { status, headers, body } = answer
  const { error, message } = parseObject(body) ?? {}
  const retryAfter = retryAfterOf(headers['retry-after'], Date.now())
  if (status >= 300 && status < 400) {
    const target = headers.location ?? 'another URL'
    const text = `${url.origin} redirects to ${withoutSecrets(target, secrets)}; redirects are not followed.`
    return errorOfAnswer(status, { error: 'Redirect', message: text, retryAfter })
  }
  const said =
    typeof message === 'string' && message !== ''
      ? withoutSecrets(message, secrets)
          .replaceAll(/\p{Cc}+/gu, ' ')
          .slice(0, 500)
      : `The answer is not the error of an image service (${headers['content-type'] ?? 'no type'}, ${body.length} bytes)`
  const name = typeof error === 'string' && /^\w{1,64}$/.test(error) ? error : 'ParseError'
  return errorOfAnswer(status, { error: withoutSecrets(name, secrets), message: said, retryAfter })
}
