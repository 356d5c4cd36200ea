// Blocks as bits. Source: RFC 1951, section 3.2.
import { distanceBase, distanceExtra, lengthBase, lengthCode, lengthExtra } from './codes'
import { setCodes, setLengths } from './huffman'
import {
  COUNTS, DISTANCES, END, LENGTHS, SYMBOLS, choices, chunk, codeLengths, codes, header, headerCodes, headerCounts, headerLengths, output,
} from './memory' // prettier-ignore

const LONGEST_CODE: i32 = 15
const LONGEST_HEADER_CODE: i32 = 7
const HEADER_SYMBOLS: i32 = 19
const MOST_STORED: i32 = 65535

/** Bits by which a block must be shorter than a stored one: it may part stored bytes around it, which takes a header more. */
const WORTH_IT: i64 = 96

const STORED: u32 = 0
const DYNAMIC: u32 = 2

let to: usize = 0
let bits: u64 = 0
let waiting: i32 = 0

/** Stored bytes of the chunk that are still to be written. */
let storedFrom: i32 = 0
let storedTo: i32 = 0

export function start(): void {
  to = output
  bits = 0
  waiting = 0
}

/** What is written goes to the beginning again. Up to 7 bits wait for more. */
export function startChunk(): void {
  to = output
  storedFrom = storedTo = 0
}

export function written(): i32 {
  return <i32>(to - output)
}

@inline
function put(value: u32, length: i32): void {
  bits |= <u64>value << waiting
  waiting += length
  if (waiting >= 32) {
    store<u32>(to, <u32>bits)
    to += 4
    bits >>= 32
    waiting -= 32
  }
}

/** Writes the bytes that are whole. */
function flush(): void {
  while (waiting >= 8) putByte()
}

/** Fills the last byte. */
export function align(): void {
  while (waiting > 0) putByte()
}

function putByte(): void {
  store<u8>(to++, <u8>bits)
  bits >>= 8
  waiting = max(0, waiting - 8)
}

export function putBytes(value: u32, many: i32): void {
  while (many-- > 0) store<u8>(to++, <u8>(value >> (8 * many)))
}

/** Writes a part of the chunk with the choices that are made and counted, or keeps it as it is where that is no longer. */
export function writeBlock(from: i32, end: i32, counts: usize, isLast: bool): void {
  setLengths(counts, SYMBOLS, LONGEST_CODE, codeLengths)
  setLengths(counts + (SYMBOLS << 2), DISTANCES, LONGEST_CODE, codeLengths + SYMBOLS)
  const symbols = lastUsed(codeLengths, SYMBOLS, LENGTHS)
  const distances = lastUsed(codeLengths + SYMBOLS, DISTANCES, 1)
  const entries = describe(symbols, distances)
  const headers = lastHeader()
  let size: i64 = 3 + 14 + 3 * headers
  for (let symbol = 0; symbol < HEADER_SYMBOLS; symbol++) {
    const extra = symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7
    size += <i64>load<u32>(headerCounts + (symbol << 2)) * (<i32>load<u8>(headerLengths + symbol) + extra)
  }
  for (let symbol = 0; symbol < COUNTS; symbol++) {
    const extra = symbol < LENGTHS ? 0 : symbol < SYMBOLS ? lengthExtra(symbol - LENGTHS) : distanceExtra(symbol - SYMBOLS)
    size += <i64>load<u32>(counts + (symbol << 2)) * (<i32>load<u8>(codeLengths + symbol) + extra)
  }
  if (size + WORTH_IT > <i64>(end - from) << 3) {
    if (storedTo == storedFrom) storedFrom = from
    storedTo = end
    if (isLast) writeStored(true)
    return
  }
  writeStored(false)
  setCodes(codeLengths, SYMBOLS, codes)
  setCodes(codeLengths + SYMBOLS, DISTANCES, codes + (SYMBOLS << 1))
  put(isLast ? 1 : 0, 1)
  put(DYNAMIC, 2)
  writeCodes(symbols, distances, headers, entries)
  writeChoices(from, end)
  putSymbol(END)
  flush()
}

