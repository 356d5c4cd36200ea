import { iterated } from './upload-body.ts'
import type { ByteStream, UploadStream } from './upload-body.ts'

/** How much of a stream is kept. */
export interface KeepOptions {
  /** Bytes of the stream, where they are known. */
  readonly size: number | undefined
  /** Bytes that are kept for further tries; a stream that gives more is read once. */
  readonly maxBuffered: number
}

/**
 * Makes a stream that can be read once into content for several tries: what has been read is kept, up to the bound. The
 * chunks are not copied.
 */
export function keepStream(stream: ByteStream, { size, maxBuffered }: KeepOptions): UploadStream {
  const iterator = iterated(stream)[Symbol.asyncIterator]()
  let kept: Uint8Array[] = []
  /** The place in the stream of the first chunk that is kept. */
  let first = 0
  let bytes = 0
  let readers = 0
  let ended = false
  let failure: { readonly reason: unknown } | undefined
  let reading: Promise<void> | undefined

  // A try that was given up may still wait for the chunk that the next one asks for: both get the same.
  function read(): Promise<void> {
    reading ??= iterator
      .next()
      .then(({ done, value }) => {
        if (done === true) return void (ended = true)
        const chunk = viewOn(value)
        bytes += chunk.length
        kept.push(chunk)
      })
      .catch((reason: unknown) => {
        // A generator that has thrown says that it is at its end the next time: half an image is none.
        failure = { reason }
        throw reason
      })
      .finally(() => (reading = undefined))
    return reading
  }

  async function* readFromStart(): AsyncGenerator<Uint8Array> {
    for (let place = 0; ; place++) {
      while (place >= first + kept.length && !ended) {
        if (failure !== undefined) throw failure.reason
        await read()
      }
      if (place < first) throw new TypeError('The beginning of the stream is no longer there.')
      const chunk = kept[place - first]
      if (chunk === undefined) return
      if (bytes > maxBuffered) {
        kept = kept.slice(place - first + 1)
        first = place + 1
      }
      yield chunk
    }
  }

  async function* open(): AsyncGenerator<Uint8Array> {
    const reader = ++readers
    try {
      yield* readFromStart()
    } finally {
      // Nobody can read it again: its file or connection is not needed any more.
      if (first > 0 && !ended && reader === readers) await iterator.return?.()
    }
  }

  return {
    size,
    get repeatable() {
      return first === 0
    },
    open,
  }
}

/** Makes content of a function that opens the stream anew for each try. Nothing is kept. */
export function reopenStream(
  openStream: () => ByteStream | Promise<ByteStream>,
  size: number | undefined,
): UploadStream {
  return {
    size,
    repeatable: true,
    async *open() {
      for await (const chunk of iterated(await openStream())) yield viewOn(chunk)
    },
  }
}

/**
 * Returns the bytes of an `ArrayBuffer` or a view on one, not copied.
 * @throws TypeError for anything else
 */
export function viewOn(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  // A buffer of another window or context is of another class.
  if (Object.prototype.toString.call(value) === '[object ArrayBuffer]') return new Uint8Array(value as ArrayBuffer)
  throw new TypeError(`Expected bytes (a Buffer, Uint8Array or ArrayBuffer) but received ${nameOfKind(value)}.`)
}

/** Shows what was given for a number: the text of a list has no end, and that of an object may fail. */
export const shownNumber = (value: unknown): string =>
  typeof value === 'object' || typeof value === 'function' ? nameOfKind(value) : String(value).slice(0, 60)

/** Returns what a value is, in a word or two. */
export function nameOfKind(value: unknown): string {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : `a value of type ${typeof value}`
  return `an object of class ${value.constructor?.name ?? 'unknown'}`
}
