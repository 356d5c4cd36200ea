import { QUICK_BITS } from './huffman.ts'
import type { HuffmanDecoder } from './huffman.ts'

const RST0 = 0xd0

/**
 * Bits of entropy-coded data (ITU-T T.81 annex F.2.2.5). Past its end, and past a marker, bits are 0 and `isOverrun`
 * says so: callers check that once in a while, instead of at every bit.
 */
export class BitReader {
  readonly #data: Uint8Array
  readonly #end: number
  #at: number
  /** The low `#count` bits of these are next. */
  #bits = 0
  #count = 0
  /** The part of `#count` that is not in the data. */
  #missing = 0

  constructor(data: Uint8Array, start: number, end: number) {
    this.#data = data
    this.#at = start
    this.#end = end
  }

  /** Bits were taken that are not in the data. */
  get isOverrun(): boolean {
    return this.#missing > this.#count
  }

  /** Reads the next 1 to 16 bits as a number. */
  take(length: number): number {
    if (this.#count < length) this.#fill()
    this.#count -= length
    return (this.#bits >>> this.#count) & ((1 << length) - 1)
  }

  /** Reads the next symbol; -1 where no code begins with the next bits. */
  symbol({ quick, ends, offsets, symbols }: HuffmanDecoder): number {
    if (this.#count < 16) this.#fill()
    const entry = quick[(this.#bits >>> (this.#count - QUICK_BITS)) & ((1 << QUICK_BITS) - 1)]!
    if (entry !== 0) {
      this.#count -= entry >> 8
      return entry & 255
    }
    for (let length = QUICK_BITS + 1; length <= 16; length++) {
      const code = (this.#bits >>> (this.#count - length)) & ((1 << length) - 1)
      if (code < ends[length]!) {
        this.#count -= length
        return symbols[code + offsets[length]!] ?? -1
      }
    }
    return -1
  }

  /** Reads a difference or coefficient of so many bits, 0 to 15 (annex F.2.2.1, EXTEND). */
  signed(length: number): number {
    if (length === 0) return 0
    const value = this.take(length)
    return value < 1 << (length - 1) ? value - (1 << length) + 1 : value
  }

  /** Tells whether only padding of less than a byte is left before a marker or the end. */
  isAtEnd(): boolean {
    this.#fill()
    return !this.isOverrun && this.#count - this.#missing < 8 && this.#isAtMarker()
  }

  /** Goes on behind a restart marker. @returns whether that of the number was next */
  restart(number: number): boolean {
    if (!this.isAtEnd()) return false
    while (this.#at + 1 < this.#end && this.#data[this.#at + 1] === 0xff) this.#at++
    if (this.#at + 1 >= this.#end || this.#data[this.#at + 1] !== RST0 + number) return false
    this.#at += 2
    this.#count = 0
    this.#missing = 0
    return true
  }

  #isAtMarker(): boolean {
    return this.#at >= this.#end || (this.#data[this.#at] === 0xff && this.#data[this.#at + 1] !== 0)
  }

  #fill(): void {
    while (this.#count <= 24) {
      if (this.#isAtMarker()) {
        this.#bits <<= 8
        this.#missing += 8
      } else {
        const byte = this.#data[this.#at]!
        this.#bits = (this.#bits << 8) | byte
        this.#at += byte === 0xff ? 2 : 1
      }
      this.#count += 8
    }
  }
}
