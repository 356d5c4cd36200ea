// What the encoders want to know of pixels, and rows for their PNGs. Integers only, so that every machine comes to the same.
//
// Callers choose where pixels lie, from roomAddress on, and grow the memory to that. Pixels come in batches, from the top.

/** Places of the hash table, as a power of two, at most. */
const MOST_SLOT_BITS: i32 = 18
/** Knuth's multiplier: 2³² over the golden ratio. */
const HASH: u32 = 0x9e3779b1

/** PNG's number of the filter Average. */
const AVERAGE: u8 = 3

/** The highest bits of eight bytes, and the other ones. */
const HIGH: u64 = 0x8080808080808080
const LOW: u64 = 0x7f7f7f7f7f7f7f7f

const slots: usize = memory.data(4 << MOST_SLOT_BITS, 64)
/** By entry of a palette: the one that takes its place. */
const places: usize = memory.data(256, 64)

/** Bits of an address among the slots that are used, colours from which on counting ends, and those that are there. */
let bits: i32 = 0
let enough: i32 = 0
let colours: i32 = 0
let hasZero: bool = false
let isGrey: bool = true
/** The colour of the pixel before; any colour but that of the first. */
let last: u32 = 0

export function roomAddress(): usize {
  return (__heap_base + 63) & ~63
}

export function placesAddress(): usize {
  return places
}

/** Bytes of a pixel as a number: three are opaque. */
@inline
function colourAt(at: usize, step: i32): u32 {
  return step == 3 ? load<u32>(at) | 0xff000000 : load<u32>(at)
}

/** Starts counting colours, up to so many, of a picture that begins with a pixel at an address. */
export function startColours(most: i32, first: usize, step: i32): void {
  bits = 33 - clz(most)
  enough = most
  colours = 0
  hasZero = false
  isGrey = true
  last = ~colourAt(first, step)
  memory.fill(slots, 0, <usize>4 << bits)
}

/** Takes the next pixels. Returns whether more of them may still change what is known. */
export function takeColours(from: usize, count: i32, step: i32): bool {
  const end = from + <usize>(count * step)
  const mask = (1 << bits) - 1
  for (let at = from; at < end; at += <usize>step) {
    const colour = colourAt(at, step)
    // Long stretches of drawings have one colour.
    if (colour == last) continue
    last = colour
    if (((colour ^ (colour >>> 8)) & 0xffff) != 0) isGrey = false
    if (colours + <i32>hasZero >= enough) {
      if (!isGrey) return false
      continue
    }
    if (colour == 0) {
      hasZero = true
      continue
    }
    let slot = <i32>((colour * HASH) >>> (32 - bits))
    let held = load<u32>(slots + (<usize>slot << 2))
    while (held != 0 && held != colour) {
      slot = (slot + 1) & mask
      held = load<u32>(slots + (<usize>slot << 2))
    }
    if (held != 0) continue
    store<u32>(slots + (<usize>slot << 2), colour)
    colours++
  }
  return true
}

/** How many colours there are, up to about the number from which on counting ends. */
export function colourCount(): i32 {
  return colours + <i32>hasZero
}

/** Whether all pixels have equal red, green and blue. */
export function isAllGrey(): bool {
  return isGrey
}

/** How many of so many pixels are like the one after them. */
export function countRepeats(from: usize, count: i32, step: i32): i32 {
  const end = from + <usize>(count * step)
  let repeats = 0
  if (step == 3) {
    for (let at = from; at < end; at += 3) repeats += <i32>(((load<u32>(at) ^ load<u32>(at, 3)) & 0xffffff) == 0)
  } else {
    for (let at = from; at < end; at += 4) repeats += <i32>(load<u32>(at) == load<u32>(at, 4))
  }
  return repeats
}

/**
 * Rows in filter Average, each with the byte that says so. The row above the first lies before it, zeros where there is none.
 * @param from where the row above begins
 * @param step bytes of a pixel
 */
export function averageRows(from: usize, to: usize, rows: i32, rowBytes: i32, step: i32): void {
  const pitch = <usize>rowBytes
  const left = <usize>step
  let at = from + pitch
  for (let row = 0; row < rows; row++) {
    store<u8>(to++, AVERAGE)
    const end = at + pitch
    const first = at + min(left, pitch)
    for (; at < first; at++, to++) store<u8>(to, load<u8>(at) - (load<u8>(at - pitch) >>> 1))
    // Eight bytes at once: of two bytes half of the sum, rounded down, and the difference from that.
    for (; at + 8 <= end; at += 8, to += 8) {
      const before = load<u64>(at - left)
      const above = load<u64>(at - pitch)
      const mean = (before & above) + (((before ^ above) >>> 1) & LOW)
      const value = load<u64>(at)
      store<u64>(to, ((value | HIGH) - (mean & LOW)) ^ ((value ^ ~mean) & HIGH))
    }
    for (; at < end; at++, to++) {
      const mean = (<u32>load<u8>(at - left) + <u32>load<u8>(at - pitch)) >>> 1
      store<u8>(to, <u8>(<u32>load<u8>(at) - mean))
    }
  }
}

/** Rows of so many bits per pixel of indices, which get the entries of `places`, each with the byte that says that it has no filter. */
export function packRows(from: usize, to: usize, rows: i32, width: i32, depth: i32): void {
  for (let row = 0; row < rows; row++) {
    store<u8>(to++, 0)
    const end = from + <usize>width
    if (depth == 8) {
      for (; from < end; from++, to++) store<u8>(to, load<u8>(places + <usize>load<u8>(from)))
      continue
    }
    while (from < end) {
      let packed: u32 = 0
      let free = 8
      while (free > 0 && from < end) {
        free -= depth
        packed |= (<u32>load<u8>(places + <usize>load<u8>(from++))) << free
      }
      store<u8>(to++, <u8>packed)
    }
  }
}
