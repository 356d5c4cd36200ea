// Sums over the columns of windows that lie `step` rows apart and are twice as high, the last of them flush with the border.
//
// Rows of quantities are added up in strips of `step` rows; two strips are a window's height. The last windows, which need
// not begin at a multiple of the step, have a strip of a whole window's rows of their own.

import { add, get, LANE_BYTES, put } from './lanes'

@unmanaged
export class Strips {
  /** Sums of the strip that is being read, of the one before, and of the last rows of the picture. */
  now: usize
  before: usize
  last: usize
  /** Bytes of all quantities of one strip. */
  size: usize
  step: i32
}

/** Room for so many of these, zeros at first. */
export function stripsAt(address: usize): Strips {
  return changetype<Strips>(address)
}

/** Starts a picture. */
export function clearStrips(strips: Strips): void {
  memory.fill(strips.now, 0, strips.size)
  memory.fill(strips.last, 0, strips.size)
}

/** The top of the last windows of a picture so many rows high. */
@inline
export function lastTop(strips: Strips, height: i32): i32 {
  return max(0, height - 2 * strips.step)
}

/** Whether the windows that end with row `y`, which was added last, are complete: their sums are at `before` then. */
export function completes(strips: Strips, y: i32, height: i32): bool {
  if ((y + 1) % strips.step != 0) return false
  const top = y + 1 - 2 * strips.step
  if (top < 0 || top >= lastTop(strips, height)) return false
  const to = strips.before
  const from = strips.now
  for (let x: usize = 0; x < strips.size; x += LANE_BYTES) put(to + x, add(get(to + x), get(from + x)))
  return true
}

/** Takes a strip that is full for the one before. */
export function turn(strips: Strips, y: i32): void {
  if ((y + 1) % strips.step != 0) return
  const full = strips.now
  strips.now = strips.before
  strips.before = full
  memory.fill(strips.now, 0, strips.size)
}

/** The sum of `count` columns. Four at a time, as the windows that begin at a multiple of four share them. */
@inline
export function columns(at: usize, count: i32): f64 {
  let sum: f64 = 0
  let i = 0
  for (; i + 4 <= count; i += 4, at += 16) {
    sum += <f64>((load<f32>(at) + load<f32>(at, 4)) + (load<f32>(at, 8) + load<f32>(at, 12)))
  }
  for (; i < count; i++, at += 4) sum += <f64>load<f32>(at)
  return sum
}
