/**
 * The loop filter of a lossy frame, which smooths the edges of blocks when all of it is decoded. libwebp from effort 3
 * on makes the filter of all blocks as strong as one block needs that came out flat (`VP8AdjustFilterStrength`). One
 * setting may then score up to 5 points less than the next, and a photograph takes up to 20 % more bytes than it needs.
 * Coefficients and modes of blocks do not depend on the filter, so that its level in the header can be replaced. The
 * header is coded together with the modes behind it, which are read and written again. Source: RFC 6386, sections 9.3
 * to 9.11, 11.2, 11.4 and 19.2.
 */
import { asciiAt, littleEndian32, uint16, uint32 } from '../../metadata/bytes.ts'
import { BoolReader, BoolWriter, EVEN } from './bool-coder.ts'
import { BLOCK_MODES, BLOCK_MODE_ODDS, TOKEN_UPDATE_ODDS } from './frame-tables.ts'
import { FRAME_HEADER, lossyFrame } from './mark.ts'

/** Bytes of the largest first partition, whose size has 19 bits. */
const MOST_BYTES = 2 ** 19 - 1

/** Bits of the filter's level. */
const LEVEL_BITS = 6

/** Pixels of a macroblock's side, and blocks of 4 × 4 pixels along it. */
const MACROBLOCK = 16
const BLOCKS = 4

/** A first partition: where the frame begins and ends in its file, and the partition's own bytes. */
interface Partition {
  readonly start: number
  readonly end: number
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

function firstPartition(file: Uint8Array): Partition | undefined {
  const frame = lossyFrame(file)
  if (frame === undefined || frame.end - frame.start <= FRAME_HEADER) return undefined
  const { start, end } = frame
  const tag = uint16(file, start, true) | (file[start + 2]! << 16)
  const size = tag >> 5
  // A key frame that is shown, and its start code.
  if ((tag & 1) !== 0 || file[start + 3] !== 0x9d || start + FRAME_HEADER + size > end) return undefined
  const data = file.subarray(start + FRAME_HEADER, start + FRAME_HEADER + size)
  const [width, height] = [uint16(file, start + 6, true) & 0x3fff, uint16(file, start + 8, true) & 0x3fff]
  return { start, end, width, height, data }
}

/** Returns the level of a still picture's loop filter, 0 to 63; `undefined` of other files than lossy WebP. */
export function loopFilterLevel(file: Uint8Array): number | undefined {
  const partition = firstPartition(file)
  if (partition === undefined) return undefined
  const copier = new Copier(new BoolReader(partition.data))
  copier.copyUpToFilter()
  return copier.number(LEVEL_BITS)
}

/**
 * Returns a lossy still picture with another level of its loop filter; `undefined` of other files, and of those that
 * end too early or whose header would grow too large. With the level that it has, libwebp's own bytes come back.
 * @param level 0 to 63; with 0 there is no filter
 */
export function withLoopFilter(file: Uint8Array, level: number): Uint8Array | undefined {
  const partition = asciiAt(file, 12, 4) === 'VP8X' && (file[20]! & 2) !== 0 ? undefined : firstPartition(file)
  if (partition === undefined) return undefined
  const reader = new BoolReader(partition.data)
  const writer = new BoolWriter()
  const copier = new Copier(reader, writer)
  copier.copyUpToFilter()
  copier.replace(LEVEL_BITS, level)
  copier.copyBehindFilter(Math.ceil(partition.width / MACROBLOCK), Math.ceil(partition.height / MACROBLOCK))
  const made = writer.end()
  return reader.isPastEnd || made.length > MOST_BYTES ? undefined : replaced(file, partition, made)
}

/** Returns the file with another first partition. */
function replaced(file: Uint8Array, { start, end, data }: Partition, made: Uint8Array): Uint8Array {
  const grown = made.length - data.length
  const [size, padded] = [end - start + grown, (end - start) % 2]
  const rest = file.subarray(end + padded)
  const padding = size % 2
  const result = new Uint8Array(start + size + padding + rest.length)
  result.set(file.subarray(0, start + FRAME_HEADER))
  const tag = (file[start]! & 0x1f) | (made.length << 5)
  result.set([tag & 0xff, (tag >> 8) & 0xff, (tag >> 16) & 0xff], start)
  result.set(littleEndian32(size), start - 4)
  result.set(littleEndian32(uint32(file, 4, true) + size + padding - (end - start) - padded), 4)
  result.set(made, start + FRAME_HEADER)
  result.set(file.subarray(start + FRAME_HEADER + data.length, end), start + FRAME_HEADER + made.length)
  result.set(rest, start + size + padding)
  return result
}

/** Reads the first partition bit by bit, and writes every bit again where there is a writer. */
class Copier {
  readonly #reader: BoolReader
  readonly #writer: BoolWriter | undefined
  /** `true` if each block has a segment. */
  #hasMap = false
  /** The odds of the bits that name a segment. */
  readonly #segmentOdds = [255, 255, 255]

