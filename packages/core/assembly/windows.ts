// The four measures of windows of 8×8 pixels, four apart, the last flush with the border; of each the largest counts.
//
// Rows of six quantities are added up in strips of four rows; two strips are a window's height. The last windows,
// which need not begin at a multiple of four, have a strip of eight rows of their own.

import { add, get, LANE_BYTES, put } from './lanes'
import { enterWindows, isWindowTouched } from './tiles'

/** Side of a window, and the step from one to the next, in pixels. */
export const WINDOW: i32 = 8
export const STEP: i32 = 4

/** Quantities per pixel: the differences of L, a and b, the activity of the original, the masked squared gradient, the squared difference. */
export const QUANTITIES: i32 = 6

/** Activity, in OKLab per pixel, at which a mean difference counts half. */
const BUSY: f64 = 0.03

/** Largest measure squared, with the left and the top of its window. */
@unmanaged
export class Largest {
  square: f64
  x: i32
  y: i32
}

export const MEASURES: i32 = 4
export const largest: usize = memory.data(MEASURES * offsetof<Largest>(), 16)

function largestAt(measure: i32): Largest {
  return changetype<Largest>(largest + measure * offsetof<Largest>())
}

export function clearLargest(): void {
  memory.fill(largest, 0, MEASURES * offsetof<Largest>())
}

@inline
function keep(measure: i32, square: f64, x: i32, y: i32): void {
  const kept = largestAt(measure)
  if (square <= kept.square) return
  kept.square = square
  kept.x = x
  kept.y = y
}

/** Adds one row of sums to another, all quantities at once. */
export function addRows(to: usize, from: usize, bytes: usize): void {
  for (let x: usize = 0; x < bytes; x += LANE_BYTES) put(to + x, add(get(to + x), get(from + x)))
}

/** The sum of `count` columns. Four at a time, as the windows that begin at a multiple of four share them. */
@inline
function columns(at: usize, count: i32): f64 {
  let sum: f64 = 0
  let i = 0
  for (; i + 4 <= count; i += 4, at += 16) {
    sum += <f64>((load<f32>(at) + load<f32>(at, 4)) + (load<f32>(at, 8) + load<f32>(at, 12)))
  }
  for (; i < count; i++, at += 4) sum += <f64>load<f32>(at)
  return sum
}

function judgeWindow(sums: usize, rowBytes: usize, x: i32, y: i32, wide: i32, high: i32): void {
  const share = 1 / <f64>(wide * high)
  const at = sums + (<usize>x << 2)
  const lightness = columns(at, wide) * share
  const a = columns(at + rowBytes, wide) * share
  const b = columns(at + 2 * rowBytes, wide) * share
  const activity = columns(at + 3 * rowBytes, wide) * share
  const masking = 1 + activity / BUSY
  const colour = a * a + b * b
  keep(0, (lightness * lightness + colour) / (masking * masking), x, y)
  keep(1, colour, x, y)
  keep(2, columns(at + 4 * rowBytes, wide) * share, x, y)
  keep(3, columns(at + 5 * rowBytes, wide) * share, x, y)
}

/**
 * Judges the windows whose columns' sums over `high` rows from row `y` on are given, rows of quantities `rowBytes` apart; of
 * those that no difference reaches nothing is computed, and every measure is zero.
 */
export function judgeWindows(sums: usize, rowBytes: usize, y: i32, width: i32, high: i32): void {
  if (!enterWindows(y, high)) return
  const wide = min(width, WINDOW)
  let x = 0
  for (; x + wide < width; x += STEP) if (isWindowTouched(x, wide)) judgeWindow(sums, rowBytes, x, y, wide, high)
  if (isWindowTouched(width - wide, wide)) judgeWindow(sums, rowBytes, width - wide, y, wide, high)
}
