/**
 * Huffman codes of JPEG files: ITU-T T.81 annexes C (codes of a table), F.2.2.3 (decoding) and K.2 (optimal tables).
 */

/** Codes have 1 to 16 bits. */
const LONGEST = 16

/** Bits that are looked up at once: nearly all codes are shorter. */
export const QUICK_BITS = 9

/** A table as the file gives it. */
export interface HuffmanTable {
  /** Number of codes of 1 to 16 bits; index 0 is not used. */
  readonly counts: Uint8Array
  readonly symbols: Uint8Array
}

/** The tables that decode one set of Huffman codes. */
export interface HuffmanDecoder {
  /** Indexed by the next `QUICK_BITS` bits: length of the code << 8 | symbol, or 0 where the code is longer. */
  readonly quick: Uint16Array
  /** Indexed by length: the first number of so many bits that is no code of this length, so that the code is longer. */
  readonly ends: Int32Array
  /** Indexed by length: added to a code's number, it gives the place in `symbols`. */
  readonly offsets: Int32Array
  readonly symbols: Uint8Array
}

/** @returns `undefined` where there are more codes than their lengths allow */
export function huffmanDecoder({ counts, symbols }: HuffmanTable): HuffmanDecoder | undefined {
  const quick = new Uint16Array(1 << QUICK_BITS)
  const ends = new Int32Array(LONGEST + 1)
  const offsets = new Int32Array(LONGEST + 1)
  let code = 0
  let index = 0
  for (let length = 1; length <= LONGEST; length++) {
    const count = counts[length]!
    offsets[length] = index - code
    if (code + count > 1 << length) return undefined
    const quickCodes = length <= QUICK_BITS ? count : 0
    for (let i = 0; i < quickCodes; i++) {
      const from = (code + i) << (QUICK_BITS - length)
      quick.fill((length << 8) | symbols[index + i]!, from, from + (1 << (QUICK_BITS - length)))
    }
    code += count
    index += count
    ends[length] = code
    code <<= 1
  }
  return index > symbols.length ? undefined : { quick, ends, offsets, symbols }
}

/** The codes that encode one set of symbols. */
export interface HuffmanCodes {
  /** Indexed by symbol; a length of 0 is no code. */
  readonly codes: Uint16Array
  readonly lengths: Uint8Array
}

/** Builds the codes of a Huffman table (ITU-T T.81 annex C). */
export function huffmanCodes({ counts, symbols }: HuffmanTable): HuffmanCodes {
  const codes = new Uint16Array(256)
  const lengths = new Uint8Array(256)
  let code = 0
  let index = 0
  for (let length = 1; length <= LONGEST; length++) {
    for (let i = 0; i < counts[length]!; i++) {
      const symbol = symbols[index++]!
      codes[symbol] = code++
      lengths[symbol] = length
    }
    code <<= 1
  }
  return { codes, lengths }
}

/** Returns the table that takes the fewest bits for symbols that occur so often (annex K.2). */
export function optimalTable(occurrences: Uint32Array): HuffmanTable {
  const lengths = codeLengths(occurrences)
  const perLength = new Int32Array(Math.max(LONGEST + 1, ...lengths.map((length) => length + 1)))
  for (const length of lengths) perLength[length]!++
  perLength[0] = 0
  shorten(perLength)
  const symbols = Array.from({ length: 256 }, (_, symbol) => symbol)
    .filter((symbol) => lengths[symbol]! > 0)
    .sort((one, other) => lengths[one]! - lengths[other]! || one - other)
  return { counts: Uint8Array.from(perLength.subarray(0, LONGEST + 1)), symbols: Uint8Array.from(symbols) }
}

/**
 * Lengths of Huffman's codes, however long; one more symbol stands for the code of all ones, which JPEG does not use.
 */
function codeLengths(occurrences: Uint32Array): number[] {
  const weights = [...occurrences.subarray(0, 256), 1]
  const lengths = weights.map(() => 0)
  let trees = weights.map((weight, symbol) => ({ weight, symbols: [symbol] })).filter(({ weight }) => weight > 0)
  while (trees.length > 1) {
    // The reserved symbol is the last of its weight, so that its code is among the longest.
    trees.sort((one, other) => one.weight - other.weight || other.symbols.at(-1)! - one.symbols.at(-1)!)
    const [first, second, ...rest] = trees
    const symbols = [...second!.symbols, ...first!.symbols].sort((one, other) => one - other)
    for (const symbol of symbols) lengths[symbol]!++
    trees = [...rest, { weight: first!.weight + second!.weight, symbols }]
  }
  return lengths
}

/** Brings codes to 16 bits at most, and takes the reserved one away (annex K.2, figure K.3). */
function shorten(perLength: Int32Array): void {
  for (let length = perLength.length - 1; length > LONGEST; length--) {
    while (perLength[length]! > 0) {
      let shorter = length - 2
      while (perLength[shorter] === 0) shorter--
      perLength[length]! -= 2
      perLength[length - 1]!++
      perLength[shorter + 1]! += 2
      perLength[shorter]!--
    }
  }
  const longest = perLength.findLastIndex((count, length) => count > 0 && length <= LONGEST)
  perLength[longest]!--
}
