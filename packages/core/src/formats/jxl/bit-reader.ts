/** One of four forms of a number: a constant, or an offset added to some bits. */
export type NumberForm = readonly [bits: number, offset: number]

/** Reads JPEG XL's header fields, least significant bit first (ISO/IEC 18181-1 section B.2). */
export class BitReader {
  /** More bits were read than there are; the missing ones read as 0. */
  overrun = false
  readonly #data: Uint8Array
  #at: number

  constructor(data: Uint8Array, firstByte: number) {
    this.#data = data
    this.#at = firstByte * 8
  }

  /** Reads a whole number of 0 to 32 bits. */
  bits(count: number): number {
    let value = 0
    for (let bit = 0; bit < count; bit++, this.#at++) {
      const byte = this.#data[this.#at >> 3]
      if (byte === undefined) this.overrun = true
      else if ((byte >> (this.#at & 7)) & 1) value += 2 ** bit
    }
    return value
  }

  bool(): boolean {
    return this.bits(1) === 1
  }

  /** Reads `U32(…)`: two bits choose among four forms. */
  number(forms: readonly [NumberForm, NumberForm, NumberForm, NumberForm]): number {
    const [bits, offset] = forms[this.bits(2) as 0 | 1 | 2 | 3]
    return offset + this.bits(bits)
  }

  skip(count: number): void {
    this.#at += count
    if (this.#at > this.#data.length * 8) this.overrun = true
  }
}
