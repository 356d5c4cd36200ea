import { PixpressError } from '../errors.ts'
import type { ErrorCode } from '../errors.ts'

/** The interface's names of problems with an image, in our words. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  BackgroundRequired: 'BACKGROUND_REQUIRED',
  DecodeError: 'DECODE_FAILED',
  InputMissing: 'INPUT_MISSING',
  InputTooLarge: 'INPUT_TOO_LARGE',
  UnsupportedMediaType: 'UNSUPPORTED_TYPE',
}

/** The error of an image that the service refuses to work on. */
export function refusedByService(error: Error & { error?: unknown }, file: string | undefined): PixpressError {
  const code = typeof error.error === 'string' ? CODES[error.error] : undefined
  return new PixpressError(code ?? 'REMOTE_UNAVAILABLE', error.message, { file, cause: error })
}