/** Writes stored bytes that wait. */
export function writeStored(isLast: bool): void {
  while (storedFrom < storedTo || isLast) {
    const many = min(MOST_STORED, storedTo - storedFrom)
    const ends = isLast && storedFrom + many == storedTo
    put(ends ? 1 : 0, 1)
    put(STORED, 2)
    align()
    store<u16>(to, <u16>many)
    store<u16>(to + 2, <u16>~many)
    memory.copy(to + 4, chunk + storedFrom, many)
    to += 4 + many
    storedFrom += many
    if (ends) return
  }
}

function lastUsed(lengths: usize, symbols: i32, least: i32): i32 {
  let last = symbols
  while (last > least && load<u8>(lengths + last - 1) == 0) last--
  return last
}

/** How the codes' lengths are told: a symbol and what follows it, two bytes each. Returns how many there are. */
function describe(symbols: i32, distances: i32): i32 {
  memory.fill(headerCounts, 0, HEADER_SYMBOLS << 2)
  const all = symbols + distances
  let entries = 0
  for (let at = 0; at < all; ) {
    const length = lengthAt(at, symbols)
    let run = 1
    while (at + run < all && lengthAt(at + run, symbols) == length) run++
    at += run
    if (length == 0) {
      while (run >= 3) {
        const many = min(138, run)
        entries = addEntry(entries, many > 10 ? 18 : 17, many > 10 ? many - 11 : many - 3)
        run -= many
      }
    } else {
      entries = addEntry(entries, length, 0)
      run--
      while (run >= 3) {
        const many = min(6, run)
        entries = addEntry(entries, 16, many - 3)
        run -= many
      }
    }
    while (run-- > 0) entries = addEntry(entries, length, 0)
  }
  setLengths(headerCounts, HEADER_SYMBOLS, LONGEST_HEADER_CODE, headerLengths)
  return entries
}

@inline
function lengthAt(at: i32, symbols: i32): i32 {
  return <i32>load<u8>(codeLengths + (at < symbols ? at : at - symbols + SYMBOLS))
}

function addEntry(entries: i32, symbol: i32, extra: i32): i32 {
  store<u8>(header + (entries << 1), <u8>symbol)
  store<u8>(header + (entries << 1) + 1, <u8>extra)
  const count = headerCounts + (symbol << 2)
  store<u32>(count, load<u32>(count) + 1)
  return entries + 1
}

/** The order in which lengths of the header's codes are told: 16, 17, 18, 0, then 8, 7, 9, 6, 10 and so on to 1 and 15. */
@inline
function inOrder(place: i32): i32 {
  if (place < 3) return 16 + place
  if (place == 3) return 0
  return (place & 1) == 0 ? 8 + ((place - 4) >> 1) : 7 - ((place - 5) >> 1)
}

function lastHeader(): i32 {
  let last = HEADER_SYMBOLS
  while (last > 4 && load<u8>(headerLengths + inOrder(last - 1)) == 0) last--
  return last
}

function writeCodes(symbols: i32, distances: i32, headers: i32, entries: i32): void {
  setCodes(headerLengths, HEADER_SYMBOLS, headerCodes)
  put(symbols - LENGTHS, 5)
  put(distances - 1, 5)
  put(headers - 4, 4)
  for (let place = 0; place < headers; place++) put(load<u8>(headerLengths + inOrder(place)), 3)
  for (let entry = 0; entry < entries; entry++) {
    const symbol = <i32>load<u8>(header + (entry << 1))
    put(load<u16>(headerCodes + (symbol << 1)), load<u8>(headerLengths + symbol))
    if (symbol > 15) put(load<u8>(header + (entry << 1) + 1), symbol == 16 ? 2 : symbol == 17 ? 3 : 7)
  }
}

@inline
function putSymbol(symbol: i32): void {
  put(load<u16>(codes + (symbol << 1)), load<u8>(codeLengths + symbol))
}

function writeChoices(from: i32, end: i32): void {
  for (let at = from; at < end; ) {
    const choice = load<u32>(choices + (<usize>at << 2))
    const length = <i32>(choice & 511)
    if (length == 1) {
      putSymbol(load<u8>(chunk + at))
    } else {
      const ofLength = lengthCode(length)
      putSymbol(LENGTHS + ofLength)
      put(length - lengthBase(ofLength), lengthExtra(ofLength))
      const distance = <i32>(choice >> 9) & 0x1ffff
      const ofDistance = <i32>(choice >> 26)
      putSymbol(SYMBOLS + ofDistance)
      put(distance - distanceBase(ofDistance), distanceExtra(ofDistance))
    }
    at += length
  }
}
