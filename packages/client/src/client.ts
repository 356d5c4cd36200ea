import { viewOn, keepStream, nameOfKind, reopenStream, shownNumber } from './base/kept-stream.ts'
import { resolveClientOptions } from './base/options.ts'
import type { ClientOptions } from './base/options.ts'
import type { ByteStream, UploadStream } from './base/upload-body.ts'
import type { Platform } from './platform.ts'
import { createService } from './service.ts'
import type { CallOptions, ServiceOf } from './service.ts'
import { createSource } from './source.ts'
import type { SourceOf } from './source.ts'

/** Facts about a stream. */
export interface StreamOptions {
  /** Bytes of the stream. Without them a request has no length, which some proxies refuse. */
  readonly size?: number
}

/** A client of one account at one service. Clients share nothing: each has its own count, connections and queue. */
export interface ClientOf<Data extends Uint8Array> extends ServiceOf<Data> {
  /** The file is read when a result is asked for. */
  fromFile(path: string | URL): SourceOf<Data>
  /** The bytes are not copied: leave them as they are until the first result is there. */
  fromBuffer(bytes: ArrayBuffer | ArrayBufferView): SourceOf<Data>
  /** A `Blob`, or a `File` of a form, is read when a result is asked for, and again for each try. */
  fromBlob(blob: Blob): SourceOf<Data>
  /**
   * A stream is sent as it comes, and kept for further tries up to `maxBuffered` bytes: one that gives more is sent
   * once. A function that opens the stream anew for each try keeps nothing.
   */
  fromStream(stream: ByteStream | (() => ByteStream | Promise<ByteStream>), options?: StreamOptions): SourceOf<Data>
  /** The service fetches the image. */
  fromUrl(url: string | URL): SourceOf<Data>
  /**
   * An output that the service has made before, as long as it keeps it: nothing is uploaded, and nothing counted but
   * commands. The URL is that of `upload()`, or its path.
   * @throws TypeError for a URL outside of the endpoint's origin, which gets no key
   */
  fromOutput(url: string | URL): SourceOf<Data>
  /**
   * Asks whether the key is valid, which costs no compression. A key at its limit is valid.
   * @returns the account's compressions of the month, where the service tells
   * @throws AccountError for a wrong key
   */
  validate(call?: CallOptions): Promise<number | undefined>
  /** Compressions of the account in the current month, as the newest answer said; `undefined` before the first. */
  readonly compressionCount: number | undefined
  /** Closes the connections that are kept open. They never keep a process alive, so this is rarely needed. */
  close(): void
}

/**
 * Creates a client on a platform.
 * @throws TypeError for an option that is unknown or out of range, and for an endpoint that is not encrypted
 */
export function createClientOn<Data extends Uint8Array>(
  platform: Platform<Data>,
  options: ClientOptions,
): ClientOf<Data> {
  const resolved = resolveClientOptions(options)
  const service = createService(resolved, platform)
  const context = { service, platform }
  return {
    fromFile: (path) => createSource(context, async (call) => service.shrink(await platform.readFile(path), call)),
    fromBuffer(bytes) {
      const given = viewOn(bytes)
      return createSource(context, (call) => service.shrink(given, call))
    },
    fromBlob(blob) {
      if (!(blob instanceof Blob)) throw new TypeError(`Expected a Blob or File but received ${nameOfKind(blob)}.`)
      return createSource(context, (call) => service.shrink(blob, call))
    },
    fromStream(stream, { size } = {}) {
      const content = contentOf(stream, size, resolved.maxBuffered)
      return createSource(context, (call) => service.shrink(content, call))
    },
    fromUrl: (url) => createSource(context, (call) => service.shrink({ url: String(url) }, call)),
    fromOutput(url) {
      const known = outputAt(url, resolved.endpoint)
      return createSource(context, async () => ({
        url: known.href,
        input: {},
        output: {},
        compressionCount: service.compressionCount,
      }))
    },
    validate: service.validate,
    shrink: service.shrink,
    fetchImage: service.fetchImage,
    get compressionCount() {
      return service.compressionCount
    },
    close: service.close,
  }
}

function contentOf(
  stream: ByteStream | (() => ByteStream | Promise<ByteStream>),
  size: number | undefined,
  maxBuffered: number,
): UploadStream {
  if (size !== undefined && !(Number.isSafeInteger(size) && size >= 0)) {
    throw new TypeError(`Expected the number of bytes for 'size' but received ${shownNumber(size)}.`)
  }
  if (typeof stream === 'function') return reopenStream(stream, size)
  const isStream = typeof stream === 'object' && (Symbol.asyncIterator in stream || 'getReader' in stream)
  if (!isStream) throw new TypeError(`Expected a stream of bytes but received ${nameOfKind(stream)}.`)
  return keepStream(stream, { size, maxBuffered })
}

function outputAt(url: string | URL, endpoint: URL): URL {
  if (!URL.canParse(String(url), endpoint.href)) throw new TypeError('Expected the URL of an output.')
  const output = new URL(url, endpoint)
  if (output.origin === endpoint.origin) return output
  throw new TypeError(`Expected an output of ${endpoint.origin} but received one of ${output.origin}.`)
}
