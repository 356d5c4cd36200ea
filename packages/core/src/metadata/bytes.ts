/**
 * Reading and joining bytes. Reads never throw: bytes beyond the end are 0, so callers check bounds where it matters.
 */

export function uint16(data: Uint8Array, at: number, littleEndian = false): number {
  const first = data[at] ?? 0
  const second = data[at + 1] ?? 0
  return littleEndian ? (second << 8) | first : (first << 8) | second
}

/** Reads an unsigned integer of 4 bytes. */
export function uint32(data: Uint8Array, at: number, littleEndian = false): number {
  const first = uint16(data, at, littleEndian)
  const second = uint16(data, at + 2, littleEndian)
  return littleEndian ? second * 0x10000 + first : first * 0x10000 + second
}

/** Tells whether the bytes at an offset are these ASCII characters. */
export function hasAscii(data: Uint8Array, at: number, text: string): boolean {
  if (at + text.length > data.length) return false
  for (let i = 0; i < text.length; i++) {
    if (data[at + i] !== text.charCodeAt(i)) return false
  }
  return true
}

/** Returns the bytes as characters of the same code: for four-character codes and other ASCII identifiers. */
export function asciiAt(data: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...data.subarray(at, at + length))
}

/** Encodes ASCII text. */
export function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

/** Returns a whole number as big-endian bytes; `size` is 0 to 8 bytes. */
export function bigEndian(value: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  for (let i = size - 1, rest = value; i >= 0; i--) {
    bytes[i] = rest % 256
    rest = Math.floor(rest / 256)
  }
  return bytes
}

/** Returns a whole number as four little-endian bytes. */
export function littleEndian32(value: number): Uint8Array {
  return bigEndian(value, 4).toReversed()
}

/** Joins bytes. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Reads big-endian fields one after another; past the end it yields 0 and says so in `overrun`. */
export class ByteCursor {
  at: number
  overrun = false
  readonly #data: Uint8Array
  readonly #end: number

  constructor(data: Uint8Array, at: number, end: number) {
    this.#data = data
    this.at = at
    this.#end = Math.min(end, data.length)
  }

  /** Returns a whole number of 0 to 8 bytes. Beyond 2^53 it is rounded: check with `Number.isSafeInteger`. */
  uint(size: number): number {
    if (this.at + size > this.#end) this.overrun = true
    if (this.overrun) return 0
    let value = 0
    for (let i = 0; i < size; i++) value = value * 256 + (this.#data[this.at + i] ?? 0)
    this.at += size
    return value
  }
}
