/** Codes of some bits as bytes, the lowest bit first. */
export class BitWriter {
  #bytes: Uint8Array
  #length = 0
  #held = 0
  #bits = 0

  /** @param expected bytes about; it grows where they are more */
  constructor(expected: number) {
    this.#bytes = new Uint8Array(Math.max(16, expected))
  }

  /** Whole bytes so far. */
  get length(): number {
    return this.#length
  }

  /** @param size bits, at most 12 */
  write(code: number, size: number): void {
    this.#held |= code << this.#bits
    this.#bits += size
    for (; this.#bits >= 8; this.#bits -= 8, this.#held >>>= 8) this.#push(this.#held & 255)
  }

  /** Returns the bytes; the last one is filled with zeros. */
  finish(): Uint8Array {
    if (this.#bits > 0) this.#push(this.#held & 255)
    return this.#bytes.slice(0, this.#length)
  }

  #push(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#bytes.length)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    this.#bytes[this.#length++] = byte
  }
}
