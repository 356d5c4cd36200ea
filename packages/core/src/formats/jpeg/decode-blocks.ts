import type { BitReader } from './bit-reader.ts'
import { BLOCK } from './coefficients.ts'
import type { HuffmanDecoder } from './huffman.ts'

/** The tables of a component in a scan. `undefined` where the scan needs none. */
export interface ScanTables {
  readonly dc: HuffmanDecoder | undefined
  readonly ac: HuffmanDecoder | undefined
}

/** The part of every block that a scan carries. */
export interface Band {
  /** First and last coefficient, in the order of the file. */
  readonly first: number
  readonly last: number
  /** The scan gives one more bit of coefficients that an earlier scan has begun. */
  readonly refines: boolean
  /** Bits below those that the scan gives. */
  readonly shift: number
}

/** The most bits that 8-bit samples need for a coefficient, or a difference of two (ITU-T T.81 tables F.1 and F.2). */
const MOST_BITS = 15

/**
 * Decodes blocks of one scan: annex F.2 for sequential files, G.1.2 and G.2 for progressive ones. Every method says
 * whether the data made sense.
 */
export class BlockDecoder {
  readonly #bits: BitReader
  readonly #band: Band
  readonly #isProgressive: boolean
  /** The DC coefficient of each component's last block. */
  readonly #previous: Int32Array = new Int32Array(4)
  /** Blocks left that have no more coefficients. */
  #emptyBlocks = 0

  constructor(bits: BitReader, band: Band, isProgressive: boolean) {
    this.#bits = bits
    this.#band = band
    this.#isProgressive = isProgressive
  }

  restart(): void {
    this.#previous.fill(0)
    this.#emptyBlocks = 0
  }

  /** @param component its number in the scan */
  decode(component: number, tables: ScanTables, into: Int16Array, at: number): boolean {
    const { first, refines } = this.#band
    if (!this.#isProgressive) return this.#dc(component, tables.dc, into, at) && this.#sequentialAc(tables.ac, into, at)
    if (first === 0) return refines ? this.#dcBit(into, at) : this.#dc(component, tables.dc, into, at)
    return refines ? this.#refineAc(tables.ac, into, at) : this.#firstAc(tables.ac, into, at)
  }

  #dc(component: number, table: HuffmanDecoder | undefined, into: Int16Array, at: number): boolean {
    const length = table === undefined ? -1 : this.#bits.symbol(table)
    if (length < 0 || length > MOST_BITS) return false
    const value = this.#previous[component]! + this.#bits.signed(length)
    this.#previous[component] = value
    into[at] = value << this.#band.shift
    return true
  }

  #dcBit(into: Int16Array, at: number): boolean {
    if (this.#bits.take(1) === 1) into[at]! |= 1 << this.#band.shift
    return true
  }

  #sequentialAc(table: HuffmanDecoder | undefined, into: Int16Array, at: number): boolean {
    if (table === undefined) return false
    const bits = this.#bits
    for (let k = 1; k < BLOCK; k++) {
      const symbol = bits.symbol(table)
      if (symbol < 0) return false
      const length = symbol & 15
      if (length === 0 && symbol !== 0xf0) return true
      k += symbol >> 4
      if (k >= BLOCK) return false
      if (length > 0) into[at + k] = bits.signed(length)
    }
    return true
  }

  #firstAc(table: HuffmanDecoder | undefined, into: Int16Array, at: number): boolean {
    const bits = this.#bits
    const { first, last, shift } = this.#band
    if (this.#emptyBlocks > 0) {
      this.#emptyBlocks--
      return true
    }
    if (table === undefined) return false
    for (let k = first; k <= last; k++) {
      const symbol = bits.symbol(table)
      if (symbol < 0) return false
      const run = symbol >> 4
      const length = symbol & 15
      if (length === 0 && run < 15) {
        this.#emptyBlocks = this.#blocksOf(run) - 1
        return true
      }
      k += run
      if (k > last) return false
      if (length > 0) into[at + k] = bits.signed(length) * (1 << shift)
    }
    return true
  }

  #refineAc(table: HuffmanDecoder | undefined, into: Int16Array, at: number): boolean {
    const bits = this.#bits
    const { first, last, shift } = this.#band
    let k = first
    while (this.#emptyBlocks === 0 && k <= last) {
      const symbol = table === undefined ? -1 : bits.symbol(table)
      if (symbol < 0 || (symbol & 15) > 1) return false
      const run = symbol >> 4
      if (symbol === run << 4 && run < 15) {
        this.#emptyBlocks = this.#blocksOf(run)
        break
      }
      const added = (symbol & 15) === 0 ? 0 : (bits.take(1) === 1 ? 1 : -1) * (1 << shift)
      k = this.#refine(into, at, k, run)
      if (k > last) return added === 0
      if (added !== 0) into[at + k] = added
      k++
    }
    if (this.#emptyBlocks > 0) {
      this.#refine(into, at, k, Infinity)
      this.#emptyBlocks--
    }
    return true
  }

  /**
   * Reads a bit for each coefficient that is not 0, up to the one that is 0 behind so many others. @returns its place
   */
  #refine(into: Int16Array, at: number, from: number, zeros: number): number {
    const { last, shift } = this.#band
    const bit = 1 << shift
    let left = zeros
    for (let k = from; k <= last; k++) {
      const value = into[at + k]!
      if (value === 0) {
        if (left-- === 0) return k
      } else if (this.#bits.take(1) === 1 && (Math.abs(value) & bit) === 0) {
        into[at + k] = value + (value > 0 ? bit : -bit)
      }
    }
    return last + 1
  }

  /** Returns the number of blocks that an end of band stands for. */
  #blocksOf(run: number): number {
    return run === 0 ? 1 : (1 << run) + this.#bits.take(run)
  }
}
