import { PixpressError } from '@pixpress/core'
import {
  createObjectClient,
  encodePath,
  errorElement,
  isPassingStatus,
  refusal,
  STORES,
  withRetries,
} from '@pixpress/core/internal'
import type { Attempt } from '@pixpress/core/internal'
import { readBodyUpTo } from './response-body.ts'

/** Where S3 is, and how to get in. */
export interface BucketAccess {
  /** URL of the service without a slash at its end; `undefined`: Amazon's. */
  readonly endpoint: string | undefined
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** The token of temporary credentials. */
  readonly sessionToken: string | undefined
}

/** A request to a bucket. */
export interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT'
  /** Empty for the bucket itself. */
  readonly key: string
  /** The query of the URL, without a question mark. */
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Statuses besides 2xx that are answers and no failures. */
  readonly expected?: readonly number[]
  /** Bytes of the answer that are read. Default: all. */
  readonly most?: number
}

/** An answer of a bucket. */
export interface BucketAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
  /** True if the answer had more bytes than were asked for. */
  readonly isCut: boolean
}

/** Sends a request, again where that can help. @throws PixpressError `STORE_FAILED`, which shows no credential */
export type AskBucket = (request: BucketRequest) => Promise<BucketAnswer>

/** Milliseconds before each further try, more or less: not all machines are to try at the same moment. */
const WAITS = [200, 800, 3000] as const

/** Milliseconds that an answer may take; of a body one more for each kilobyte. */
const TIMEOUT = 60_000

/** Creates requests of path style, which every provider understands for every bucket name. */
export function createBucketRequests(access: BucketAccess, bucket: string): AskBucket {
  const options = {
    service: 's3',
    aws_access_key_id: access.accessKeyId,
    aws_secret_access_key: access.secretAccessKey,
    ...(access.sessionToken !== undefined && { aws_session_token: access.sessionToken }),
    region: access.region,
    acl: 'no-acl',
    path: bucket,
  } as const
  const send = createObjectClient(options)
  const base = access.endpoint ?? STORES.s3.endpoint(options)
  const urlOf = ({ key, query }: BucketRequest): string =>
    `${base}${key === '' ? `/${bucket}` : encodePath({ bucket, key })}${query === undefined ? '' : `?${query}`}`

  async function attempt(request: BucketRequest): Promise<Attempt<BucketAnswer>> {
    const { method, headers, body, expected = [], most = Infinity } = request
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), TIMEOUT + (body?.length ?? 0) / 1000)
    try {
      const response = await send({ method, url: urlOf(request), headers, body }, { signal: late.signal })
      const { status } = response
      if (response.ok || expected.includes(status)) {
        return { value: { status, headers: response.headers, ...(await readBodyUpTo(response, most)) } }
      }
      const text = Buffer.from((await readBodyUpTo(response, LONGEST_REFUSAL)).body).toString()
      // Somebody else creates the same object at this moment: the next try finds it there.
      const passing = isPassingStatus(status) || errorElement(text, 'Code') === 'ConditionalRequestConflict'
      return { failure: refusal(status, text, STORES.s3.hints), passing }
    } catch (error) {
      return { failure: unreachable(error, bucket), passing: true }
    } finally {
      clearTimeout(timer)
    }
  }

  return (request) => withRetries(() => attempt(request), { waits: WAITS, scatter: true })
}

/** Bytes of a refusal that are read. */
const LONGEST_REFUSAL = 16_384

/** The error itself is not the cause: fetch's errors may hold the request. */
function unreachable(error: unknown, bucket: string): PixpressError {
  const { name, code, message } = ((error as Error).cause ?? error) as { name?: string; code?: string; message: string }
  const reason = name === 'AbortError' ? 'it took too long to answer' : (code ?? message)
  return new PixpressError('STORE_FAILED', `The bucket '${bucket}' cannot be reached: ${reason}.`)
}
