import { PixpressError } from '@pixpress/core'
import { HttpError, unforeseen, unavailable } from '../http/http-error.ts'
import type { ErrorName } from '../http/http-error.ts'
import { BackendUnavailableError } from '../storage/contract.ts'

/** Core's codes of what is the client's to mend. */
const NAMES: Readonly<Record<string, ErrorName>> = {
  INVALID_OPTION: 'BadRequest',
  UNSUPPORTED_OPERATION: 'BadRequest',
  TIMEOUT: 'BadRequest',
  INPUT_MISSING: 'InputMissing',
  DECODE_FAILED: 'DecodeError',
  BACKGROUND_REQUIRED: 'BackgroundRequired',
  INPUT_TOO_LARGE: 'InputTooLarge',
  UNSUPPORTED_TYPE: 'UnsupportedMediaType',
  STORE_FAILED: 'StoreFailed',
}

/** Turns any failure into an error of the interface; an unforeseen one becomes a 500 that tells nothing. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  if (error instanceof BackendUnavailableError) {
    const isAway = error.full === undefined
    return unavailable(
      isAway ? 'The service cannot reach its own storage at the moment.' : `The ${error.full} of the service is full.`,
      error,
    )
  }
  if (error instanceof PixpressError) {
    const name = NAMES[error.code] ?? (error.status === 422 ? 'StoreFailed' : undefined)
    if (name !== undefined) return new HttpError(name, error.message, { cause: error })
  }
  return unforeseen(error)
}
