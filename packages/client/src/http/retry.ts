import { AccountError, ConnectionError, PixpressClientError, ServerError, withHint } from '../base/errors.ts'

/** The number and spacing of further tries. */
export interface RetryOptions {
  /** Further tries after a broken connection or a 5xx answer. */
  readonly retries: number
  /** Milliseconds to wait in sum because the service asked for it. */
  readonly maxWait: number
  /** Milliseconds that all tries may take in sum, with the waits between them. */
  readonly totalTimeout: number
  /** Tells whether the content of the request is still there. */
  readonly isRepeatable: () => boolean
}

/** Milliseconds before the second try; each further one waits twice as long, up to the bound. */
const FIRST_DELAY = 500
const MAX_DELAY = 8000

/** Problems that the next try would meet as well. */
const FINAL: ReadonlySet<string> = new Set(['AnswerTooLarge', 'CertificateError'])

/**
 * Tries again as the interface's clients do: after 5xx answers and broken connections, uploads included, never after
 * 4xx. A 429 or 503 that says when to come back (`Retry-After`) is obeyed as long as that is within `maxWait`.
 * @param attempt makes one try within these milliseconds
 * @throws what the last try threw
 */
export async function withRetries<T>(
  attempt: (timeLeft: number) => Promise<T>,
  { retries, maxWait, totalTimeout, isRepeatable }: RetryOptions,
  signal?: AbortSignal,
): Promise<T> {
  const began = performance.now()
  const timeLeft = (): number => Math.ceil(totalTimeout - (performance.now() - began))
  let failures = 0
  let refusals = 0
  let waited = 0
  for (;;) {
    try {
      return await attempt(Math.max(1, timeLeft()))
    } catch (error) {
      if (!(error instanceof PixpressClientError)) throw error
      const stale = isStale(error)
      const limited = error instanceof AccountError && error.status === 429 && error.retryAfter !== undefined
      if (!stale && !limited && !(isWorthAnotherTry(error) && failures < retries)) throw error
      if (!isRepeatable()) throw withHint(error, SPENT)
      if (stale) continue
      if (limited) refusals++
      else failures++
      const backoff = Math.min(MAX_DELAY, FIRST_DELAY * 2 ** ((limited ? refusals : failures) - 1))
      const asked = Math.max(backoff, error.retryAfter ?? 0)
      if (error.retryAfter !== undefined) waited += asked
      if (waited > maxWait || asked >= timeLeft()) throw error
      await delay(asked, signal)
    }
  }
}

/** Says why a request is not made again that would be otherwise. */
const SPENT = "The stream has given more than 'maxBuffered' bytes and cannot be sent again."

/** @throws the signal's reason when it is aborted */
function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

function isWorthAnotherTry(error: PixpressClientError): boolean {
  if (error instanceof ServerError) return true
  return error instanceof ConnectionError && (error.status ?? 500) >= 500 && !FINAL.has(error.error)
}

/**
 * Tells whether a connection that was kept open had ended, most likely before this request. There are only so many such
 * connections, so there is no need to wait or count.
 */
function isStale(error: PixpressClientError): boolean {
  return error instanceof ConnectionError && error.error === 'StaleConnection'
}

/** Returns the milliseconds from now, of a `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3). */
export function retryAfterOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  // `Date.parse` alone takes nearly anything for a date.
  const at = /^[A-Z][a-z]+, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
