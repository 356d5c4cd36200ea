/** Writes JPEG XL header fields, least significant bit first (ISO/IEC 18181-1 section B.2). */
export class BitWriter {
  readonly #bits: number[] = []

  bits(count: number, value: number): this {
    for (let bit = 0; bit < count; bit++) this.#bits.push(Math.floor(value / 2 ** bit) % 2)
    return this
  }

  /** The codestream's signature and the bits so far, with zero bytes behind them. */
  codestream(zeros = 16): Uint8Array {
    const bytes = new Uint8Array(2 + Math.ceil(this.#bits.length / 8) + zeros)
    bytes.set([0xff, 0x0a])
    for (const [at, bit] of this.#bits.entries()) bytes[2 + (at >> 3)]! |= bit << (at & 7)
    return bytes
  }
}

/** A codestream's size: any width and height from 1 to 2^30, in 30 bits each. */
export function sized(width: number, height: number): BitWriter {
  return new BitWriter()
    .bits(1, 0)
    .bits(2, 3)
    .bits(30, height - 1)
    .bits(3, 0)
    .bits(2, 3)
    .bits(30, width - 1)
}

/** A value of an enumeration, 0 to 81. */
export function writeEnum(writer: BitWriter, value: number): void {
  if (value < 2) writer.bits(2, value)
  else if (value < 18) writer.bits(2, 2).bits(4, value - 2)
  else writer.bits(2, 3).bits(6, value - 18)
}

/** Image metadata without extra fields, of 8 bits, with extra channels of these kinds. */
export function withChannels(writer: BitWriter, kinds: readonly number[]): BitWriter {
  // The bits mean: not the default, no extra fields, integers of 8 bits, and small buffers suffice.
  writer.bits(1, 0).bits(1, 0).bits(1, 0).bits(2, 0).bits(1, 1)
  if (kinds.length === 0) writer.bits(2, 0)
  else writer.bits(2, 3).bits(12, kinds.length - 1)
  for (const kind of kinds) {
    // The bits mean: not the default, the kind, 8 bits, full size, and a name of three letters.
    writeEnum(writer.bits(1, 0), kind)
    writer.bits(1, 0).bits(2, 0).bits(2, 0).bits(2, 1).bits(4, 3).bits(24, 0x616263)
    if (kind === 2) writer.bits(64, 0)
  }
  return writer
}