  constructor(reader: BoolReader, writer?: BoolWriter) {
    this.#reader = reader
    this.#writer = writer
  }

  #bit(odds: number = EVEN): 0 | 1 {
    const bit = this.#reader.read(odds)
    this.#writer?.write(bit, odds)
    return bit
  }

  #flag(): boolean {
    return this.#bit() === 1
  }

  /** Reads a number, highest bit first. */
  number(bits: number): number {
    let value = 0
    for (let left = bits; left > 0; left--) value = value * 2 + this.#bit()
    return value
  }

  /** Numbers that may be left out, each with a sign. */
  #signed(count: number, bits: number): void {
    for (let left = count; left > 0; left--) if (this.#flag()) this.number(bits + 1)
  }

  replace(bits: number, value: number): void {
    for (let at = bits - 1; at >= 0; at--) {
      this.#reader.read(EVEN)
      this.#writer?.write(((value >> at) & 1) as 0 | 1, EVEN)
    }
  }

  /** Copies the space of colours, segments and the type of the filter. */
  copyUpToFilter(): void {
    this.number(2)
    if (this.#flag()) this.#copySegments()
    this.number(1)
  }

  #copySegments(): void {
    this.#hasMap = this.#flag()
    if (this.#flag()) {
      this.number(1)
      this.#signed(4, 7)
      this.#signed(4, LEVEL_BITS)
    }
    if (!this.#hasMap) return
    for (let segment = 0; segment < 3; segment++) this.#segmentOdds[segment] = this.#flag() ? this.number(8) : 255
  }

  /** Copies all behind the filter's level. */
  copyBehindFilter(columns: number, rows: number): void {
    this.number(3)
    if (this.#flag() && this.#flag()) this.#signed(8, LEVEL_BITS)
    // Partitions, quantisers, and whether probabilities stay for frames to come.
    this.number(2 + 7)
    this.#signed(5, 4)
    this.number(1)
    for (const odds of TOKEN_UPDATE_ODDS) if (this.#bit(odds) === 1) this.number(8)
    const skips = this.#flag() ? this.number(8) : undefined
    const above = new Uint8Array(columns * BLOCKS)
    for (let row = 0; row < rows; row++) {
      const left = new Uint8Array(BLOCKS)
      for (let column = 0; column < columns; column++) {
        this.#copyMacroblock(above.subarray(column * BLOCKS, (column + 1) * BLOCKS), left, skips)
      }
    }
  }

  /** Copies the modes of a macroblock, and notes those of its blocks at the bottom and on the right. */
  #copyMacroblock(above: Uint8Array, left: Uint8Array, skips: number | undefined): void {
    if (this.#hasMap) this.#bit(this.#bit(this.#segmentOdds[0]) === 1 ? this.#segmentOdds[2] : this.#segmentOdds[1])
    if (skips !== undefined) this.#bit(skips)
    if (this.#bit(145) === 1) {
      const mode = this.#bit(156) === 1 ? (this.#bit(128) === 1 ? 1 : 3) : this.#bit(163) === 1 ? 2 : 0
      above.fill(mode)
      left.fill(mode)
    } else {
      for (let y = 0; y < BLOCKS; y++) {
        for (let x = 0; x < BLOCKS; x++) above[x] = left[y] = this.#blockMode(above[x]!, left[y]!)
      }
    }
    if (this.#bit(142) === 1 && this.#bit(114) === 1) this.#bit(183)
  }

  #blockMode(above: number, left: number): number {
    const odds = (above * BLOCK_MODES + left) * (BLOCK_MODES - 1)
    let node = 0
    do node = TREE[node]![this.#bit(BLOCK_MODE_ODDS[odds + node])]
    while (node > 0)
    return -node
  }
}

/** The tree of a block's mode (section 11.2): from each node the next one, or a mode as a negative number. */
const TREE: readonly (readonly [number, number])[] = [
  [-0, 1],
  [-1, 2],
  [-2, 3],
  [4, 6],
  [-3, 5],
  [-4, -5],
  [-6, 7],
  [-7, 8],
  [-8, -9],
]
