import { shownValue } from './shown-value.ts'
import { visibleText } from './visible-text.ts'

/**
 * Stable codes of everything that can go wrong, with the HTTP status a server answers for each and whether a caller can
 * mend it by changing the input or the options.
 */
export const ERROR_STATUS = {
  /** An option is unknown, of the wrong type, or out of range. */
  INVALID_OPTION: 400,
  /** The input is empty. */
  INPUT_MISSING: 400,
  /** The bytes are of a known type but cannot be decoded. */
  DECODE_FAILED: 400,
  /** A transparent image was to become a type without transparency and no background was given. */
  BACKGROUND_REQUIRED: 400,
  /** More bytes, pixels or frames than the limit. */
  INPUT_TOO_LARGE: 413,
  /** The bytes are no image of a known type. */
  UNSUPPORTED_TYPE: 415,
  /** A known image of a kind that this operation cannot be applied to (an animation, say). */
  UNSUPPORTED_OPERATION: 400,
  /** Work took more processor time than the limit. */
  TIMEOUT: 400,
  /** The result is below the promise, or has more bytes than it may, and would have taken the place of its source. */
  BELOW_PROMISE: 400,
  /** The encoder failed on pixels that were decoded. */
  ENCODE_FAILED: 500,
  /** The object storage refused, or cannot be reached. */
  STORE_FAILED: 422,
  /** An image of another server cannot be fetched, or is not the one that the lock knows. */
  FETCH_FAILED: 502,
  /** The file system refused. */
  IO_FAILED: 500,
  /** The image service that is to be used cannot be: a limit, the key, or it is away. */
  REMOTE_UNAVAILABLE: 503,
  /** The cache lacks a result, and is frozen: nothing is encoded. */
  NOT_CACHED: 409,
  /** The images of a build have more bytes than its `budgets` allow. */
  OVER_BUDGET: 400,
  /** `pixpress.lock` cannot be read: a conflict of a merge, another format, or the file system refused. */
  LOCK_INVALID: 400,
  /** The machine or the installation lacks something that every image needs: no image is to blame. */
  MACHINE_UNFIT: 500,
  /** Something that should not happen; please report it. */
  INTERNAL: 500,
} as const

/** A stable code of an error. */
export type ErrorCode = keyof typeof ERROR_STATUS

/** Facts about an error besides its code and message. */
export interface PixpressErrorOptions {
  /** Path or name of the image, for messages. */
  file?: string | undefined
  cause?: unknown
  status?: number
}

/** The one error class of pixpress. `code` is stable across versions; `message` is for people. */
export class PixpressError extends Error {
  override readonly name = 'PixpressError'
  readonly code: ErrorCode
  /** The HTTP status a server answers for this error. */
  readonly status: number
  /** Path or name of the image, where one is concerned. */
  readonly file: string | undefined

  constructor(code: ErrorCode, message: string, options: PixpressErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.status = options.status ?? ERROR_STATUS[code]
    this.file = options.file
    // Bundlers show the stack, and where in this package a fault of the machine was found out tells nobody anything.
    if (code === 'MACHINE_UNFIT') this.stack = `${this.name}: ${message}`
  }

  /** Returns the same error, naming the file it is about. */
  withFile(file: string): PixpressError {
    return this.file === undefined
      ? new PixpressError(this.code, this.message, { file, cause: this.cause, status: this.status })
      : this
  }
}

/** Makes the one form of a refused option: `Expected <what> for '<option>' but received <value> of type <type>`. */
export function invalidOption(option: string, expected: string, received: unknown, hint = ''): PixpressError {
  const type = received === null ? 'null' : Array.isArray(received) ? 'array' : typeof received
  return new PixpressError(
    'INVALID_OPTION',
    `Expected ${expected} for '${shortened(option)}' but received ${shownValue(received)} of type ${type}.${hint && ` ${hint}`}`,
  )
}

/** Characters of an option's name in a message: keys of the user's own data may be part of it. */
const LONGEST_OPTION = 200

const shortened = (option: string): string =>
  visibleText(option.length > LONGEST_OPTION ? `${option.slice(0, LONGEST_OPTION - 3)}…` : option)

/** Errors that say that code or WebAssembly is wrong, whatever the content of a file is. */
const OF_CODE: ReadonlySet<string> = new Set(['TypeError', 'ReferenceError', 'CompileError', 'LinkError'])

/**
 * Returns `true` for a fault of our code or a library's. Node throws a `TypeError` for text that is not valid, which is
 * a fault of the data.
 */
export function isCodeError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof PixpressError) return error.code === 'INTERNAL'
  return OF_CODE.has(error.name) && !('code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
}

/** An error of the work on a file: as it is where it is one of ours, else as something that should not happen. */
export function namedError(error: unknown, file: string | undefined): PixpressError {
  if (error instanceof PixpressError) return file === undefined ? error : error.withFile(file)
  const message = error instanceof Error ? error.message : String(error)
  return new PixpressError('INTERNAL', `Unexpected failure: ${message}`, { file, cause: error })
}

/**
 * Returns the first line of a foreign error, without a full stop of its own: these texts become the end of our
 * sentences.
 */
export function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return (text.split('\n').find((line) => line.trim() !== '') ?? 'unknown error').trim().replace(/\.$/, '')
}
