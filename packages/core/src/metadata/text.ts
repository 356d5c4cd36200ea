import { isUtf8 } from 'node:buffer'

/**
 * The longest text that is kept, in bytes of UTF-8. A JPEG segment holds 65,533 bytes; a text of this length fits with
 * everything else that goes into the segment.
 */
export const MAX_TEXT_BYTES = 32_768

/** Every control character but tab and line ends. XML and PNG text forbid them; none has a meaning here. */
const CONTROL_CHARACTERS = /[^\P{Cc}\t\n\r]/gu

/**
 * Returns the text of a metadata field. Writers disagree on the encoding: EXIF says ASCII, PNG `tEXt` says Latin-1, and
 * UTF-8 is found in both, so bytes that are valid UTF-8 are read as that and everything else as Latin-1.
 * @returns `undefined` for a blank text and for one of more than `MAX_TEXT_BYTES`.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const longestWithNul = MAX_TEXT_BYTES + 1
  if (bytes.length > longestWithNul) return undefined
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return cleanText(buffer.toString(isUtf8(bytes) ? 'utf8' : 'latin1'))
}

/**
 * Returns the text without padding and control characters. A NUL inside becomes a line end: EXIF separates the
 * photographer's from the editor's copyright by one.
 * @returns `undefined` for a blank text and for one of more than `MAX_TEXT_BYTES`.
 */
export function cleanText(text: string): string | undefined {
  const clean = text.replaceAll('\0', '\n').replace(CONTROL_CHARACTERS, '').trim()
  return clean === '' || Buffer.byteLength(clean) > MAX_TEXT_BYTES ? undefined : clean
}

/** Encodes a text in UTF-8. */
export function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
