// Deflate's alphabets, and what a symbol costs. Source: RFC 1951, section 3.2.5.
import {
  COUNTS, DISTANCES, LENGTHS, LONGEST, SYMBOLS, distanceCodes, distanceCosts, lengthCodes, lengthCosts, literalCosts, logarithms,
} from './memory' // prettier-ignore

/** Costs are in parts of a bit. */
export const BIT: i32 = 64
const BIT_SHIFT: i32 = 6

/** What is read of a number's logarithm: bits below the highest. */
const MANTISSA_BITS: i32 = 8

export function fillTables(): void {
  for (let code = 0, length = 3; code < 28; code++) {
    for (let end = length + (1 << lengthExtra(code)); length < end && length <= LONGEST; length++) store<u8>(lengthCodes + length, <u8>code)
  }
  store<u8>(lengthCodes + LONGEST, 28)
  for (let code = 0; code < DISTANCES; code++) {
    const base = distanceBase(code)
    for (let less = base - 1; less < base - 1 + (1 << distanceExtra(code)); less++) {
      store<u8>(distanceCodes + (less < 256 ? less : 256 + (less >> 7)), <u8>code)
    }
  }
  for (let part = 0; part < 1 << MANTISSA_BITS; part++) {
    store<u32>(logarithms + (part << 2), fraction((1 << MANTISSA_BITS) + part))
  }
}

/** log2(value / 256) of 256 ≤ value < 512 in parts of a bit, by squaring: a bit of the result each time. */
function fraction(value: u32): u32 {
  let square = <u64>value << (30 - MANTISSA_BITS)
  let result: u32 = 0
  for (let bit = 0; bit < BIT_SHIFT + 1; bit++) {
    square = (square * square) >> 30
    result <<= 1
    if (square >= 2 << 30) {
      result |= 1
      square >>= 1
    }
  }
  return (result + 1) >> 1
}

/** log2 of a number from 1 on, in parts of a bit. */
@inline
export function logarithm(value: u32): i32 {
  const high = 31 - <i32>clz(value)
  const part = high >= MANTISSA_BITS ? value >> (high - MANTISSA_BITS) : value << (MANTISSA_BITS - high)
  return (high << BIT_SHIFT) + load<i32>(logarithms + ((part & ((1 << MANTISSA_BITS) - 1)) << 2))
}

@inline
export function lengthCode(length: i32): i32 {
  return load<u8>(lengthCodes + length)
}

@inline
export function lengthExtra(code: i32): i32 {
  return code < 8 || code == 28 ? 0 : (code - 4) >> 2
}

@inline
export function lengthBase(code: i32): i32 {
  return code < 8 ? code + 3 : code == 28 ? LONGEST : 3 + ((4 + (code & 3)) << ((code - 4) >> 2))
}

@inline
export function distanceCode(distance: i32): i32 {
  const less = distance - 1
  return load<u8>(distanceCodes + (less < 256 ? less : 256 + (less >> 7)))
}

@inline
export function distanceExtra(code: i32): i32 {
  return code < 4 ? 0 : (code >> 1) - 1
}

@inline
export function distanceBase(code: i32): i32 {
  return code < 4 ? code + 1 : 1 + ((2 + (code & 1)) << ((code >> 1) - 1))
}

/** What a symbol that does not occur is taken for: as if it occurred so many quarters of a time. */
const RARE_QUARTERS: u32 = 2
const MOST_COST: i32 = 14 * BIT

/** Costs of what was counted so often, as an ideal code has them; but no code has less than a bit. */
export function setCosts(counts: usize): void {
  let all: u32 = 0
  for (let symbol = 0; symbol < SYMBOLS; symbol++) all += load<u32>(counts + (symbol << 2))
  let matches: u32 = 0
  for (let symbol = SYMBOLS; symbol < COUNTS; symbol++) matches += load<u32>(counts + (symbol << 2))
  const allBits = logarithm((all << 2) + 4)
  for (let literal = 0; literal < 256; literal++) {
    store<i32>(literalCosts + (literal << 2), costOf(counts + (literal << 2), allBits))
  }
  for (let length = 3; length <= LONGEST; length++) {
    const code = lengthCode(length)
    store<i32>(lengthCosts + (length << 2), costOf(counts + ((LENGTHS + code) << 2), allBits) + lengthExtra(code) * BIT)
  }
  const matchBits = logarithm((matches << 2) + 4)
  for (let code = 0; code < DISTANCES; code++) {
    store<i32>(distanceCosts + (code << 2), costOf(counts + ((SYMBOLS + code) << 2), matchBits) + distanceExtra(code) * BIT)
  }
}

@inline
function costOf(count: usize, allBits: i32): i32 {
  return min(MOST_COST, max(BIT, allBits - logarithm(max(RARE_QUARTERS, load<u32>(count) << 2))))
}
