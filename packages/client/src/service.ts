import { countOf, isObject, parseObject, wholeNumberOf } from './answer.ts'
import type { Commands } from './commands.ts'
import { AccountError, ClientError, ConnectionError } from './base/errors.ts'
import { isEncryptedOrLocal } from './base/url.ts'
import type { Answer, ComingBody } from './http/exchange.ts'
import { viewOn } from './base/kept-stream.ts'
import type { ResolvedClientOptions } from './base/options.ts'
import type { Progress } from './base/progress.ts'
import type { UploadContent } from './base/upload-body.ts'
import type { Platform } from './platform.ts'
import { secretsOf } from './secrets.ts'
import { createSender } from './sender.ts'
import type { CallOptions, RequestOptions, SendOptions, Sender } from './sender.ts'

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
    /** EXIF orientation that the file keeps, 2 to 8; absent if it is stored as it is seen. */
    readonly orientation?: number
    /** Bytes of the output by bytes of the input. */
    readonly ratio?: number
  }
  /** Compressions of the account in the current month, this one included. */
  readonly compressionCount: number | undefined
}

/** The headers of an answer, as far as they describe its image. */
export interface ServiceImageHead {
  /** MIME type of the image; absent when it was stored elsewhere. */
  readonly type: string | undefined
  /** Pixels. */
  readonly width: number | undefined
  readonly height: number | undefined
  /** EXIF orientation that the file keeps, 2 to 8; absent if it is stored as it is seen. */
  readonly orientation?: number | undefined
  /** URL of the stored object; absent without `store`. */
  readonly location: string | undefined
  /** Compressions of the account in the current month. */
  readonly compressionCount: number | undefined
}

/** The answer to an upload with commands. */
export interface ServiceImageOf<Data extends Uint8Array> extends ServiceImageHead {
  /** The image; absent when it was stored elsewhere. */
  readonly data: Data | undefined
}

/** An answer whose image is still coming. */
export interface OpenServiceImage extends ServiceImageHead {
  /** Bytes of the image, where the service tells. */
  readonly size: number | undefined
  /** The image. It throws PixpressClientError. */
  readonly coming: ComingBody
}

/** The interface's three requests. All throw PixpressClientError. */
export interface ServiceOf<Data extends Uint8Array> {
  /**
   * Asks whether the key is valid, which costs no compression. A key at its limit is valid.
   * @returns the account's compressions of the month, where the service tells
   * @throws AccountError for a wrong key
   */
  validate(call?: CallOptions): Promise<number | undefined>
  /** Uploads an image, or has the service fetch one. One compression. */
  shrink(image: UploadContent | { readonly url: string }, call?: RequestOptions): Promise<Upload>
  /** Downloads an upload, changed by the commands: one compression each for `resize`, `convert` and `store`. */
  fetchImage(url: string, commands?: Commands, call?: RequestOptions): Promise<ServiceImageOf<Data>>
  /** The newest count of the month; `undefined` before the first answer. */
  readonly compressionCount: number | undefined
  close(): void
}

/** The calls of one account, with those that only sources make. */
export interface InnerService<Data extends Uint8Array> extends ServiceOf<Data> {
  /** Asks for an image as `fetchImage` does, and leaves the body to the reader. */
  openImage(url: string, commands: Commands, call?: RequestOptions): Promise<OpenServiceImage>
}

/** Creates the calls of the interface for one account. */
export function createService<Data extends Uint8Array>(
  options: ResolvedClientOptions,
  platform: Platform<Data>,
): InnerService<Data> {
  const { endpoint } = options
  const sender = createSender(options, platform)
  const { send } = sender
  const ask = outputRequests(send, endpoint)
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
      const body = ArrayBuffer.isView(image) ? viewOn(image) : image
      const content = 'url' in body ? { json: { source: { url: body.url } } } : { body }
      const progress = 'url' in image ? {} : progressOf('upload', call)
      const answer = await send({ method: 'POST', url: shrinkUrl, ...content }, { ...call, ...progress })
      const { input = {}, output = {} } = parseUpload(answer)
      const url = outputUrl(answer.headers.location ?? output.url, shrinkUrl)
      return { url: url.href, input, output, compressionCount: countOf(answer) }
    },
    async fetchImage(location, commands = {}, call) {
      const answer = await ask(location, commands, call)
      const { body } = answer
      if (commands.store !== undefined) return { ...storedOf(answer), data: undefined }
      return { ...imageOf(answer, body.length), data: platform.asData(body) }
    },
    async openImage(location, commands, call) {
      const answer = await ask(location, commands, { ...call, streamed: true })
      const coming = answer.coming!
      const size = wholeNumberOf(answer.headers['content-length'])
      try {
        return { ...imageOf(answer, size ?? 1), size, coming }
      } catch (error) {
        coming.cancel()
        throw error
      }
    },
    close: () => sender.close(),
  }
}

/** Returns the function that asks for an output, changed by commands. */
function outputRequests(
  send: Sender['send'],
  endpoint: URL,
): (location: string, commands: Commands, call?: SendOptions) => Promise<Answer> {
  return async (location, commands, call = {}) => {
    const url = outputUrl(location, endpoint)
    const tracked = { ...call, ...progressOf('download', call) }
    if (Object.keys(commands).length === 0) return send({ method: 'GET', url }, tracked)
    const { store } = commands
    if (store !== undefined && url.origin !== endpoint.origin) {
      throw new ConnectionError(
        `The output is at ${url.origin}, not at the endpoint: the storage's credentials are not sent there.`,
        { error: 'OtherOrigin' },
      )
    }
    return send({ method: 'POST', url, json: commands }, { ...tracked, secrets: secretsOf(store) })
  }
}

/** Progress of images alone: commands and descriptions of uploads are sent and received as well. */
function progressOf(phase: Progress['phase'], { onProgress }: RequestOptions = {}): SendOptions {
  if (onProgress === undefined) return {}
  const tell = (bytes: number, total: number | undefined): void => onProgress({ phase, bytes, total })
  return phase === 'upload' ? { onSent: tell } : { onReceived: tell }
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

function imageOf(answer: Answer, size: number): ServiceImageHead {
  const type = answer.headers['content-type']?.split(';')[0]!.trim().toLowerCase()
  if (type?.startsWith('image/') === true && size > 0) return { ...storedOf(answer), type, location: undefined }
  const received = `${size} bytes of ${type ?? 'no type'}`
  throw new ConnectionError(`The service answered with ${received} instead of an image.`, { error: 'BadAnswer' })
}

function storedOf(answer: Answer): ServiceImageHead {
  const { headers } = answer
  return {
    type: undefined,
    width: wholeNumberOf(headers['image-width']),
    height: wholeNumberOf(headers['image-height']),
    ...(headers['image-orientation'] !== undefined && { orientation: wholeNumberOf(headers['image-orientation']) }),
    location: headers.location,
    compressionCount: countOf(answer),
  }
}
