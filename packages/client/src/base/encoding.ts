/** Returns the bytes of a text, as UTF-8. */
export const utf8Bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Returns the text of bytes that are UTF-8. */
export const utf8Text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** Returns a text's bytes as base64. */
export const base64Text = (text: string): string =>
  btoa(Array.from(utf8Bytes(text), (byte) => String.fromCharCode(byte)).join(''))

/** Puts pieces together, without copying a single one. */
export function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = pieces
  if (first !== undefined && pieces.length === 1) return first
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
