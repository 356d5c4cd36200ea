/** The arithmetic coder of VP8. Source: RFC 6386 section 7. Bits are written as libwebp writes them. */

/** A bit of even odds. */
export const EVEN = 128

/** Reads bits, and zeros behind the end of the data. */
export class BoolReader {
  readonly #data: Uint8Array
  #at = 2
  #value: number
  #range = 255
  #shifted = 0

  constructor(data: Uint8Array) {
    this.#data = data
    this.#value = ((data[0] ?? 0) << 8) | (data[1] ?? 0)
  }

  /** Tells whether bits were read that the data does not have. A writer leaves out none that count. */
  get isPastEnd(): boolean {
    return this.#at > this.#data.length + 2
  }

  /** Reads one bit. @param odds in 256ths that it is 0 */
  read(odds: number): 0 | 1 {
    const split = 1 + (((this.#range - 1) * odds) >> 8)
    const bit = this.#value >= split << 8 ? 1 : 0
    if (bit === 1) {
      this.#range -= split
      this.#value -= split << 8
    } else {
      this.#range = split
    }
    while (this.#range < 128) {
      this.#range <<= 1
      this.#value <<= 1
      if (++this.#shifted === 8) {
        this.#shifted = 0
        this.#value |= this.#data[this.#at++] ?? 0
      }
    }
    return bit
  }
}

/** Writes bits. */
export class BoolWriter {
  readonly #bytes: number[] = []
  /** The range less 1. */
  #range = 254
  #value = 0
  #bits = -8
  /** Bytes of ones that wait for a carry. */
  #waiting = 0

  /** Writes one bit. @param odds in 256ths that it is 0 */
  write(bit: 0 | 1, odds: number): void {
    const split = (this.#range * odds) >> 8
    if (bit === 1) {
      this.#value += split + 1
      this.#range -= split + 1
    } else {
      this.#range = split
    }
    if (this.#range >= 127) return
    const shift = Math.clz32(this.#range + 1) - 24
    this.#range = ((this.#range + 1) << shift) - 1
    this.#value <<= shift
    this.#bits += shift
    if (this.#bits > 0) this.#putByte()
  }

  /** Ends the data, with the zeros that libwebp appends, and returns it. */
  end(): Uint8Array {
    for (let left = 9 - this.#bits; left > 0; left--) this.write(0, EVEN)
    this.#bits = 0
    this.#putByte()
    return Uint8Array.from(this.#bytes)
  }

  #putByte(): void {
    const shift = 8 + this.#bits
    const byte = this.#value >> shift
    this.#value -= byte << shift
    this.#bits -= 8
    if ((byte & 0xff) === 0xff) {
      this.#waiting++
      return
    }
    const carries = (byte & 0x100) !== 0
    if (carries && this.#bytes.length > 0) this.#bytes[this.#bytes.length - 1]!++
    for (; this.#waiting > 0; this.#waiting--) this.#bytes.push(carries ? 0 : 0xff)
    this.#bytes.push(byte & 0xff)
  }
}
