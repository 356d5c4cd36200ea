// Which values the pixels of each entry of a palette have: counts for repairing it, in two passes over all pixels.
//
// Pixels come in batches of any size, `step` (3 or 4) bytes each, with a byte for the entry of each. A value is RGBA in 32
// bits, red lowest, and 0 for all pixels of alpha 0.

const ENTRIES: i32 = 256

/** Two values per entry and their votes; how many pixels have each; and by entry, pixels that are opaque, and all. */
const values = memory.data(2 * ENTRIES * sizeof<u32>(), 16)
const votes = memory.data(2 * ENTRIES * sizeof<u32>(), 16)
const counts = memory.data(2 * ENTRIES * sizeof<u32>(), 16)
const opaque = memory.data(ENTRIES * sizeof<u32>(), 16)
const totals = memory.data(ENTRIES * sizeof<u32>(), 16)

export function valuesAddress(): usize {
  return values
}

export function countsAddress(): usize {
  return counts
}

export function opaqueAddress(): usize {
  return opaque
}

export function totalsAddress(): usize {
  return totals
}

/** Starts a picture. */
export function startEntries(): void {
  memory.fill(values, 0, 2 * ENTRIES * sizeof<u32>())
  memory.fill(votes, 0, 2 * ENTRIES * sizeof<u32>())
  memory.fill(counts, 0, 2 * ENTRIES * sizeof<u32>())
  memory.fill(opaque, 0, ENTRIES * sizeof<u32>())
  memory.fill(totals, 0, ENTRIES * sizeof<u32>())
}

@inline
function maskOf(step: i32): u32 {
  return step == 3 ? 0xffffff : 0xffffffff
}

@inline
function valueOf(bytes: u32, step: i32): u32 {
  if (step == 3) return bytes | 0xff000000
  return bytes >>> 24 == 0 ? 0 : bytes
}

/** Pixels from `i` on with one entry and one value, which drawings have long stretches of. */
@inline
function runEnd(i: i32, pixels: i32, source: usize, indices: usize, step: i32): i32 {
  const mask = maskOf(step)
  const entry = load<u8>(indices + <usize>i)
  let at = source + <usize>(i * step)
  const bytes = load<u32>(at) & mask
  do {
    i++
    at += <usize>step
  } while (i < pixels && load<u8>(indices + <usize>i) == entry && (load<u32>(at) & mask) == bytes)
  return i
}

/**
 * The first pass: of each entry two values, among which is every one that at least half of its pixels have: Misra and
 * Gries' count of frequent values, in which a pixel of a third value cancels one vote of both.
 */
export function voteForValues(pixels: i32, source: usize, indices: usize, step: i32): void {
  for (let i = 0, end = 0; i < pixels; i = end) {
    end = runEnd(i, pixels, source, indices, step)
    const value = valueOf(load<u32>(source + <usize>(i * step)) & maskOf(step), step)
    const first = (<usize>load<u8>(indices + <usize>i)) << 3
    const second = first + 4
    const length = <u32>(end - i)
    const ofFirst = load<u32>(votes + first)
    const ofSecond = load<u32>(votes + second)
    if (ofFirst > 0 && load<u32>(values + first) == value) {
      store<u32>(votes + first, ofFirst + length)
    } else if (ofSecond > 0 && load<u32>(values + second) == value) {
      store<u32>(votes + second, ofSecond + length)
    } else {
      const cancelled = min(length, min(ofFirst, ofSecond))
      store<u32>(votes + first, ofFirst - cancelled)
      store<u32>(votes + second, ofSecond - cancelled)
      if (length == cancelled) continue
      const free = ofFirst == cancelled ? first : second
      store<u32>(values + free, value)
      store<u32>(votes + free, length - cancelled)
    }
  }
}

@inline
function count(at: usize, length: i32): void {
  store<u32>(at, load<u32>(at) + <u32>length)
}

/** The second pass: counts the pixels of each entry's two values, the opaque ones, and all. */
export function countValues(pixels: i32, source: usize, indices: usize, step: i32): void {
  for (let i = 0, end = 0; i < pixels; i = end) {
    end = runEnd(i, pixels, source, indices, step)
    const value = valueOf(load<u32>(source + <usize>(i * step)) & maskOf(step), step)
    const entry = (<usize>load<u8>(indices + <usize>i)) << 2
    const first = entry << 1
    count(totals + entry, end - i)
    if (value >>> 24 == 255) count(opaque + entry, end - i)
    if (load<u32>(values + first) == value) count(counts + first, end - i)
    else if (load<u32>(values + first + 4) == value) count(counts + first + 4, end - i)
  }
}
