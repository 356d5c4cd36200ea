import { bytesText } from '@pixpress/face'
import { kindOfOther } from './types.ts'

/** The reason why a picture was not made, in words for the person. */
export interface Refusal {
  /** Says what happened. */
  readonly what: string
  /** Says what can be done about it. */
  readonly remedy: string
  /** The same file may succeed at another try. */
  readonly canRetry: boolean
}

/** An answer that is no success. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  /** The HTTP status; 0 where no answer came. */
  readonly status: number
  /** The interface's name of the error; empty where no answer came. */
  readonly error: string

  constructor(status: number, error: string, message: string) {
    super(message)
    this.status = status
    this.error = error
  }
}

const AGAIN = 'Copy or export it again, then drop it here.'

/** The words for each error of the interface that has words of its own. */
const WORDS: Readonly<Record<string, (error: ServiceError, file: File, maxBytes: number) => Refusal>> = {
  InputMissing: () => final('This file is empty.', AGAIN),
  UnsupportedMediaType: (_, file) => {
    const kind = kindOfOther(file.name)
    if (kind === undefined)
      return final('This is no picture that can be read.', 'Export it as JPEG or PNG, then drop it here.')
    return final(`${kind} cannot be read.`, 'Export it as JPEG or PNG, then drop it here.')
  },
  DecodeError: ({ message }) => {
    const isCut = /\bend of\b|cut off|too early/i.test(message)
    const isUnusual = /kind of/i.test(message)
    if (isUnusual)
      return final('This kind of file cannot be read.', 'Export it anew as JPEG or PNG, then drop it here.')
    return final(isCut ? 'The end of this file is missing.' : 'This file is damaged.', AGAIN)
  },
  BackgroundRequired: () => ({
    what: 'This type has no transparency.',
    remedy: 'Choose a background under “Crop, background”, or another type.',
    canRetry: true,
  }),
  InputTooLarge: (_, file, maxBytes) =>
    file.size > maxBytes
      ? tooLarge(maxBytes)
      : final('This picture has too many pixels.', 'Make it smaller before you drop it here.'),
  Unauthorized: () => ({
    what: 'The server does not know this key.',
    remedy: 'Enter another one, and try again.',
    canRetry: true,
  }),
  Forbidden: () => final('This key may not be used for that.', 'Use other settings, or another key.'),
  NotFound: () => ({ what: 'The server has deleted this picture.', remedy: 'It is still here.', canRetry: true }),
  TooManyRequests: ({ message }) =>
    /month|limit/i.test(message)
      ? final('This key has no compressions left.', 'They are counted anew with each month.')
      : { what: 'The server asks for a pause.', remedy: 'The picture is still here.', canRetry: true },
  ServiceUnavailable: () => ({ what: 'The server is busy.', remedy: 'The picture is still here.', canRetry: true }),
}

const final = (what: string, remedy: string): Refusal => ({ what, remedy, canRetry: false })

/** Refuses a file that the server would refuse, before it is sent. */
export const tooLarge = (maxBytes: number): Refusal =>
  final('This file is too large.', `The server takes up to ${bytesText(maxBytes)}. Make it smaller first.`)

/** Says in plain words why a picture was not made. */
export function refusalOf(error: unknown, file: File, maxBytes: number): Refusal {
  if (!(error instanceof ServiceError))
    return { what: 'The page has failed.', remedy: 'Load it again.', canRetry: true }
  if (error.status === 0)
    return { what: 'The connection broke off.', remedy: 'The picture is still here.', canRetry: true }
  const worded = WORDS[error.error]?.(error, file, maxBytes)
  if (worded !== undefined) return worded
  if (error.status < 500 && error.message !== '') return final('This did not work.', error.message)
  return { what: 'The server has failed.', remedy: 'Its log says why. The picture is still here.', canRetry: true }
}
