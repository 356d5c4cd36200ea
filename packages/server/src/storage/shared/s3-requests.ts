import { createObjectClient, errorElement, isPassingStatus, withRetries } from '@pixpress/core/internal'
import type { Attempt } from '@pixpress/core/internal'
import { BackendUnavailableError } from '../contract.ts'
import type { BucketSettings } from '../contract.ts'

/** A method of a request to S3. */
export type S3Method = 'GET' | 'HEAD' | 'PUT' | 'DELETE'

interface S3Body {
  readonly bytes: Uint8Array
  /** MIME type. */
  readonly type: string
  /** An existing object stays as it is. Default `false`. */
  readonly onlyNew?: boolean
}

/**
 * One request, tried again where that can help. All methods here may be repeated: an object is put under a random name,
 * with the same bytes each time.
 * @param key of the object, made of characters that no URL changes; empty for the bucket itself
 * @returns an answer of status 2xx, its body unread; `undefined` when there is no such object, or with `onlyNew` when
 * there is one
 * @throws BackendUnavailableError for everything else
 */
export type S3Requests = (method: S3Method, key: string, body?: S3Body) => Promise<Response | undefined>

/** Milliseconds before each further try, more or less: not all machines are to try at the same moment. */
const WAITS = [100, 300] as const

/** Time-outs of a request. */
export interface S3Timeouts {
  /** Milliseconds until the head of an answer; with a body to be sent, one more for each kilobyte. */
  readonly answer: number
  /** Milliseconds without a byte after which a download is given up. */
  readonly idle: number
  /** Milliseconds for which a bucket that has answered nobody is not asked again. */
  readonly silence: number
}

/** Codes of buckets without room: MinIO's, and those of Ceph and MinIO for quotas. */
const FULL_CODES: ReadonlySet<string> = new Set([
  'XMinioStorageFull',
  'QuotaExceeded',
  'XMinioAdminBucketQuotaExceeded',
])

/** The time-outs of the server. */
export const S3_TIMEOUTS: S3Timeouts = { answer: 10_000, idle: 30_000, silence: 5000 }

/** Creates requests of path style, which every provider understands for every bucket name. */
export function createS3Requests(
  { endpoint, bucket, region, accessKeyId, secretAccessKey }: BucketSettings,
  timeouts: Pick<S3Timeouts, 'answer' | 'silence'>,
): S3Requests {
  const ask = createObjectClient({
    service: 's3',
    aws_access_key_id: accessKeyId,
    aws_secret_access_key: secretAccessKey,
    region,
    acl: 'no-acl',
    path: bucket,
  })

  async function send(method: S3Method, key: string, given: S3Body | undefined): Promise<Answer> {
    const url = `${endpoint}/${bucket}${key === '' ? '' : `/${key}`}`
    const body = given?.bytes
    const condition = given?.onlyNew === true && { 'If-None-Match': '*' }
    const headers = given && { 'Content-Type': given.type, ...condition }
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), timeouts.answer + (body?.length ?? 0) / 1000)
    try {
      const response = await ask({ method, url, headers, body }, { signal: timeout.signal })
      return { response, code: response.ok ? undefined : errorElement(await response.text(), 'Code') }
    } finally {
      clearTimeout(timer)
    }
  }

  let answeredAt = Number.NEGATIVE_INFINITY
  let silentUntil = Number.NEGATIVE_INFINITY

  async function attempt(...request: Parameters<typeof send>): Promise<Attempt<Response | undefined>> {
    const [method] = request
    const began = performance.now()
    // Everybody would wait for as long as the first one has, and be told the same.
    if (began < silentUntil)
      return { failure: new BackendUnavailableError('S3 has answered nobody a moment ago'), passing: false }
    try {
      const { response, code = '' } = await send(...request)
      answeredAt = performance.now()
      if (response.ok) return { value: response }
      // A missing bucket is no missing object, and must not make images vanish.
      if (code === 'NoSuchKey') return { value: undefined }
      // The answer to HEAD has no body, and so no code.
      if (method === 'HEAD' && response.status === 404 && request[1] !== '') return { value: undefined }
      if (request[2]?.onlyNew === true && (response.status === 412 || response.status === 409))
        return { value: undefined }
      const full = response.status === 507 || FULL_CODES.has(code) ? 'storage' : undefined
      const message = `S3 answered ${method} with ${response.status} ${code}`.trimEnd()
      const failure = new BackendUnavailableError(message, { full })
      return { failure, passing: isPassingStatus(response.status) }
    } catch (error) {
      const failure = new BackendUnavailableError(`S3 did not answer ${method}: ${reasonOf(error)}`, { cause: error })
      if (isTimeout(error) && answeredAt < began) silentUntil = performance.now() + timeouts.silence
      // A try that ran out of time is not repeated: the client would not wait for a second one either.
      return { failure, passing: !isTimeout(error) }
    }
  }

  return (method, key, body) => withRetries(() => attempt(method, key, body), { waits: WAITS, scatter: true })
}

interface Answer {
  /** Read already where it is no success. */
  readonly response: Response
  /** The `Code` of a failure. */
  readonly code: string | undefined
}

/** Finds the reason of a failed request: fetch's own message is always the same, and its cause tells. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (isTimeout(error)) return 'it took too long'
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message
}

/** Ours, or that of fetch for connecting, which is as long. */
function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'AbortError' || (error.cause instanceof Error && error.cause.name === 'ConnectTimeoutError')
}
