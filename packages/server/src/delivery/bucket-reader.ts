import type { MemoryShare } from '../http/upload-memory.ts'
import type { DeliveryPlace } from '../settings/delivery.ts'
import { S3_TIMEOUTS, createS3Requests } from '../storage/shared/s3-requests.ts'
import { withIdleTimeout } from '../storage/shared/s3-bytes.ts'
import { originalTooLarge } from './folder-reader.ts'

/**
 * Reads an object below the source's prefix; `undefined` where there is none.
 * @throws HttpError `InputTooLarge`, `ServiceUnavailable`; BackendUnavailableError where the bucket refuses
 */
export type BucketReader = (
  segments: readonly string[],
  bounds: { readonly maxBytes: number; readonly memory: MemoryShare },
) => Promise<Uint8Array | undefined>

/** Creates the reader of a bucket's originals. */
export function createBucketReader({ bucket, prefix }: Extract<DeliveryPlace, { kind: 'bucket' }>): BucketReader {
  const request = createS3Requests(bucket, S3_TIMEOUTS)
  const before = prefix.split('/').map(strictlyEncoded).join('/')
  return async (segments, { maxBytes, memory }) => {
    const response = await request('GET', before + segments.map(strictlyEncoded).join('/'))
    if (response === undefined) return undefined
    const body = withIdleTimeout(response.body ?? new Blob([]).stream(), S3_TIMEOUTS.idle)
    const chunks: Uint8Array[] = []
    let size = Number(response.headers.get('content-length') ?? 0)
    if (size > maxBytes) {
      await body.cancel()
      throw originalTooLarge(maxBytes)
    }
    size = 0
    // Leaving the loop by an error cancels the download.
    for await (const chunk of body) {
      size += chunk.length
      if (size > maxBytes) throw originalTooLarge(maxBytes)
      memory.take(chunk.length)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks, size)
  }
}

/** Encodes a segment of a key as its signature wants it: more than URLs need. */
const strictlyEncoded = (segment: string): string =>
  encodeURIComponent(segment).replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
