/** A stream of bytes: a web stream, a stream of Node's, or anything else that is iterated asynchronously. */
export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/** Content that is read from its beginning for each try of a request. */
export interface UploadStream {
  /** Bytes; `undefined` where they are not known before the end. */
  readonly size: number | undefined
  /** Tells whether `open` gives the content once more. */
  readonly repeatable: boolean
  /** Gives the content, from its beginning. */
  open(): AsyncIterable<Uint8Array>
}

/** The content of an upload. */
export type UploadContent = Uint8Array | Blob | UploadStream

/** Bytes that are written at once, so that progress can be told in between. */
const PIECE = 64 * 1024

/** Returns the bytes of an upload, where they are known. */
export const sizeOfContent = (content: UploadContent): number | undefined =>
  content instanceof Uint8Array ? content.length : content.size

/** Gives the content of an upload in pieces. @throws what the stream throws, and TypeError for one of another size */
export function piecesOf(content: UploadContent): AsyncIterable<Uint8Array> {
  if (content instanceof Uint8Array) return slices(content)
  if (content instanceof Blob) return iterated(content.stream())
  return ofSize(content.open(), content.size)
}

/** Gives the chunks of a stream. Browsers without asynchronous iteration of web streams have readers. */
export function iterated(stream: ByteStream): AsyncIterable<Uint8Array> {
  return Symbol.asyncIterator in stream ? stream : readThrough(stream)
}

async function* readThrough(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  let finished = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      finished = done
      if (done) return
      yield value
    }
  } finally {
    if (!finished) await reader.cancel()
  }
}

async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}

async function* ofSize(pieces: AsyncIterable<Uint8Array>, size: number | undefined): AsyncGenerator<Uint8Array> {
  let read = 0
  for await (const piece of pieces) {
    read += piece.length
    if (size !== undefined && read > size) throw wrongSize(size, `at least ${read}`)
    yield piece
  }
  if (size !== undefined && read < size) throw wrongSize(size, String(read))
}

const wrongSize = (declared: number, found: string): TypeError =>
  new TypeError(`The stream was said to have ${declared} bytes, but has ${found}.`)
