import { PixpressError } from '@pixpress/core'

/** The message, led by the image's name where the message does not have it already. */
export function errorMessage({ file, message }: PixpressError): string {
  return file === undefined || message.includes(file) ? message : `${file}: ${message}`
}

/** Whether an error is one of ours that a reference or an image is to blame for, and not the machine. */
export const isOfOneImage = (error: unknown): error is PixpressError =>
  error instanceof PixpressError && error.code !== 'MACHINE_UNFIT'

/** The same error with the image's name in its message, for bundlers that show nothing else of an error. */
export function withNamedFile(error: unknown): unknown {
  if (!(error instanceof PixpressError) || error.message === errorMessage(error)) return error
  return new PixpressError(error.code, errorMessage(error), {
    file: error.file,
    cause: error.cause,
    status: error.status,
  })
}

/**
 * The same error with the reference in its message, for bundlers that do not say what an error was about.
 * @param shown the image's path relative to the root
 * @param query as it is written, with its `?`, or empty
 */
export function withReference(error: unknown, shown: string, query: string): unknown {
  if (!isOfOneImage(error) || error.message.startsWith(shown)) return error
  return new PixpressError(error.code, `${shown}${query}: ${error.message}`, { file: shown, cause: error.cause })
}
