import { PixpressError } from './errors.ts'
import type { Limits } from './limits.ts'

/** The bytes of an image, in one of the shapes in which they are had. */
export type ImageSource = Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array>

/**
 * Reads the bytes of an image. A stream is read to its end.
 * @throws PixpressError `INVALID_OPTION` for what is none of these, `INPUT_TOO_LARGE` beyond `limits.maxBytes`
 */
export async function readSource(
  source: ImageSource,
  { maxBytes }: Required<Limits>,
  file?: string,
): Promise<Uint8Array> {
  if (source instanceof Blob) {
    if (source.size > maxBytes) throw tooLarge(maxBytes, file)
    return new Uint8Array(await source.arrayBuffer())
  }
  if (!(source instanceof ReadableStream)) return bytesOf(source, file)
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of source) {
    const bytes = bytesOf(part, file)
    length += bytes.length
    if (length > maxBytes) throw tooLarge(maxBytes, file)
    parts.push(bytes)
  }
  return new Uint8Array(Buffer.concat(parts))
}

/** @throws PixpressError `INVALID_OPTION` unless these are bytes that are at hand */
export function bytesOf(source: unknown, file?: string): Uint8Array {
  if (source instanceof Uint8Array) return source
  if (source instanceof ArrayBuffer) return new Uint8Array(source)
  const given = source === null ? 'null' : typeof source
  const hint = typeof source === 'string' ? ': read the file first' : ''
  const message = `The image must be a Uint8Array, ArrayBuffer, Blob or ReadableStream, but was of type ${given}${hint}.`
  throw new PixpressError('INVALID_OPTION', message, { file })
}

const tooLarge = (maxBytes: number, file: string | undefined): PixpressError =>
  new PixpressError('INPUT_TOO_LARGE', `The image has more bytes than the limit of ${maxBytes}.`, { file })
