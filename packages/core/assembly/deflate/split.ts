// Where blocks end: pieces of what was chosen, neighbours joined as long as one code for both takes fewer bits than two.
import { BIT, logarithm } from './codes'
import {
  COUNTS, END, PIECE, SYMBOLS, pairCosts, pieceCosts, pieceCounts, pieceSlots, pieceStarts,
} from './memory' // prettier-ignore
import { countOne } from './parse'

/**
 * Bits that a block takes besides its symbols, about, those for each kind of symbol that it has, and for each gap between kinds. Others,
 * up to half more, changed bytes by less than 0.1 %.
 */
const BLOCK_BITS: i32 = 60
const SYMBOL_BITS: i32 = 3
const GAP_BITS: i32 = 6

@inline
function countsOf(piece: i32): usize {
  return pieceCounts + load<u32>(pieceSlots + (piece << 2)) * (COUNTS << 2)
}

/** Bits of symbols that occur so often, in two lists of counts together, and of the codes themselves. */
function bitsOf(one: usize, other: usize): i32 {
  return bitsOfCode(one, other, 0, SYMBOLS) + bitsOfCode(one, other, SYMBOLS, COUNTS) + BLOCK_BITS
}

function bitsOfCode(one: usize, other: usize, from: i32, to: i32): i32 {
  let all: u32 = 0
  let bits: i64 = 0
  let header = 0
  let last = from - 1
  for (let symbol = from; symbol < to; symbol++) {
    const count = load<u32>(one + (symbol << 2)) + (other == 0 ? 0 : load<u32>(other + (symbol << 2)))
    if (count == 0) continue
    all += count
    header += SYMBOL_BITS + (symbol - last > 2 ? GAP_BITS : 0)
    last = symbol
    bits -= <i64>count * logarithm(count)
  }
  if (all == 0) return 0
  bits += <i64>all * logarithm(all)
  // No code is shorter than a bit.
  return max(<i32>(bits / BIT), <i32>all) + header
}

/** Divides a chunk whose choices are made. Returns how many blocks there are; where they start is in `pieceStarts`. */
export function split(size: i32): i32 {
  let pieces = 0
  for (let at = 0; at < size; pieces++) {
    store<i32>(pieceStarts + (pieces << 2), at)
    store<i32>(pieceSlots + (pieces << 2), pieces)
    const counts = countsOf(pieces)
    memory.fill(counts, 0, COUNTS << 2)
    store<u32>(counts + (END << 2), 1)
    for (let left = PIECE; left > 0 && at < size; left--) at += countOne(at, counts)
  }
  store<i32>(pieceStarts + (pieces << 2), size)
  for (let piece = 0; piece < pieces; piece++) {
    store<i32>(pieceCosts + (piece << 2), bitsOf(countsOf(piece), 0))
    if (piece > 0) setPairCost(piece - 1)
  }
  while (pieces > 1) {
    let best = 0
    let most = i32.MIN_VALUE
    for (let piece = 0; piece < pieces - 1; piece++) {
      const at = piece << 2
      const saved = load<i32>(pieceCosts + at) + load<i32>(pieceCosts + at + 4) - load<i32>(pairCosts + at)
      if (saved > most) {
        most = saved
        best = piece
      }
    }
    if (most < 0) break
    join(best, pieces--)
  }
  return pieces
}

function setPairCost(piece: i32): void {
  store<i32>(pairCosts + (piece << 2), bitsOf(countsOf(piece), countsOf(piece + 1)))
}

/** Joins a piece with the next one. */
function join(piece: i32, pieces: i32): void {
  const counts = countsOf(piece)
  const others = countsOf(piece + 1)
  for (let symbol = 0; symbol < COUNTS; symbol++) {
    const at = symbol << 2
    store<u32>(counts + at, load<u32>(counts + at) + load<u32>(others + at))
  }
  store<i32>(pieceCosts + (piece << 2), load<i32>(pairCosts + (piece << 2)))
  const rest = pieces - piece - 2
  close(pieceSlots, piece + 1, rest)
  close(pieceStarts, piece + 1, rest + 1)
  close(pieceCosts, piece + 1, rest)
  close(pairCosts, piece, rest)
  if (piece > 0) setPairCost(piece - 1)
  if (rest > 0) setPairCost(piece)
}

/** Removes one number of a list that so many follow. */
function close(list: usize, at: i32, after: i32): void {
  memory.copy(list + (at << 2), list + ((at + 1) << 2), <usize>after << 2)
}
