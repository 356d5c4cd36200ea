import { BitWriter } from './bit-writer.ts'
import type { HuffmanCodes } from './huffman.ts'

const FIRST_CAPACITY = 65_536

/** Where a symbol, the number of bits behind its code, and its table are in 32 bits; these bits are the lowest. */
const SYMBOL_AT = 11
const LENGTH_AT = 19
const TABLE_AT = 23

/**
 * The symbols of a scan in order, four bytes each, and how often each occurs: its tables are made of these, and looking
 * at every coefficient once more takes longer.
 */
export class SymbolList {
  /** How often each symbol of each table occurs. */
  readonly occurrences: readonly Uint32Array[]
  #symbols = new Uint32Array(FIRST_CAPACITY)
  #count = 0

  constructor(tables: number) {
    this.occurrences = Array.from({ length: tables }, () => new Uint32Array(256))
  }

  /**
   * @param extra what follows the code
   * @param length bits of it, 0 to 11
   */
  add(table: number, symbol: number, extra: number, length: number): void {
    if (this.#count === this.#symbols.length) {
      const larger = new Uint32Array(this.#count * 2)
      larger.set(this.#symbols)
      this.#symbols = larger
    }
    this.#symbols[this.#count++] = (table << TABLE_AT) | (length << LENGTH_AT) | (symbol << SYMBOL_AT) | extra
    this.occurrences[table]![symbol]!++
  }

  /** Writes all of them in the codes of their tables. */
  write(coders: readonly HuffmanCodes[]): Uint8Array {
    const bits = new BitWriter()
    for (let at = 0; at < this.#count; at++) {
      const each = this.#symbols[at]!
      const { codes, lengths } = coders[each >>> TABLE_AT]!
      const symbol = (each >>> SYMBOL_AT) & 255
      const length = (each >>> LENGTH_AT) & 15
      bits.put(codes[symbol]!, lengths[symbol]!)
      if (length > 0) bits.put(each & ((1 << SYMBOL_AT) - 1), length)
    }
    return bits.finish()
  }
}
