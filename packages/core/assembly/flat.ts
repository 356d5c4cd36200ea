// Stretches along rows whose pixels have one value, and their neighbours above, below, left and right the same: flat areas.
//
// Rows come from the top, `step` (3 or 4) bytes per pixel. A first pass adds up lengths in counters that colours share by a
// hash; a second lists the stretches of those whose counter reaches a number.

/** Counters, as a power of two. */
const BUCKET_BITS: i32 = 16
/** Knuth's multiplier: 2³² over the golden ratio. */
const HASH: u32 = 0x9e3779b1
/** Rows that a row is looked at with. */
const ROWS: i32 = 3

let width: i32 = 0
let received: i32 = 0
let bits: i32 = 0
let buckets: usize = 0
/** Colours of the newest rows, row y at y modulo 3. */
let colours: usize = 0
/** First pixel, count and colour of each stretch of a batch. */
let found: usize = 0

/** Lays out memory from an address on. Returns where it ends. */
export function layoutFlat(from: u64, wide: i32, batchRows: i32): u64 {
  width = wide
  buckets = <usize>from
  colours = buckets + (4 << BUCKET_BITS)
  const rowBytes = (<u64>wide * 4 + 63) & ~63
  found = colours + <usize>(ROWS * rowBytes)
  return <u64>found + <u64>batchRows * 12 * <u64>((wide + 1) / 2)
}

export function foundAddress(): usize {
  return found
}

/** Starts the first pass, for which as many counters are used as suit the pixels: setting up all would be an icon's time. */
export function startFlat(counterBits: i32): void {
  bits = min(counterBits, BUCKET_BITS)
  received = 0
  memory.fill(buckets, 0, <usize>4 << bits)
}

/** Starts the second pass. */
export function restartFlat(): void {
  received = 0
}

@inline
function bucketAt(colour: u32): usize {
  return buckets + (<usize>((colour * HASH) >>> (32 - bits)) << 2)
}

@inline
function rowAt(y: i32): usize {
  return colours + <usize>((y % ROWS) * ((width * 4 + 63) & ~63))
}

function readRow(from: usize, step: i32, to: usize): void {
  const limit = to + ((<usize>width) << 2)
  if (step == 3) {
    for (; to < limit; to += 4, from += 3) store<u32>(to, load<u32>(from) | 0xff000000)
    return
  }
  for (; to < limit; to += 4, from += 4) {
    const colour = load<u32>(from)
    store<u32>(to, colour >>> 24 == 0 ? 0 : colour)
  }
}

/**
 * Takes the next rows. With `least` zero, of the first pass, adds up what they complete and returns the largest counter; else
 * lists what has at least so much, and returns how many.
 */
export function takeFlat(from: usize, rows: i32, step: i32, least: u32): u32 {
  let result: u32 = 0
  for (let row = 0; row < rows; row++, from += <usize>(width * step)) {
    const y = received++
    readRow(from, step, rowAt(y))
    if (y < 2) continue
    const above = rowAt(y - 2)
    const here = rowAt(y - 1)
    const below = rowAt(y)
    const last = (<usize>(width - 1)) << 2
    let x: usize = 4
    while (x < last) {
      const colour = load<u32>(here + x)
      // Of two that differ neither is inside: the one lacks its right neighbour, the other its left.
      if (load<u32>(here + x, 4) != colour) {
        x += 8
        continue
      }
      if (load<u32>(here + x - 4) != colour || load<u32>(above + x) != colour || load<u32>(below + x) != colour) {
        x += 4
        continue
      }
      const start = x
      do {
        x += 4
      } while (
        x < last &&
        load<u32>(here + x, 4) == colour &&
        load<u32>(above + x) == colour &&
        load<u32>(below + x) == colour
      )
      const length = <u32>((x - start) >> 2)
      const bucket = bucketAt(colour)
      if (least == 0) {
        const sum = load<u32>(bucket) + length
        store<u32>(bucket, sum)
        result = max(result, sum)
      } else if (load<u32>(bucket) >= least) {
        const to = found + <usize>(result++ * 12)
        store<u32>(to, <u32>((y - 1) * width) + <u32>(start >> 2))
        store<u32>(to, length, 4)
        store<u32>(to, colour, 8)
      }
    }
  }
  return result
}
