// Faint structure that is wiped out: what the result has left of slight differences among means of 4×4 pixels.
//
// Grain is no structure: structure has quiet surroundings, means that hardly deviate, and grain has none.
//
// Each mean of lightness is compared with the [1 2 1] / 4 blur, both ways, of the means around; how much of that deviation
// the result's error takes away is a regression over windows of 6×6 means, three apart. Means are a sixteenth of the
// pixels, so nothing here needs vectors.

import { bytes, differenceRow, height, originalRow, width } from './guards-memory'
import { GONE, keep } from './largest'
import { add, get, LANE_BYTES, put } from './lanes'
import { clearStrips, columns, completes, lastTop, Strips, stripsAt, turn } from './strips'
import { enterWindows, isWindowTouched, spanCount, spanEnd, spanFirst, spansAt } from './tiles'

/** Side of a mean, in pixels. */
const CELL: i32 = 4
/** Side of a window, and the step from one to the next, in means. */
const WINDOW: i32 = 6
const STEP: i32 = 3
/** The least means a picture must have along either side. */
const LEAST: i32 = 8

/** Quantities per mean: its deviation squared, and that times the error's. */
const QUANTITIES: usize = 2

/** Deviations, in lightness, between which structure is faint; what is fainter is grain. */
const FAINTEST: f64 = 0.0012 * 0.0012
const STRONGEST: f64 = 0.02 * 0.02
/** The deviation below which the measure falls towards zero. */
const SEEN: f64 = 0.0025
/** A mean is quiet below this share of the mean squared deviation; fewer quiet ones than that are grain. */
const QUIET: f64 = 0.04
const LEAST_QUIET: i32 = 10

const room: usize = memory.data(offsetof<Strips>(), 16)
let wide: i32 = 0
let high: i32 = 0
/** Bytes of a row of means. */
let rowBytes: usize = 0
/** Sums of the columns of four rows: the original's lightness, and the error's. */
let sums: usize = 0
/** Rows of means of both, rolling, and the same after the horizontal pass of the blur. */
let means: usize = 0
let blurred: usize = 0
/** Squared deviations of the rows of a window, rolling. */
let squares: usize = 0
/** Rolling rows of means, and of squared deviations: powers of two. */
const ROWS: i32 = 4
const SQUARE_ROWS: i32 = 8

/** Lays out memory from an address on; returns where it ends. */
export function layoutGone(from: u64): u64 {
  wide = width / CELL
  high = height / CELL
  rowBytes = <usize>((wide + 3) & ~3) << 2
  const strips = stripsAt(room)
  const size = (<u64>rowBytes * QUANTITIES + 63) & ~63
  sums = <usize>from
  means = sums + 2 * bytes
  blurred = means + 2 * ROWS * rowBytes
  squares = blurred + 2 * ROWS * rowBytes
  const first = (<u64>(squares + SQUARE_ROWS * rowBytes) + 63) & ~63
  strips.now = <usize>first
  strips.before = <usize>(first + size)
  strips.last = <usize>(first + 2 * size)
  strips.size = <usize>size
  strips.step = STEP
  return first + 3 * size
}

export function startGone(): void {
  clearStrips(stripsAt(room))
  memory.fill(sums, 0, 2 * bytes)
  memory.fill(means, 0, (4 * ROWS + SQUARE_ROWS) * rowBytes)
}

@inline
function meanRow(plane: i32, row: i32): usize {
  return means + <usize>(plane * ROWS + (row & (ROWS - 1))) * rowBytes
}

@inline
function squareRow(row: i32): usize {
  return squares + <usize>(row & (SQUARE_ROWS - 1)) * rowBytes
}

@inline
function blurredRow(plane: i32, row: i32): usize {
  return blurred + <usize>(plane * ROWS + (row & (ROWS - 1))) * rowBytes
}

/** Adds row `y` of pixels, the newest, and judges the windows that it completes. */
export function goneRow(y: i32): void {
  if (min(wide, high) < LEAST || y >= high * CELL) return
  addLightness(y)
  if ((y & (CELL - 1)) != CELL - 1) return
  const row = y / CELL
  for (let plane = 0; plane < 2; plane++) {
    average(sums + plane * bytes, meanRow(plane, row))
    blurAlong(meanRow(plane, row), blurredRow(plane, row))
  }
  memory.fill(sums, 0, 2 * bytes)
  if (row > 0) deviationsOf(row - 1)
  if (row == high - 1) deviationsOf(row)
}

