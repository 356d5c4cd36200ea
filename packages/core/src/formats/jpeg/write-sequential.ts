/**
 * Writes coefficients as a sequential JPEG file with optimal Huffman tables. Source: ITU-T T.81 annexes B, F.1 and K.2.
 */
import { ascii, bigEndian, concatBytes } from '../../metadata/bytes.ts'
import { BLOCK } from './coefficients.ts'
import { huffmanCodes, optimalTable } from './huffman.ts'
import type { HuffmanTable } from './huffman.ts'
import { SymbolList } from './symbol-list.ts'
import type { RotatedComponent, RotatedCoefficients } from './rotation.ts'

const [SOI, EOI, APP0, DQT, BASELINE, EXTENDED, DHT, SOS] = [0xd8, 0xd9, 0xe0, 0xdb, 0xc0, 0xc1, 0xc4, 0xda] as const

/**
 * Bits of a difference of DC coefficients and of an AC coefficient, at most, in pictures of 8 bits (tables F.1 and
 * F.2).
 */
const MOST_DC_BITS = 11
const MOST_AC_BITS = 10

/**
 * Version 1.1 (ITU-T T.871), pixels as wide as high. It says that the colours are YCbCr, whatever numbers components
 * have.
 */
const JFIF: Uint8Array = concatBytes([ascii('JFIF\0'), Uint8Array.of(1, 1, 0, 0, 1, 0, 1, 0, 0)])

/**
 * A function that gets every symbol, and the bits that follow its code. Tables are DC and AC of the first component,
 * then of the others.
 */
type Emit = (table: number, symbol: number, extra: number, length: number) => void

/**
 * @param header segments to write in front of the tables
 * @param isJfif whether to write a JFIF segment in front of those
 * @returns `undefined` where a coefficient is too large for a picture of 8 bits
 */
export function writeSequential(
  picture: RotatedCoefficients,
  header: readonly Uint8Array[],
  isJfif: boolean,
): Uint8Array | undefined {
  const kinds = picture.components.length === 1 ? 2 : 4
  const list = new SymbolList(kinds)
  const canBeWritten = emitBlocks(picture, (table, symbol, extra, length) => list.add(table, symbol, extra, length))
  if (!canBeWritten) return undefined
  const tables = list.occurrences.map(optimalTable)
  return concatBytes([
    Uint8Array.of(0xff, SOI),
    ...(isJfif ? [segment(APP0, JFIF)] : []),
    ...header,
    ...quantisationTables(picture),
    frameHeader(picture),
    ...tables.map((table, kind) => segment(DHT, huffmanTable(table, kind))),
    scanHeader(picture.components),
    list.write(tables.map(huffmanCodes)),
    Uint8Array.of(0xff, EOI),
  ])
}

/** Emits every symbol of the scan in order. @returns whether all coefficients can be written */
function emitBlocks({ width, height, components }: RotatedCoefficients, emit: Emit): boolean {
  const mcuWide = 8 * Math.max(...components.map(({ across }) => across))
  const mcuHigh = 8 * Math.max(...components.map(({ down }) => down))
  const block = new Int16Array(BLOCK)
  const previous = components.map(() => 0)
  for (let y = 0; y * mcuHigh < height; y++) {
    for (let x = 0; x * mcuWide < width; x++) {
      for (let index = 0; index < components.length; index++) {
        const each = components[index]!
        const table = index === 0 ? 0 : 2
        for (let row = y * each.down; row < (y + 1) * each.down; row++) {
          for (let column = x * each.across; column < (x + 1) * each.across; column++) {
            if (row < each.blocksHigh && column < each.blocksWide) each.copy(column, row, block)
            else {
              // A block of padding repeats the DC value and has no AC values, which takes the fewest bits.
              block.fill(0)
              block[0] = previous[index]!
            }
            if (!emitBlock(block, previous[index]!, table, emit)) return false
            previous[index] = block[0]!
          }
        }
      }
    }
  }
  return true
}

function emitBlock(block: Int16Array, previous: number, table: number, emit: Emit): boolean {
  const difference = block[0]! - previous
  const length = lengthOf(difference)
  if (length > MOST_DC_BITS) return false
  emit(table, length, bitsOf(difference, length), length)
  let zeros = 0
  for (let k = 1; k < BLOCK; k++) {
    const value = block[k]!
    if (value === 0) {
      zeros++
      continue
    }
    for (; zeros > 15; zeros -= 16) emit(table + 1, 0xf0, 0, 0)
    const bits = lengthOf(value)
    if (bits > MOST_AC_BITS) return false
    emit(table + 1, (zeros << 4) | bits, bitsOf(value, bits), bits)
    zeros = 0
  }
  if (zeros > 0) emit(table + 1, 0, 0, 0)
  return true
}

const lengthOf = (value: number): number => 32 - Math.clz32(Math.abs(value))

/** Negative numbers are one less, without their sign. */
const bitsOf = (value: number, length: number): number => (value < 0 ? value + (1 << length) - 1 : value)

const isFine = (steps: Uint16Array): boolean => steps.every((step) => step < 256)

/** Lists the tables that are used. Decoders accept others as well, but they take bytes. */
function usedTables({ components, tables }: RotatedCoefficients): [number, Uint16Array][] {
  return [...new Set(components.map(({ table }) => table))].map((number) => [number, tables[number]!])
}

function quantisationTables(picture: RotatedCoefficients): Uint8Array[] {
  return usedTables(picture).map(([number, steps]) => {
    const bytes = isFine(steps) ? 1 : 2
    return segment(
      DQT,
      concatBytes([Uint8Array.of(((bytes - 1) << 4) | number), ...[...steps].map((step) => bigEndian(step, bytes))]),
    )
  })
}

/** Baseline files have steps of 8 bits. */
function frameHeader(picture: RotatedCoefficients): Uint8Array {
  const { width, height, components } = picture
  const isBaseline = usedTables(picture).every(([, steps]) => isFine(steps))
  return segment(
    isBaseline ? BASELINE : EXTENDED,
    concatBytes([
      Uint8Array.of(8),
      bigEndian(height, 2),
      bigEndian(width, 2),
      Uint8Array.of(components.length),
      ...components.map(({ id, across, down, table }) => Uint8Array.of(id, (across << 4) | down, table)),
    ]),
  )
}

/** @param kind index in the list of `Emit`: class and number */
function huffmanTable({ counts, symbols }: HuffmanTable, kind: number): Uint8Array {
  return concatBytes([Uint8Array.of(((kind & 1) << 4) | (kind >> 1)), counts.subarray(1), symbols])
}

function scanHeader(components: readonly RotatedComponent[]): Uint8Array {
  const selectors = components.map(({ id }, index) => Uint8Array.of(id, index === 0 ? 0 : 0x11))
  return segment(SOS, concatBytes([Uint8Array.of(components.length), ...selectors, Uint8Array.of(0, BLOCK - 1, 0)]))
}

function segment(marker: number, content: Uint8Array): Uint8Array {
  return concatBytes([Uint8Array.of(0xff, marker), bigEndian(content.length + 2, 2), content])
}
