/** Facts about a failed request. */
export interface ClientErrorDetails {
  /** HTTP status of the answer; absent when there was none. */
  status?: number | undefined
  /** Short name of the problem, as the service gives it: `Unauthorized`, `DecodeError`, … */
  error?: string | undefined
  /** Milliseconds after which the service would like to be asked again. */
  retryAfter?: number | undefined
  /** The system's error underneath. */
  cause?: unknown
}

/**
 * The base of every error of this client. The classes below tell what to do about it; they follow the status alone, as
 * the interface's clients do. No message ever holds the key.
 */
export class PixpressClientError extends Error {
  override name = 'PixpressClientError'
  /** HTTP status of the answer; `undefined` when there was none. */
  readonly status: number | undefined
  /** Short name of the problem, as the service gives it. */
  readonly error: string
  /** Milliseconds after which the service would like to be asked again, where it said so. */
  readonly retryAfter: number | undefined

  constructor(message: string, details: ClientErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.status = details.status
    this.error = details.error ?? 'Error'
    this.retryAfter = details.retryAfter
  }

  toJSON(): { name: string; message: string; status: number | undefined; error: string } {
    return { name: this.name, message: this.message, status: this.status, error: this.error }
  }
}

/** The key is wrong (401), or the account has reached a limit (429). */
export class AccountError extends PixpressClientError {
  override name = 'AccountError'
}

/** The request cannot be answered as it is: other 4xx. */
export class ClientError extends PixpressClientError {
  override name = 'ClientError'
}

/** The service has a temporary problem: 5xx, retries included. */
export class ServerError extends PixpressClientError {
  override name = 'ServerError'
}

/** No whole answer came: network, proxy, TLS, timeout, a cut or oversized answer. */
export class ConnectionError extends PixpressClientError {
  override name = 'ConnectionError'
}

/** The error of an answer that is no success. */
export function errorOfAnswer(
  status: number,
  details: { error: string; message: string; retryAfter: number | undefined },
): PixpressClientError {
  const { error, retryAfter } = details
  const message = `${details.message} (HTTP ${status}/${error})`
  const given = { status, error, retryAfter }
  if (status === 401 || status === 429) return new AccountError(message, given)
  if (status >= 400 && status < 500) return new ClientError(message, given)
  if (status >= 500) return new ServerError(message, given)
  return new ConnectionError(message, given)
}

/** Returns the same error with one more sentence. */
export function withHint(error: PixpressClientError, hint: string): PixpressClientError {
  const { status, error: name, retryAfter } = error
  const Class = error.constructor as typeof PixpressClientError
  return new Class(`${error.message} ${hint}`, { status, error: name, retryAfter, cause: error })
}
