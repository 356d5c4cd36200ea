import type { MemoryShare } from '../http/upload-memory.ts'
import { HttpError } from '../http/http-error.ts'
import type { DeliveryPlace } from '../settings/delivery.ts'
import type { AllowedSources } from '../source/allowed-sources.ts'
import { fetchSource } from '../source/fetch-source.ts'
import type { OutputBytes, OutputRecords } from '../storage/contract.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import { createBucketReader } from './bucket-reader.ts'
import type { BucketReader } from './bucket-reader.ts'
import { readFromFolder } from './folder-reader.ts'

/** An original, and the time after which it is no more. */
export interface Original {
  readonly bytes: Uint8Array
  /** Milliseconds since 1970; `undefined` for one that stays. */
  readonly expiresAt: number | undefined
}

/** The bounds of reading an original. */
export interface ReadBounds {
  readonly maxBytes: number
  readonly memory: MemoryShare
}

/** The parts of the server that originals are read with. */
export interface OriginalsParts {
  readonly sources: ReadonlyMap<string, DeliveryPlace>
  /** The hosts that may be reached. */
  readonly allowed: AllowedSources
  readonly records: OutputRecords
  readonly bytes: OutputBytes
  readonly clock: () => number
  readonly tracing: Tracing
}

/**
 * Reads the original that a URL names: `url/<URL in Base64>`, `output/<id>`, or `<source>/<path>`.
 * @param source the segments, decoded: none is empty, a step elsewhere, or has a slash
 * @throws HttpError `NotFound` that does not say why, `InputTooLarge`, `ServiceUnavailable`
 */
export type ReadOriginal = (source: readonly string[], bounds: ReadBounds) => Promise<Original>

/** Creates the reader of originals. */
export function createOriginals(parts: OriginalsParts): ReadOriginal {
  const { sources, allowed } = parts
  const buckets = new Map<string, BucketReader>()
  for (const [name, place] of sources) if (place.kind === 'bucket') buckets.set(name, createBucketReader(place))
  const fetched = (url: string, { maxBytes, memory }: ReadBounds): Promise<Buffer> =>
    fetchSource(url, { sources: allowed, maxBytes, memory }).catch((error: unknown) => {
      // Whoever looks at a picture did not write its URL, and need not learn what is behind the server.
      throw error instanceof HttpError && error.error === 'SourceNotFound' ? missing(error) : error
    })

  async function read([name, ...path]: readonly string[], bounds: ReadBounds): Promise<Uint8Array | undefined> {
    if (name === 'url') {
      return path.length === 1 ? fetched(Buffer.from(path[0]!, 'base64url').toString(), bounds) : undefined
    }
    const place = sources.get(name!)
    if (place === undefined) return undefined
    if (place.kind === 'folder') return readFromFolder(place.folder, path, bounds)
    if (place.kind === 'http') return fetched(place.base + path.map(encodeURIComponent).join('/'), bounds)
    return buckets.get(name!)!(path, bounds)
  }

  async function find(source: readonly string[], bounds: ReadBounds): Promise<Original> {
    if (source[0] === 'output') return readOutput(source.slice(1), bounds, parts)
    const bytes = await read(source, bounds)
    if (bytes === undefined) throw missing()
    return { bytes, expiresAt: undefined }
  }

  return (source, bounds) =>
    parts.tracing.span('fetch', async (span) => {
      const original = await find(source, bounds)
      span.set({ 'pixpress.input.bytes': original.bytes.length })
      return original
    })
}

/** Reads the upload of an output, which operations work from. The signature stands for the account. */
async function readOutput(path: readonly string[], { memory }: ReadBounds, parts: OriginalsParts): Promise<Original> {
  const { records, bytes, clock } = parts
  const [id = '', ...rest] = path
  const record = rest.length === 0 && /^[\da-f]{32}$/.test(id) ? await records.find(id) : undefined
  if (record === undefined || record.expiresAt <= clock()) throw missing()
  memory.take(record.input.size)
  const upload = await bytes.get(id, 'upload')
  if (upload === undefined) throw missing()
  return { bytes: upload, expiresAt: record.expiresAt }
}

const missing = (cause?: unknown): HttpError =>
  new HttpError('NotFound', 'The original of this picture is not there, or cannot be fetched.', { cause })
