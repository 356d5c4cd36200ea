import { PixpressError } from '@pixpress/core'
import { withoutStack } from '../session/options/check-options.ts'

/** The message, led by the image's name where the message does not have it already. */
export function errorMessage({ file, message }: PixpressError): string {
  return file === undefined || message.includes(file) ? message : `${file}: ${message}`
}

/** Tells whether an error is one of ours that a reference or an image is to blame for, and not the machine. */
export const isOfOneImage = (error: unknown): error is PixpressError =>
  error instanceof PixpressError && error.code !== 'MACHINE_UNFIT'

/** The same error with the image's name in its message, for bundlers that show nothing else of an error. */
export function withNamedFile(error: unknown): unknown {
  if (!(error instanceof PixpressError)) return error
  if (error.message === errorMessage(error)) return written(error)
  return written(
    new PixpressError(error.code, errorMessage(error), { file: error.file, cause: error.cause, status: error.status }),
  )
}

/**
 * The same error with the reference in its message, for bundlers that do not say what an error was about.
 * @param shown the image's path relative to the root
 * @param query as it is written, with its `?`, or empty
 * @param importer the path of what refers to it, relative to the root, where that is known and the bundler does not say
 *   it
 */
export function withReference(error: unknown, shown: string, query: string, importer?: string): unknown {
  if (!isOfOneImage(error)) return error
  const place = importer === undefined ? '' : ` in ${importer}`
  if (error.message.startsWith(shown)) return written(error)
  const message = `${shown}${query}${place}: ${error.message}`
  return written(new PixpressError(error.code, message, { file: shown, cause: error.cause }))
}

/** An error of the author names the place in their text; a stack in this package tells them nothing. */
const written = (error: PixpressError): PixpressError => (error.code === 'INVALID_OPTION' ? withoutStack(error) : error)