function addLightness(y: i32): void {
  const spans = spansAt(y)
  const count = spanCount(y)
  const original = originalRow(0, y)
  const error = differenceRow(y)
  for (let span = 0; span < count; span++) {
    const end = (<usize>spanEnd(spans, span)) << 2
    for (let x = (<usize>spanFirst(spans, span)) << 2; x < end; x += LANE_BYTES) {
      put(sums + x, add(get(sums + x), get(original + x)))
      put(sums + bytes + x, add(get(sums + bytes + x), get(error + x)))
    }
  }
}

function average(from: usize, to: usize): void {
  for (let x = 0; x < wide; x++, from += 16, to += 4) {
    const sum = (load<f32>(from) + load<f32>(from, 4)) + (load<f32>(from, 8) + load<f32>(from, 12))
    store<f32>(to, sum * 0.0625)
  }
}

function blurAlong(from: usize, to: usize): void {
  let before = load<f32>(from)
  let here = before
  for (let x = 0; x < wide; x++, from += 4, to += 4) {
    const after = x < wide - 1 ? load<f32>(from, 4) : here
    store<f32>(to, (before + after + (here + here)) * 0.25)
    before = here
    here = after
  }
}

/** What row `row` of means deviates from its surroundings, added to the sums. */
function deviationsOf(row: i32): void {
  const strips = stripsAt(room)
  const top = lastTop(strips, high)
  const above = max(row - 1, 0)
  const below = min(row + 1, high - 1)
  for (let x: usize = 0; x < (<usize>wide << 2); x += 4) {
    const original = deviation(0, row, above, below, x)
    const square = original * original
    const product = original * deviation(1, row, above, below, x)
    store<f32>(squareRow(row) + x, square)
    addTo(strips.now + x, square, product)
    if (row >= top) addTo(strips.last + x, square, product)
  }
  if (completes(strips, row, high)) judge(strips.before, row + 1 - WINDOW)
  turn(strips, row)
  if (row == high - 1) judge(strips.last, top)
}

@inline
function deviation(plane: i32, row: i32, above: i32, below: i32, x: usize): f32 {
  const here = load<f32>(blurredRow(plane, row) + x)
  const around = load<f32>(blurredRow(plane, above) + x) + load<f32>(blurredRow(plane, below) + x)
  return load<f32>(meanRow(plane, row) + x) - (around + (here + here)) * 0.25
}

@inline
function addTo(at: usize, square: f32, product: f32): void {
  store<f32>(at, load<f32>(at) + square)
  store<f32>(at + rowBytes, load<f32>(at + rowBytes) + product)
}

function judge(at: usize, row: i32): void {
  if (!enterWindows(row * CELL, WINDOW * CELL)) return
  let x = 0
  for (; x + WINDOW < wide; x += STEP) judgeWindow(at, x, row)
  judgeWindow(at, wide - WINDOW, row)
}

function judgeWindow(at: usize, x: i32, row: i32): void {
  if (!isWindowTouched(x * CELL, WINDOW * CELL)) return
  const from = at + (<usize>x << 2)
  const square = columns(from, WINDOW)
  const mean = square / <f64>(WINDOW * WINDOW)
  if (!(mean >= FAINTEST && mean <= STRONGEST)) return
  const lost = -columns(from + rowBytes, WINDOW) / square
  if (lost > 0 && countQuiet(x, row, mean * QUIET) >= LEAST_QUIET) {
    keep(GONE, lost * min<f64>(1, sqrt<f64>(mean) / SEEN), x * CELL, row * CELL)
  }
}

/** Means of a window whose squared deviation is below `most`. */
function countQuiet(x: i32, top: i32, most: f64): i32 {
  let count = 0
  for (let row = top; row < top + WINDOW; row++) {
    const from = squareRow(row) + (<usize>x << 2)
    for (let i: usize = 0; i < <usize>WINDOW; i++) count += <i32>(<f64>load<f32>(from + (i << 2)) < most)
  }
  return count
}
