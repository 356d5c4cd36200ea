import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { BackendUnavailableError } from './types.ts'
import type { BucketSettings } from './types.ts'

export type S3Method = 'GET' | 'HEAD' | 'PUT' | 'DELETE'

interface S3Body {
  readonly bytes: Uint8Array
  /** MIME type. */
  readonly type: string
}

/**
 * One request, tried again where that can help. All methods here may be repeated: an object is put under a random name,
 * with the same bytes each time.
 * @param key of the object, made of characters that no URL changes; empty for the bucket itself
 * @returns an answer of status 2xx, its body unread; `undefined` when there is no such object
 * @throws BackendUnavailableError for everything else
 */
export type S3Requests = (method: S3Method, key: string, body?: S3Body) => Promise<Response | undefined>

const ATTEMPTS = 3

/** Milliseconds before the second attempt, and three times that before the third. */
const FIRST_PAUSE = 100

const NOTHING = createHash('sha256').digest('hex')

export interface S3Timeouts {
  /** Milliseconds until the head of an answer; with a body to be sent, one more for each kilobyte. */
  readonly answer: number
  /** Milliseconds without a byte after which a download is given up. */
  readonly idle: number
}

export const S3_TIMEOUTS: S3Timeouts = { answer: 10_000, idle: 30_000 }

/** Path style, which every provider and every bucket's name goes with; signed with AWS Signature Version 4. */
export function createS3Requests(
  { endpoint, bucket, region, ...credentials }: BucketSettings,
  timeouts: Pick<S3Timeouts, 'answer'>,
): S3Requests {
  /** Signing keys by day: making one takes four rounds of HMAC. */
  const cache = new Map<string, ArrayBuffer>()

  async function send(method: S3Method, key: string, body: S3Body | undefined, digest: string): Promise<Answer> {
    const signed = await new AwsV4Signer({
      ...credentials,
      service: 's3',
      region,
      cache,
      method,
      url: `${endpoint}/${bucket}${key === '' ? '' : `/${key}`}`,
      // Without the digest the body would be no part of what is signed.
      headers: { 'X-Amz-Content-Sha256': digest, ...(body !== undefined && { 'Content-Type': body.type }) },
    }).sign()
    // Not signed, as proxies may change it: bytes are to come as they are stored.
    signed.headers.set('Accept-Encoding', 'identity')
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), timeouts.answer + (body?.bytes.length ?? 0) / 1000)
    try {
      const response = await fetch(signed.url, {
        method,
        headers: signed.headers,
        ...(body !== undefined && { body: body.bytes as Uint8Array<ArrayBuffer> }),
        // A signature is for one host: what another one is sent would be refused there.
        redirect: 'manual',
        signal: timeout.signal,
      })
      return { response, code: response.ok ? '' : errorCode(await response.text()) }
    } finally {
      clearTimeout(timer)
    }
  }

  async function attempt(...request: Parameters<typeof send>): Promise<Attempt> {
    const [method] = request
    try {
      const { response, code } = await send(...request)
      if (response.ok) return { response }
      // A missing bucket is no missing object, and must not make images vanish.
      if (code === 'NoSuchKey') return { response: undefined }
      const failure = new BackendUnavailableError(`S3 answered ${method} with ${response.status} ${code}`.trimEnd())
      return { failure, passing: response.status >= 500 || response.status === 429 }
    } catch (error) {
      const failure = new BackendUnavailableError(`S3 did not answer ${method}: ${reasonOf(error)}`, { cause: error })
      // Who has waited for so long has a client that will not wait for as long again.
      return { failure, passing: !isTimeout(error) }
    }
  }

  return async (method, key, body) => {
    const digest = body === undefined ? NOTHING : createHash('sha256').update(body.bytes).digest('hex')
    for (let tried = 1; ; tried++) {
      const outcome = await attempt(method, key, body, digest)
      if (!('failure' in outcome)) return outcome.response
      if (!outcome.passing || tried === ATTEMPTS) throw outcome.failure
      // Not all machines at the same moment.
      await delay(FIRST_PAUSE * 3 ** (tried - 1) * (0.5 + Math.random()))
    }
  }
}

interface Answer {
  /** Read already where it is no success. */
  readonly response: Response
  /** The `Code` of a failure. */
  readonly code: string
}

type Attempt =
  | { readonly response: Response | undefined }
  | { readonly failure: BackendUnavailableError; readonly passing: boolean }

/** The `Code` of an error's XML (docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html), '' where there is none. */
function errorCode(body: string): string {
  return /<Code>(\w{1,64})<\/Code>/.exec(body)?.[1] ?? ''
}

/** What fetch says is always the same; the reason is in its cause. */
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
