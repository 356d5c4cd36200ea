// How much darker the blocks of an opaque picture become when their samples are averaged in place of their light. Sums of integers, and
// operations that IEEE 754 fixes to the bit, so that every machine comes to the same.
//
// Calls: layout → grow the memory → write the lights, the samples of light and the edges of columns → per row of blocks: start, add its
// rows in batches that are written to rowsAddress, finish → read what is lost.

/** Rows that are taken at once. */
export const BATCH_ROWS: i32 = 16

let width: i32 = 0
let blocks: i32 = 0
/** By sample: its light in the upper 32 bits of a u64, the sample itself in the lower ones. */
let table: usize = 0
/** The first column of each block, and where the last one ends: i32. */
let edges: usize = 0
/** Red, green and blue of each block: u64 as in the table. */
let sums: usize = 0
let rows: usize = 0
/** By 16 bits of light: its sample, a byte. */
let samples: usize = 0
/** Of each block red, green and blue: levels, a byte each. */
let lost: usize = 0
let end: usize = 0

function reserve(size: usize): usize {
  const address = end
  end = (end + size + 63) & ~63
  return address
}

/** Lays out memory for pictures so wide, in pixels and in blocks. Returns the bytes of memory needed. */
export function layout(wide: i32, count: i32): usize {
  end = (__heap_base + 63) & ~63
  width = wide
  blocks = count
  table = reserve(256 * 8)
  edges = reserve((<usize>count + 1) * 4)
  sums = reserve(<usize>count * 3 * 8)
  rows = reserve(<usize>wide * 3 * BATCH_ROWS)
  samples = reserve(65536)
  lost = reserve(<usize>count * 3)
  return end
}

export function edgesAddress(): usize {
  return edges
}

export function samplesAddress(): usize {
  return samples
}

export function lostAddress(): usize {
  return lost
}

export function rowsAddress(): usize {
  return rows
}

/** The light of a sample, 16 bits. */
export function setLight(sample: i32, light: i32): void {
  store<u64>(table + (<usize>sample << 3), ((<u64>light) << 32) | <u64>sample)
}

/** Begins a row of blocks. */
export function start(): void {
  memory.fill(sums, 0, <usize>blocks * 3 * 8)
}

/** Adds the samples of so many rows. */
export function add(count: i32): void {
  const stride = <usize>width * 3
  for (let row = 0; row < count; row++) {
    let at = rows + <usize>row * stride
    let to = sums
    for (let block = 0; block < blocks; block++, to += 24) {
      const edge = edges + (<usize>block << 2)
      const last = at + <usize>(load<i32>(edge, 4) - load<i32>(edge)) * 3
      let red: u64 = load<u64>(to)
      let green: u64 = load<u64>(to, 8)
      let blue: u64 = load<u64>(to, 16)
      for (; at < last; at += 3) {
        red += load<u64>(table + ((<usize>load<u8>(at)) << 3))
        green += load<u64>(table + ((<usize>load<u8>(at, 1)) << 3))
        blue += load<u64>(table + ((<usize>load<u8>(at, 2)) << 3))
      }
      store<u64>(to, red)
      store<u64>(to, green, 8)
      store<u64>(to, blue, 16)
    }
  }
}

/** What is lost in each block of so many rows, whose light is in units of so much. */
export function finish(count: i32, unit: f64): void {
  let from = sums
  let to = lost
  for (let block = 0; block < blocks; block++) {
    const edge = edges + (<usize>block << 2)
    const scale = 1.0 / <f64>((load<i32>(edge, 4) - load<i32>(edge)) * count)
    for (let channel = 0; channel < 3; channel++, from += 8, to++) {
      const light = <i32>(<f64>load<u32>(from, 4) * unit * scale + 0.5)
      const levels = <f64>load<u8>(samples + <usize>light) - <f64>load<u32>(from) * scale
      store<u8>(to, levels > 0 ? <u8>(levels + 0.5) : 0)
    }
  }
}
