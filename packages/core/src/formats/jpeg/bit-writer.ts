const FIRST_CAPACITY = 65_536

/**
 * Bits of entropy-coded data, with a zero behind each byte that would look like a marker (ITU-T T.81 annex F.1.2.3).
 */
export class BitWriter {
  #bytes = new Uint8Array(FIRST_CAPACITY)
  #length = 0
  /** Fewer than 8 bits that no byte holds yet. */
  #bits = 0
  #count = 0

  /** @param length 1 to 16 */
  put(value: number, length: number): void {
    this.#bits = (this.#bits << length) | value
    this.#count += length
    while (this.#count >= 8) {
      this.#count -= 8
      this.#write((this.#bits >>> this.#count) & 255)
    }
    this.#bits &= (1 << this.#count) - 1
  }

  /** Returns the bytes, filled up with ones. */
  finish(): Uint8Array {
    if (this.#count > 0) this.put((1 << (8 - this.#count)) - 1, 8 - this.#count)
    return this.#bytes.subarray(0, this.#length)
  }

  #write(byte: number): void {
    if (this.#length + 2 > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    this.#bytes[this.#length++] = byte
    if (byte === 0xff) this.#bytes[this.#length++] = 0
  }
}
