import { countOf, isObject, parseObject, wholeNumberOf } from './answer.ts'
import type { Commands } from './commands.ts'
import { AccountError, ClientError, ConnectionError } from './base/errors.ts'
import { isEncryptedOrLocal } from './base/url.ts'
import type { Answer } from './http/exchange.ts'
import type { ResolvedClientOptions } from './base/options.ts'
import { secretsOf } from './secrets.ts'
import { createSender } from './sender.ts'
import type { CallOptions, RequestOptions } from './sender.ts'

export type { CallOptions, RequestOptions } from './sender.ts'

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

/** Creates the calls of the interface for one account. */
export function createService(options: ResolvedClientOptions): Service {
  const { endpoint } = options
  const sender = createSender(options)
  const { send } = sender
  const shrinkUrl = new URL('shrink', endpoint)
  return {
    get compressionCount() {
      return sender.compressionCount
    },
    async validate(call) {
      try {
        await send({ method: 'POST', url: shrinkUrl }, { ...call, maxWait: 0 })
      } catch (error) {
        const isMissingInput = error instanceof ClientError && error.status === 400
        const isAtLimit = error instanceof AccountError && error.status === 429
        if (!isMissingInput && !isAtLimit) throw error
      }
      return sender.compressionCount
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
    close: () => sender.close(),
  }
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
