// Where everything lies. A chunk of the bytes is at work at a time, so that memory does not grow with them.

/** Bytes of a chunk: stored blocks, of at most 65,535 bytes, fill it. */
export const CHUNK: i32 = 4 * 65535
/** How far back a match may lie. */
export const WINDOW: i32 = 32768
export const LONGEST: i32 = 258
export const SHORTEST: i32 = 3

export const HASH_BITS: i32 = 16
export const SHORT_HASH_BITS: i32 = 14

/** Matches that are kept of a chunk, after which no more are looked for; and room for those of one position. */
export const MOST_MATCHES: i32 = 8 * CHUNK
const MOST_OF_ONE: i32 = 256

/** Symbols of the first code, for literals, ends and lengths, and of the second, for distances. */
export const SYMBOLS: i32 = 286
export const DISTANCES: i32 = 30
export const LENGTHS: i32 = 257
export const END: i32 = 256
/** Counts of both, one behind the other. */
export const COUNTS: i32 = SYMBOLS + DISTANCES

/** Choices of a piece of which statistics are made, before pieces become blocks. */
export const PIECE: i32 = 1024
const MOST_PIECES: i32 = CHUNK / PIECE + 2

let end: usize = 0

function reserve(size: usize): usize {
  const address = end
  end = (end + size + 63) & ~63
  return address
}

/** What came before, then the chunk. */
export let history: usize = 0
export let chunk: usize = 0
export let output: usize = 0
/** u16: the low bits of the last position of each hash, and of the position before with the same. */
export let threeHeads: usize = 0
export let fourHeads: usize = 0
export let eightHeads: usize = 0
export let sixteenHeads: usize = 0
export let eights: usize = 0
export let sixteens: usize = 0
/** u32 per position: where its matches begin; u32 per match: its distance's code × 2^26 + its distance × 512 + its length. */
export let starts: usize = 0
export let matches: usize = 0
/** u32 per position: the cost of all from there on, and the match that begins there, or 1 for a literal. */
export let totals: usize = 0
export let choices: usize = 0
/** u32 per length, and per distance's code: its code's number. */
export let lengthCodes: usize = 0
export let distanceCodes: usize = 0
/** i32 per literal, length and distance's code. */
export let literalCosts: usize = 0
export let lengthCosts: usize = 0
export let distanceCosts: usize = 0
/** u32, of one block. */
export let counts: usize = 0
/** Of pieces: counts, in slots; and in order, which slot is whose, where each begins, and what it costs alone and together with the next. */
export let pieceCounts: usize = 0
export let pieceSlots: usize = 0
export let pieceStarts: usize = 0
export let pieceCosts: usize = 0
export let pairCosts: usize = 0
/** Of codes at work. */
export let codeLengths: usize = 0
export let codes: usize = 0
/** Of the codes' lengths: how they are told, and the code for that. */
export let header: usize = 0
export let headerCounts: usize = 0
export let headerLengths: usize = 0
export let headerCodes: usize = 0
export let scratch: usize = 0
export let logarithms: usize = 0

export function reserveAll(): usize {
  end = (__heap_base + 63) & ~63
  history = reserve(WINDOW + CHUNK + LONGEST + 16)
  chunk = history + WINDOW
  output = reserve(CHUNK + CHUNK / 8 + 4096)
  threeHeads = reserve(2 << SHORT_HASH_BITS)
  fourHeads = reserve(2 << HASH_BITS)
  eightHeads = reserve(2 << HASH_BITS)
  sixteenHeads = reserve(2 << HASH_BITS)
  eights = reserve(2 * WINDOW)
  sixteens = reserve(2 * WINDOW)
  starts = reserve((CHUNK + 1) * 4)
  matches = reserve((MOST_MATCHES + MOST_OF_ONE) * 4)
  totals = reserve((CHUNK + 1) * 4)
  choices = reserve((CHUNK + 1) * 4)
  lengthCodes = reserve(LONGEST + 1)
  distanceCodes = reserve(512)
  literalCosts = reserve(256 * 4)
  lengthCosts = reserve((LONGEST + 1) * 4)
  distanceCosts = reserve(DISTANCES * 4)
  counts = reserve(COUNTS * 4)
  pieceCounts = reserve(<usize>MOST_PIECES * COUNTS * 4)
  pieceSlots = reserve(MOST_PIECES * 4)
  pieceStarts = reserve((MOST_PIECES + 1) * 4)
  pieceCosts = reserve(MOST_PIECES * 4)
  pairCosts = reserve(MOST_PIECES * 4)
  codeLengths = reserve(COUNTS + 4)
  codes = reserve(COUNTS * 2)
  header = reserve(COUNTS * 2)
  headerCounts = reserve(19 * 4)
  headerLengths = reserve(19)
  headerCodes = reserve(19 * 2)
  scratch = reserve(8192)
  logarithms = reserve(4 << 8)
  return end
}
