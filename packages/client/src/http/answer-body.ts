import { joined } from '../base/encoding.ts'
import { ConnectionError } from '../base/errors.ts'
import type { OnBytes } from '../base/progress.ts'

/** How a body is read. */
export interface BodyLimits {
  /** Bytes that the answer has announced. */
  readonly expected: number | undefined
  /** Bytes of the largest body to accept. */
  readonly maxSize: number
  readonly onReceived?: OnBytes | undefined
  /** Tells whether the connection says that the body has come to its end. */
  readonly isComplete?: () => boolean
}

/** Returns the length that an answer announces of its body as it is read. */
export const announcedSize = (headers: Readonly<Record<string, string | undefined>>): number | undefined => {
  const { 'content-length': length, 'content-encoding': encoding } = headers
  return length === undefined || encoding !== undefined ? undefined : Number(length)
}

/** Gives a body's pieces. @throws ConnectionError `AnswerTooLarge`, or `Truncated` for one that ends too early */
export async function* boundedBody(
  pieces: AsyncIterable<Uint8Array>,
  { expected, maxSize, onReceived, isComplete = () => true }: BodyLimits,
): AsyncGenerator<Uint8Array> {
  let size = 0
  refuseOver(maxSize, expected ?? 0)
  for await (const piece of pieces) {
    size += piece.length
    refuseOver(maxSize, size)
    onReceived?.(size, expected)
    yield piece
  }
  if (isComplete() && (expected === undefined || size === expected)) return
  throw new ConnectionError(`The answer was cut off after ${size} bytes.`, { error: 'Truncated' })
}

/** Returns a whole body. */
export async function wholeBody(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const read: Uint8Array[] = []
  let size = 0
  for await (const piece of pieces) {
    size += piece.length
    read.push(piece)
  }
  return joined(read, size)
}

/**
 * Gives a body's pieces, and no piece later than so many milliseconds after it was asked for. A reader may take its
 * time between two.
 * @throws ConnectionError `Timeout`
 */
export async function* withoutSilence(pieces: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  let finished = false
  try {
    for (;;) {
      const { done, value } = await within(iterator.next(), most)
      if (done === true) {
        finished = true
        return
      }
      yield value
    }
  } finally {
    // Not awaited: what is silent does not answer this either.
    if (!finished) iterator.return?.().catch(() => undefined)
  }
}

function within<T>(promise: Promise<T>, most: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(silentFor(most)), most)
    void promise.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}

/** The error of a service that sends nothing. */
export const silentFor = (ms: number): ConnectionError =>
  new ConnectionError(`The service was silent for ${ms} ms.`, { error: 'Timeout' })

/** The error of a try that takes too long. */
export const longerThan = (ms: number): ConnectionError =>
  new ConnectionError(`The service took longer than ${ms} ms.`, { error: 'Timeout' })

/** The error of an answer that is larger than allowed. */
export const tooLarge = (maxSize: number): ConnectionError =>
  new ConnectionError(`The answer is larger than the limit of ${maxSize} bytes.`, { error: 'AnswerTooLarge' })

function refuseOver(maxSize: number, size: number): void {
  if (size > maxSize) throw tooLarge(maxSize)
}
