/** The `error` names of the interface, with the status each one is answered with. */
export const ERROR_STATUS = {
  InputMissing: 400,
  BadRequest: 400,
  SourceNotFound: 400,
  DecodeError: 400,
  BackgroundRequired: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  PreconditionFailed: 412,
  RangeNotSatisfiable: 416,
  InputTooLarge: 413,
  UnsupportedMediaType: 415,
  StoreFailed: 422,
  TooManyRequests: 429,
  ServiceUnavailable: 503,
  InternalServerError: 500,
} as const

/** The name of an error in the interface. */
export type ErrorName = keyof typeof ERROR_STATUS

interface HttpErrorOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** An error that a client is told: `message` must hold nothing that is not the client's own. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly error: ErrorName
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(error: ErrorName, message: string, { headers = {}, cause }: HttpErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.error = error
    this.status = ERROR_STATUS[error]
    this.headers = headers
  }
}

/** Returns the JSON body of an error. */
export function errorBody({ error, message }: Pick<HttpError, 'error' | 'message'>): string {
  return JSON.stringify({ error, message })
}

/** @param milliseconds until a new attempt can succeed */
export function retryAfter(milliseconds: number): Record<string, string> {
  return { 'Retry-After': String(Math.max(1, Math.ceil(milliseconds / 1000))) }
}

/**
 * Makes the error of a passing overload or failure; clients try again after this many seconds, or as they are used to.
 */
export function unavailable(message: string, cause?: unknown): HttpError {
  return new HttpError('ServiceUnavailable', message, { headers: retryAfter(2000), cause })
}

/**
 * Makes the error of an overload that is expected to pass.
 * @param milliseconds until it is expected to
 */
export function overloaded(message: string, milliseconds: number): HttpError {
  const headers = retryAfter(milliseconds)
  const seconds = headers['Retry-After'] === '1' ? 'a second' : `${headers['Retry-After']} seconds`
  return new HttpError('ServiceUnavailable', `${message} Try again in ${seconds}.`, { headers })
}

/** Makes a 500 of an unforeseen error; it tells the client nothing. */
export function unforeseen(cause: unknown): HttpError {
  return new HttpError('InternalServerError', 'The service has failed; its log says why.', { cause })
}
