import { PixpressError } from '@pixpress/core'

/** The message, led by the image's name where the message does not have it already. */
export function errorMessage({ file, message }: PixpressError): string {
  return file === undefined || message.includes(file) ? message : `${file}: ${message}`
}

/** The same error with the image's name in its message, for bundlers that show nothing else of an error. */
export function withNamedFile(error: unknown): unknown {
  if (!(error instanceof PixpressError) || error.message === errorMessage(error)) return error
  return new PixpressError(error.code, errorMessage(error), {
    file: error.file,
    cause: error.cause,
    status: error.status,
  })
}
