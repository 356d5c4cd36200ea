// Which values the pixels of each entry of a palette have: counts for repairing it, in two passes over all pixels, of which the second
// leaves out entries that cannot have a value which half of their pixels have.
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
/** Whether half of an entry's pixels may have one value: a byte each. */
const mayHaveHalf = memory.data(ENTRIES, 16)

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
function bytesAt(source: usize, i: i32, step: i32): u32 {
  const bytes = load<u32>(source + <usize>(i * step))
  return step == 3 ? bytes & 0xffffff : bytes
}

@inline
function valueOf(bytes: u32, step: i32): u32 {
  if (step == 3) return bytes | 0xff000000
  return bytes >>> 24 == 0 ? 0 : bytes
}

@inline
function count(at: usize, length: i32): void {
  store<u32>(at, load<u32>(at) + <u32>length)
}

@inline
function vote(pixels: i32, source: usize, indices: usize, step: i32): void {
  for (let i = 0; i < pixels; ) {
    const entry = load<u8>(indices + <usize>i)
    const bytes = bytesAt(source, i, step)
    const start = i
    // Pixels with one entry and one value, of which drawings have long stretches.
    do i++
    while (i < pixels && load<u8>(indices + <usize>i) == entry && bytesAt(source, i, step) == bytes)
    const value = valueOf(bytes, step)
    const first = (<usize>entry) << 3
    const second = first + 4
    const length = <u32>(i - start)
    count(totals + (first >> 1), length)
    if (step == 4 && value >>> 24 == 255) count(opaque + (first >> 1), length)
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

/**
 * The first pass: of each entry two values, among which is every one that at least half of its pixels have: Misra and
 * Gries' count of frequent values, in which a pixel of a third value cancels one vote of both. Counts all pixels and the opaque
 * ones as well.
 */
export function voteForValues(pixels: i32, source: usize, indices: usize, step: i32): void {
  // Twice, so that either has no questions about the bytes of a pixel.
  if (step == 3) vote(pixels, source, indices, 3)
  else vote(pixels, source, indices, 4)
}

/**
 * Ends the first pass. Returns whether there is a second one: a value has at most its votes and one pixel of each three that
 * cancelled each other, and where that is less than half of an entry's pixels, there is nothing to count.
 */
export function endVotes(step: i32): bool {
  let isAny = false
  for (let entry: usize = 0; entry < <usize>ENTRIES; entry++) {
    const all = load<u32>(totals + (entry << 2))
    if (step == 3) store<u32>(opaque + (entry << 2), all)
    const first = load<u32>(votes + (entry << 3))
    const second = load<u32>(votes + (entry << 3), 4)
    const half = all > 0 && 2 * (<u64>max(first, second) + <u64>((all - first - second) / 3)) >= <u64>all
    store<u8>(mayHaveHalf + entry, half ? 1 : 0)
    isAny = isAny || half
  }
  return isAny
}

@inline
function countTwo(pixels: i32, source: usize, indices: usize, step: i32): void {
  for (let i = 0; i < pixels; ) {
    const entry = <usize>load<u8>(indices + <usize>i)
    if (load<u8>(mayHaveHalf + entry) == 0) {
      i++
      continue
    }
    const bytes = bytesAt(source, i, step)
    const start = i
    do i++
    while (i < pixels && <usize>load<u8>(indices + <usize>i) == entry && bytesAt(source, i, step) == bytes)
    const value = valueOf(bytes, step)
    const first = entry << 3
    if (load<u32>(values + first) == value) count(counts + first, i - start)
    else if (load<u32>(values + first + 4) == value) count(counts + first + 4, i - start)
  }
}

/** The second pass: counts the pixels of each entry's two values, where half of its pixels may have one. */
export function countValues(pixels: i32, source: usize, indices: usize, step: i32): void {
  if (step == 3) countTwo(pixels, source, indices, 3)
  else countTwo(pixels, source, indices, 4)
}
