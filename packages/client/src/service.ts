import type { IncomingHttpHeaders } from 'node:http'
import type { Commands } from './commands.ts'
import { AccountError, ClientError, ConnectionError, ServerError, errorOfAnswer } from './base/errors.ts'
import type { PixpressClientError } from './base/errors.ts'
import { isEncryptedOrLocal } from './base/url.ts'
import { createExchange } from './http/exchange.ts'
import type { Answer, Request } from './http/exchange.ts'
import { createQueue } from './http/queue.ts'
import { retryAfterOf, withRetries } from './http/retry.ts'
import type { ResolvedClientOptions } from './base/options.ts'
import { basicCredentials, secretsOf, withoutSecrets } from './secrets.ts'

/** An uploaded image, as the answer to `POST /shrink` describes it. */
export interface Upload {
  /** URL of the compressed image, absolute. */
  readonly url: string
  readonly input: { readonly size?: number; readonly type?: string }
  readonly output: {
    /** Bytes. */
    readonly size?: number
    readonly type?: string
    /** Pixels. */
    readonly width?: number
    readonly height?: number
    /** Bytes of the output by bytes of the input. */
    readonly ratio?: number
  }
  /** Compressions of the account in the current month, this one included. */
  readonly compressionCount: number | undefined
}

/** The answer to an upload with commands. */
export interface ServiceImage {
  /** The image; absent when it was stored elsewhere. */
  readonly data: Buffer | undefined
  /** MIME type of the image; absent when it was stored elsewhere. */
  readonly type: string | undefined
  /** Pixels. */
  readonly width: number | undefined
  readonly height: number | undefined
  /** URL of the stored object; absent without `store`. */
  readonly location: string | undefined
  /** Compressions of the account in the current month. */
  readonly compressionCount: number | undefined
}

