// Bands that keep one direction over 16×16 pixels: the facets of a gradient, the rings of a glow or a shadow.
//
// What the result adds to an even ground has gradients everywhere; those of dots and grain point anywhere, and those of bands
// across them. The longer axis of their tensor less the shorter one is what has a direction. Lightness alone tells bands that
// are seen from others better than all three axes do.

import { bytes, gradientRow, gradientsAt, height, width } from './guards-memory'
import { BAND, keep } from './largest'
import { add, exceeds, get, LANE_BYTES, mul, put, some, splat } from './lanes'
import { clearStrips, columns, completes, lastTop, Strips, stripsAt, turn } from './strips'
import { enterWindows, isWindowTouched, spanCount, spanEnd, spanFirst, spansAt } from './tiles'

/** Side of a window, and the step from one to the next, in pixels. */
const WINDOW: i32 = 16
const STEP: i32 = 8

/** Quantities per pixel: the squared gradient along the row less that down, and twice their product. */
const QUANTITIES: usize = 2
const GRADIENT_ROWS: usize = 8

/** Bands that keep a direction are seen where dots and grain nearly twice as strong are not. */
const SEEN_LONGER: f64 = 1.95

const room: usize = memory.data(offsetof<Strips>(), 16)
/** Rolling rows of both quantities, and by how much each pixel of one row counts. */
let slopes: usize = 0
let crosses: usize = 0
let weights: usize = 0

/** Lays out memory from an address on; returns where it ends. */
export function layoutStreaks(from: u64): u64 {
  const strips = stripsAt(room)
  const size = <u64>(bytes * QUANTITIES)
  slopes = <usize>from
  crosses = slopes + GRADIENT_ROWS * bytes
  weights = crosses + GRADIENT_ROWS * bytes
  const first = <u64>(weights + bytes + 63) & ~63
  strips.now = <usize>first
  strips.before = <usize>(first + size)
  strips.last = <usize>(first + 2 * size)
  strips.size = <usize>size
  strips.step = STEP
  return first + 3 * size
}

export function startStreaks(): void {
  clearStrips(stripsAt(room))
}

@inline
export function slopeRow(y: i32): usize {
  return gradientsAt(slopes, y)
}

@inline
export function crossRow(y: i32): usize {
  return gradientsAt(crosses, y)
}

@inline
export function weightRow(): usize {
  return weights
}

/** Adds row `y`, whose weights are known, and judges the windows that it completes. */
export function streaksRow(y: i32): void {
  const strips = stripsAt(room)
  const top = lastTop(strips, height)
  addTo(strips.now, y)
  if (y >= top) addTo(strips.last, y)
  if (completes(strips, y, height)) judge(strips.before, y + 1 - WINDOW, WINDOW)
  turn(strips, y)
  if (y == height - 1) judge(strips.last, top, height - top)
}

function addTo(sums: usize, y: i32): void {
  const spans = spansAt(y)
  const count = spanCount(y)
  const slope = slopeRow(y)
  const cross = crossRow(y)
  const gradient = gradientRow(y)
  for (let span = 0; span < count; span++) {
    const end = (<usize>spanEnd(spans, span)) << 2
    for (let x = (<usize>spanFirst(spans, span)) << 2; x < end; x += LANE_BYTES) {
      // A weight is known only where there is a gradient.
      if (!some(exceeds(get(gradient + x), splat(0)))) continue
      const weight = get(weights + x)
      const to = sums + x
      put(to, add(get(to), mul(get(slope + x), weight)))
      put(to + bytes, add(get(to + bytes), mul(get(cross + x), weight)))
    }
  }
}

function judge(sums: usize, y: i32, high: i32): void {
  if (!enterWindows(y, high)) return
  const wide = min(width, WINDOW)
  let x = 0
  for (; x + wide < width; x += STEP) if (isWindowTouched(x, wide)) judgeWindow(sums, x, y, wide, high)
  if (isWindowTouched(width - wide, wide)) judgeWindow(sums, width - wide, y, wide, high)
}

/** The square of the measure, at the scale of bands of 8×8 pixels. */
function judgeWindow(sums: usize, x: i32, y: i32, wide: i32, high: i32): void {
  const at = sums + (<usize>x << 2)
  const share = 1 / <f64>(wide * high)
  const slope = columns(at, wide) * share
  const cross = columns(at + bytes, wide) * share
  keep(BAND, SEEN_LONGER * SEEN_LONGER * sqrt<f64>(slope * slope + cross * cross), x, y)
}
