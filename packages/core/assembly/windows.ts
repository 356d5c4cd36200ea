// The measures of windows of 8×8 pixels, four apart, the last flush with the border; of each the largest counts.

import { BAND, COLOURS, EDGES, keep, MEANS } from './largest'
import { columns } from './strips'
import { enterWindows, isWindowTouched } from './tiles'

/** Side of a window, and the step from one to the next, in pixels. */
export const WINDOW: i32 = 8
export const STEP: i32 = 4

/** Quantities per pixel: the differences of L, a and b, the activity of the original, the masked squared gradient, the squared difference. */
export const QUANTITIES: i32 = 6

/** Activity, in OKLab per pixel, at which a mean difference counts half. */
const BUSY: f64 = 0.03

function judgeWindow(sums: usize, rowBytes: usize, x: i32, y: i32, wide: i32, high: i32): void {
  const share = 1 / <f64>(wide * high)
  const at = sums + (<usize>x << 2)
  const lightness = columns(at, wide) * share
  const a = columns(at + rowBytes, wide) * share
  const b = columns(at + 2 * rowBytes, wide) * share
  const activity = columns(at + 3 * rowBytes, wide) * share
  const masking = 1 + activity / BUSY
  const colour = a * a + b * b
  keep(MEANS, (lightness * lightness + colour) / (masking * masking), x, y)
  keep(COLOURS, colour, x, y)
  keep(BAND, columns(at + 4 * rowBytes, wide) * share, x, y)
  keep(EDGES, columns(at + 5 * rowBytes, wide) * share, x, y)
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