/** Options of every call. */
export interface CallOptions {
  /** Ends this call, and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Options of one request, an upload or an operation. */
export interface RequestOptions extends CallOptions {
  /**
   * The client calls it for each try that the service may have counted without its answer telling so: the answer was
   * cut off, or late, or never came.
   */
  readonly onLostAnswer?: (() => void) | undefined
}

/** The interface's three requests. All throw PixpressClientError. */
export interface Service {
  /**
   * Asks whether the key is valid, which costs no compression. A key at its limit is valid.
   * @returns the account's compressions of the month, where the service tells
   * @throws AccountError for a wrong key
   */
  validate(call?: CallOptions): Promise<number | undefined>
  /** Uploads an image, or has the service fetch one. One compression. */
  shrink(image: Uint8Array | { readonly url: string }, call?: RequestOptions): Promise<Upload>
  /** Downloads an upload, changed by the commands: one compression each for `resize`, `convert` and `store`. */
  fetchImage(url: string, commands?: Commands, call?: RequestOptions): Promise<ServiceImage>
  /** The newest count of the month; `undefined` before the first answer. */
  readonly compressionCount: number | undefined
  close(): void
}

interface SendOptions extends RequestOptions {
  readonly maxWait?: number
  /** Besides the key: not to be repeated in errors. */
  readonly secrets?: readonly string[]
}

/** Names this client to the service. The version is the package's; a test holds it against the manifest. */
export const VERSION = '0.1.0'

/** Creates the calls of the interface for one account. One closure, as all calls share queue, key and count. */
export function createService(options: ResolvedClientOptions): Service {
  const { key, endpoint } = options
  const exchange = createExchange(options)
  const queue = createQueue(options.concurrency)
  const authorization = `Basic ${basicCredentials(key)}`
  const agent =
    `${options.appIdentifier ?? ''} pixpress-client/${VERSION} Node/${process.versions.node} (${process.platform})`.trimStart()
  const shrinkUrl = new URL('shrink', endpoint)
  let compressionCount: number | undefined
  /** Requests and counts in the order in which they came about. */
  let moments = 0
  let countedAt = 0

  async function send(
    { method, url, json, bytes }: { method: 'GET' | 'POST'; url: URL; json?: unknown; bytes?: Uint8Array },
    { signal, onLostAnswer, maxWait = options.maxWait, secrets = [] }: SendOptions = {},
  ): Promise<Answer> {
    const known = url.origin === endpoint.origin
    const request: Request = {
      method,
      url,
      headers: {
        'User-Agent': agent,
        // The key belongs to the endpoint's origin and goes nowhere else, whatever a Location says.
        ...(known && { Authorization: authorization }),
        ...(json !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: json === undefined ? bytes : Buffer.from(JSON.stringify(json)),
    }
    const ended = anyOf(options.signal, signal)
    const once = async (): Promise<Answer> => {
      const sentAt = ++moments
      let connected = false
      const onConnected = (): void => void (connected = true)
      try {
        const answer = await exchange.send({ ...request, onConnected }, ended)
        note(answer.headers, sentAt)
        if (answer.status >= 200 && answer.status < 300) return answer
        throw problemOf(answer, url, [key, ...secrets])
      } catch (error) {
        if (connected && isLostAnswer(error)) onLostAnswer?.()
        throw error
      }
    }
    return queue.run(() => withRetries(once, { retries: options.retries, maxWait }, ended), ended)
  }

  function note(headers: IncomingHttpHeaders, sentAt: number): void {
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
    async validate(call) {
      try {
        await send({ method: 'POST', url: shrinkUrl }, { ...call, maxWait: 0 })
      } catch (error) {
        const isMissingInput = error instanceof ClientError && error.status === 400
        const isAtLimit = error instanceof AccountError && error.status === 429
        if (!isMissingInput && !isAtLimit) throw error
      }
      return compressionCount
    },
    async shrink(image, call) {
      const content = image instanceof Uint8Array ? { bytes: image } : { json: { source: { url: image.url } } }
      const answer = await send({ method: 'POST', url: shrinkUrl, ...content }, call)
      const { input = {}, output = {} } = parseUpload(answer)
      const url = outputUrl(answer.headers.location ?? output.url, shrinkUrl)
      return { url: url.href, input, output, compressionCount: countOf(answer) }
    },
    async fetchImage(location, commands = {}, call) {
      const url = outputUrl(location, endpoint)
      if (Object.keys(commands).length === 0) return imageOf(await send({ method: 'GET', url }, call), false)
      const { store } = commands
      if (store !== undefined && url.origin !== endpoint.origin) {
        throw new ConnectionError(
          `The output is at ${url.origin}, not at the endpoint: the storage's credentials are not sent there.`,
          { error: 'OtherOrigin' },
        )
      }
      const answer = await send({ method: 'POST', url, json: commands }, { ...call, secrets: secretsOf(store) })
      return imageOf(answer, store !== undefined)
    },
    close: () => exchange.close(),
  }
}

function anyOf(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined)
  return given.length > 1 ? AbortSignal.any(given) : given[0]
}

/** Returns an output's absolute URL, from an absolute or relative one. */
function outputUrl(location: string | undefined, base: URL): URL {
  if (location === undefined || !URL.canParse(location, base.href)) {
    throw new ConnectionError('The service did not say where the output is (no usable Location).', {
      error: 'BadAnswer',
    })
  }
  const url = new URL(location, base)
  if (isEncryptedOrLocal(url)) return url
  throw new ConnectionError(`The service names an output at an unencrypted URL (${url.origin}).`, {
    error: 'BadAnswer',
  })
}

interface UploadBody {
  input?: Upload['input']
  output?: Upload['output'] & { url?: string }
}

function parseUpload({ body }: Answer): UploadBody {
  const { input, output } = (parseObject(body) ?? {}) as Record<keyof UploadBody, unknown>
  return { ...(isObject(input) && { input }), ...(isObject(output) && { output }) }
}

function imageOf(answer: Answer, stored: boolean): ServiceImage {
  const { headers, body } = answer
  const type = headers['content-type']?.split(';')[0]!.trim().toLowerCase()
  if (!stored && !(type?.startsWith('image/') && body.length > 0)) {
    const received = `${body.length} bytes of ${type ?? 'no type'}`
    throw new ConnectionError(`The service answered with ${received} instead of an image.`, { error: 'BadAnswer' })
  }
  return {
    data: stored ? undefined : body,
    type: stored ? undefined : type,
    width: wholeNumberOf(headers['image-width']),
    height: wholeNumberOf(headers['image-height']),
    location: stored ? headers.location : undefined,
    compressionCount: countOf(answer),
  }
}

/** No whole answer, or one of something in between that has lost the service's own. */
const isLostAnswer = (error: unknown): boolean =>
  error instanceof ServerError
    ? error.error === 'ParseError'
    : error instanceof ConnectionError && error.status === undefined

const countOf = ({ headers }: Answer): number | undefined => wholeNumberOf(headers['compression-count'])

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

function parseObject(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(body.toString()) as unknown
    return isObject(value) ? value : undefined
  } catch {
    // The answer is not JSON: a proxy in between may have sent a page of its own.
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function wholeNumberOf(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}
