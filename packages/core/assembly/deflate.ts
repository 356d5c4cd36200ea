// Deflate in zlib's container: the cheapest of the matches that are found, by what symbols cost in blocks of their own codes. Sources:
// RFC 1950 and 1951. Integer arithmetic alone, so that every machine writes the same bytes.
//
// Calls: layout → grow the memory → begin → as often as there are chunks: write up to CHUNK bytes to `chunkAddress`, compress.

import { fillTables, setCosts } from './deflate/codes'
import { findMatches, forget } from './deflate/find'
import {
  COUNTS, LENGTHS, SYMBOLS, WINDOW, chunk, counts, history, output, pieceStarts, reserveAll,
} from './deflate/memory' // prettier-ignore
import { count, parse } from './deflate/parse'
import { split } from './deflate/split'
import { align, putBytes, start, startChunk, writeBlock, writeStored, written } from './deflate/write'

export { CHUNK } from './deflate/memory'

/** 32 kB window, compressed well, and what makes it a multiple of 31. */
const ZLIB_HEADER: u32 = 0x78da

const ADLER_BASE: u32 = 65521
/** Bytes after which sums could be too large for 32 bits. */
const ADLER_RUN: i32 = 5552

/** Lays out memory. Returns the bytes of memory needed, which must have grown to them before all else. */
export function layout(): usize {
  return reserveAll()
}

export function chunkAddress(): usize {
  return chunk
}

export function outputAddress(): usize {
  return output
}

let eight: i32 = 0
let sixteen: i32 = 0
let nice: i32 = 0
let passes: i32 = 0
/** Bytes before the chunk. */
let before: i32 = 0
let low: u32 = 1
let high: u32 = 0

/**
 * Starts a stream.
 * @param ofEight candidates with eight equal bytes that are compared for each position, at most
 * @param ofSixteen the same of sixteen
 * @param enough a match so long is taken without looking for others
 * @param rounds choices of each block, by what symbols cost after the one before
 */
export function begin(ofEight: i32, ofSixteen: i32, enough: i32, rounds: i32): void {
  eight = ofEight
  sixteen = ofSixteen
  nice = enough
  passes = rounds
  before = 0
  low = 1
  high = 0
  fillTables()
  forget()
  start()
}

/** Compresses the chunk. Returns how many bytes are at `outputAddress` now. */
export function compress(size: i32, isLast: bool): i32 {
  startChunk()
  if (before == 0) putBytes(ZLIB_HEADER, 2)
  sum(size)
  if (before == 0) {
    guess(size)
    setCosts(counts)
  }
  findMatches(before, size, eight, sixteen, nice)
  parse(0, size)
  if (before == 0) {
    count(0, size, counts)
    setCosts(counts)
    parse(0, size)
  }
  const blocks = split(size)
  for (let block = 0; block < blocks; block++) {
    const from = load<i32>(pieceStarts + (block << 2))
    const to = load<i32>(pieceStarts + ((block + 1) << 2))
    count(from, to, counts)
    for (let round = 0; round < passes; round++) {
      setCosts(counts)
      parse(from, to)
      count(from, to, counts)
    }
    writeBlock(from, to, counts, isLast && block == blocks - 1)
  }
  if (blocks == 0 && isLast) writeStored(true)
  writeStored(false)
  if (blocks > 0) setCosts(counts)
  if (isLast) {
    align()
    putBytes((high << 16) | low, 4)
  }
  // Also where the chunk is shorter than the window: what precedes it moves with it.
  memory.copy(history, history + size, WINDOW)
  before += size
  return written()
}

/** For the first choices: bytes as they occur, and a match for every twelve. */
function guess(size: i32): void {
  memory.fill(counts, 0, COUNTS << 2)
  for (let at = 0; at < size; at++) {
    const count = counts + (<usize>load<u8>(chunk + at) << 2)
    store<u32>(count, load<u32>(count) + 16)
  }
  const each = <u32>max(1, (16 * size) / 12 / (SYMBOLS - LENGTHS))
  for (let symbol = LENGTHS; symbol < COUNTS; symbol++) store<u32>(counts + (symbol << 2), each)
}

function sum(size: i32): void {
  for (let at = 0; at < size; ) {
    const end = min(size, at + ADLER_RUN)
    for (; at < end; at++) {
      low += load<u8>(chunk + at)
      high += low
    }
    low %= ADLER_BASE
    high %= ADLER_BASE
  }
}
