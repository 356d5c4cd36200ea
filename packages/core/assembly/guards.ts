// Local damage that a score of the whole picture forgives: the largest of four measures over small windows, in OKLab
// with screen flare. What they are for, and their limits, is in docs/quality.md; the formulas are in test/quality/guards/definition.ts.
//
// Original and result run through together, row by row; only a few rows of either are in memory. A row of the
// differences is judged once the activity of the original around it is known, four rows later:
//
//   row y arrives → row y − 1 of the blur → row y − 2 of the gradients → row y − 4 of the 5×5 maximum and of the sums
//
// Calls: layout → grow the memory → fill the tables, once → as often as wanted: start, push…, read the largest. Where the
// pictures are compared first, layout(…, true), start, mark…, settle come before push….

import { layoutFlat } from './flat'
import { add, div, get, LANE_BYTES, larger, mul, put, root, splat, sub } from './lanes'
import { blendedRow, labDifferenceRow, labRow, opaqueRow } from './oklab'
import {
  changedSpanCount,
  changedSpansHere,
  clearTiles,
  enterRow,
  layoutTiles,
  markTiles,
  needsTiles,
  settleTiles,
  spanCount,
  spanEnd,
  spanFirst,
  spansAt,
} from './tiles'
import { addRows, clearLargest, judgeWindows, largest, QUANTITIES, STEP, WINDOW } from './windows'

export { foundAddress, restartFlat, startFlat, takeFlat } from './flat'
export {
  countsAddress,
  countValues,
  opaqueAddress,
  startEntries,
  totalsAddress,
  valuesAddress,
  voteForValues,
} from './snap'

/** Most rows of pixels handed over at once. */
export const BATCH_ROWS: i32 = 32

const CHANNELS: i32 = 3
/** Rolling rows, powers of two: horizontally blurred, blurred, gradients, differences. */
const HORIZONTAL_ROWS: i32 = 4
const BLURRED_ROWS: i32 = 2
const GRADIENT_ROWS: i32 = 8
const DIFFERENCE_ROWS: i32 = 8
/** Rows on either side that the maximum of the activity looks at. */
const REACH: i32 = 2
/** Floats on either side of a row that is looked at beyond its ends. */
const PADDING_BYTES: usize = 16

/** One over the squared activity, in OKLab per pixel, at which a squared gradient of the difference counts half: 0.01². */
const SMOOTH: f32 = 10_000

let width: i32 = 0
let height: i32 = 0
let stride: i32 = 0
/** Bytes of a row without and with padding. */
let bytes: usize = 0
let pitch: usize = 0
let received: i32 = 0

let originalInput: usize = 0
let resultInput: usize = 0
let opaqueLevels: usize = 0
let blendedLevels: usize = 0
/** Rows by channel: linear light, L a b of the original, and L a b of the result less it, the last rolling. */
let linear: usize = 0
let lab: usize = 0
let differences: usize = 0
/** Rows by channel, first the original's then the difference's: after the horizontal and after both passes of the blur. */
let horizontal: usize = 0
let blurred: usize = 0
/** Squared gradients: of the original, padded by zeros, and of the difference. */
let activity: usize = 0
let gradients: usize = 0
/** The vertical part of the maximum of one row, padded by zeros. */
let maximum: usize = 0
/** Sums of the strip of four rows that is being read, of the one before, and of the last rows of the picture. */
let strip: usize = 0
let stripBefore: usize = 0
let lastStrip: usize = 0
let end: u64 = 0

function reserve(size: u64): usize {
  const address = end
  end = (end + size + 63) & ~63
  return <usize>address
}

/**
 * Lays out memory for pictures of a size, which are compared first if `compares`. Returns the bytes of memory needed, as a double since they can exceed the
 * address space; the memory must have grown to them before anything else is called.
 */
export function layout(wide: i32, high: i32, compares: bool): f64 {
  end = (<u64>__heap_base + 63) & ~63
  width = wide
  height = high
  stride = (wide + 3) & ~3
  bytes = <usize>stride << 2
  pitch = bytes + 2 * PADDING_BYTES
  // First what does not depend on the size: it stays where and what it is.
  opaqueLevels = reserve(256 * sizeof<f32>())
  blendedLevels = reserve((255 * 255 + 1) * sizeof<f32>())
  originalInput = reserve(<u64>BATCH_ROWS * <u64>wide * 4)
  resultInput = reserve(<u64>BATCH_ROWS * <u64>wide * 4)
  // Flat areas are looked for before anything is compared.
  const endOfFlat = layoutFlat(end, wide, BATCH_ROWS)
  linear = reserve(<u64>bytes * CHANNELS)
  lab = reserve(<u64>pitch * CHANNELS) + PADDING_BYTES
  differences = reserve(<u64>pitch * CHANNELS * DIFFERENCE_ROWS) + PADDING_BYTES
  horizontal = reserve(<u64>bytes * 2 * CHANNELS * HORIZONTAL_ROWS)
  blurred = reserve(<u64>pitch * 2 * CHANNELS * BLURRED_ROWS) + PADDING_BYTES
  activity = reserve(<u64>bytes * GRADIENT_ROWS)
  gradients = reserve(<u64>bytes * GRADIENT_ROWS)
  maximum = reserve(<u64>pitch) + PADDING_BYTES
  strip = reserve(<u64>bytes * QUANTITIES)
  stripBefore = reserve(<u64>bytes * QUANTITIES)
  lastStrip = reserve(<u64>bytes * QUANTITIES)
  end = layoutTiles(end, wide, high, compares)
  return <f64>max(end, endOfFlat)
}

export function originalAddress(): usize {
  return originalInput
}

export function resultAddress(): usize {
  return resultInput
}

/** 256 floats: linear light with flare of an 8-bit sRGB value. */
export function opaqueLevelsAddress(): usize {
  return opaqueLevels
}

/** 255² + 1 floats: the same in steps of 1 / 255², what blending 8-bit values gives. */
export function blendedLevelsAddress(): usize {
  return blendedLevels
}

/** Four records of 16 bytes: the square of the measure (f64), the left and the top (i32) of its window. */
export function largestAddress(): usize {
  return largest
}

/** Starts a pair of pictures from its first row. */
export function start(): void {
  received = 0
  clearLargest()
  clearTiles()
  // The tail of a row, beyond the width, is computed like the rest: it must hold numbers.
  memory.fill(linear, 0, bytes * CHANNELS)
  memory.fill(maximum - PADDING_BYTES, 0, pitch)
  memory.fill(strip, 0, bytes * QUANTITIES)
  memory.fill(lastStrip, 0, bytes * QUANTITIES)
}

/**
 * Looks where the next rows, from row `y` on, of both pictures differ, `step` bytes per pixel; `isBlended` if they are put on
 * a background.
 */
export function mark(y: i32, rows: i32, step: i32, isBlended: bool): void {
  const rowBytes = <usize>(width * step)
  for (let row: usize = 0; row < <usize>rows; row++) {
    markTiles(y + <i32>row, originalInput + row * rowBytes, resultInput + row * rowBytes, step, isBlended)
  }
}

/** Ends the marking. */
export function settle(): void {
  settleTiles()
}

/** Whether anything of some rows is computed: else they need not be in the inputs. */
export function needs(y: i32, rows: i32): bool {
  return needsTiles(y, rows)
}

/**
 * Takes the next rows of both pictures from the inputs, of 3 or 4 bytes per pixel each; `background` is the grey (0…255)
 * that RGBA pixels lie on, −1 if they are opaque.
 */
export function push(rows: i32, originalBytes: i32, resultBytes: i32, background: i32): void {
  let original = originalInput
  let result = resultInput
  for (let row = 0; row < rows; row++) {
    const y = received++
    enterRow(y)
    takeOriginal(y, original, originalBytes, background)
    takeResult(y, result, resultBytes, background)
    const difference = differenceRow(y)
    for (let c = 0; c < CHANNELS; c++) {
      blurAlong(lab + c * pitch, horizontalRow(c, y), y)
      blurAlong(difference + c * pitch, horizontalRow(CHANNELS + c, y), y)
    }
    if (y > 0) blurDown(y - 1)
    if (y == height - 1) blurDown(y)
    original += <usize>(width * originalBytes)
    result += <usize>(width * resultBytes)
  }
}

function takeOriginal(y: i32, from: usize, step: i32, background: i32): void {
  const spans = spansAt(y)
  const count = spanCount(y)
  for (let span = 0; span < count; span++) {
    const first = spanFirst(spans, span)
    const end = spanEnd(spans, span)
    const x = (<usize>first) << 2
    linearRow(from, step, background, first, end)
    labRow(linear + x, bytes, lab + x, pitch, (<usize>(end - first)) << 2)
  }
}

/** The difference of the result, which is zero where its pixels are the original's. */
function takeResult(y: i32, from: usize, step: i32, background: i32): void {
  const difference = differenceRow(y)
  const spans = spansAt(y)
  const count = spanCount(y)
  const changed = changedSpansHere()
  const changedCount = changedSpanCount()
  const isWhole = changedCount == 1 && spanFirst(changed, 0) == 0 && spanEnd(changed, 0) >= width
  for (let span = 0; span < count && !isWhole; span++) {
    const x = (<usize>spanFirst(spans, span)) << 2
    const size = ((<usize>spanEnd(spans, span)) << 2) - x
    for (let c = 0; c < CHANNELS; c++) memory.fill(difference + c * pitch + x, 0, size)
  }
  for (let span = 0; span < changedCount; span++) {
    const first = spanFirst(changed, span)
    const end = spanEnd(changed, span)
    const x = (<usize>first) << 2
    linearRow(from, step, background, first, end)
    labDifferenceRow(linear + x, bytes, lab + x, difference + x, pitch, (<usize>(end - first)) << 2)
  }
}

/** Pixels `first` to `end` of a row to linear light. */
function linearRow(from: usize, step: i32, background: i32, first: i32, end: i32): void {
  const to = linear + ((<usize>first) << 2)
  const pixels = min(end, width) - first
  from += <usize>(first * step)
  if (background < 0 || step == 3) opaqueRow(from, step, opaqueLevels, to, bytes, pixels)
  else blendedRow(from, background, blendedLevels, to, bytes, pixels)
}

@inline
function differenceRow(y: i32): usize {
  return differences + <usize>((y & (DIFFERENCE_ROWS - 1)) * CHANNELS) * pitch
}

@inline
function horizontalRow(plane: i32, y: i32): usize {
  return horizontal + <usize>(plane * HORIZONTAL_ROWS + (y & (HORIZONTAL_ROWS - 1))) * bytes
}

@inline
function blurredRow(plane: i32, y: i32): usize {
  return blurred + <usize>(plane * BLURRED_ROWS + (y & (BLURRED_ROWS - 1))) * pitch
}

@inline
function activityRow(y: i32): usize {
  return activity + <usize>(y & (GRADIENT_ROWS - 1)) * bytes
}

@inline
function gradientRow(y: i32): usize {
  return gradients + <usize>(y & (GRADIENT_ROWS - 1)) * bytes
}

/** [1 2 1] / 4 along a padded row, its ends repeated. */
function blurAlong(row: usize, to: usize, y: i32): void {
  const spans = spansAt(y)
  const count = spanCount(y)
  store<f32>(row - 4, load<f32>(row))
  const tail = row + (<usize>width << 2)
  store<f32>(tail, load<f32>(tail - 4))
  for (let span = 0; span < count; span++) {
    const end = (<usize>spanEnd(spans, span)) << 2
    for (let x = (<usize>spanFirst(spans, span)) << 2; x < end; x += LANE_BYTES) {
      const at = row + x
      const centre = get(at)
      put(to + x, mul(add(add(get(at - 4), get(at + 4)), add(centre, centre)), splat(0.25)))
    }
  }
}

/** Row `y` of the blur, from the rows above and below it that there are, and what it completes. */
function blurDown(y: i32): void {
  const spans = spansAt(y)
  const count = spanCount(y)
  const above = max(y - 1, 0)
  const below = min(y + 1, height - 1)
  for (let plane = 0; plane < 2 * CHANNELS; plane++) {
    const a = horizontalRow(plane, above)
    const b = horizontalRow(plane, y)
    const c = horizontalRow(plane, below)
    const to = blurredRow(plane, y)
    for (let span = 0; span < count; span++) {
      const end = (<usize>spanEnd(spans, span)) << 2
      for (let x = (<usize>spanFirst(spans, span)) << 2; x < end; x += LANE_BYTES) {
        const centre = get(b + x)
        put(to + x, mul(add(add(get(a + x), get(c + x)), add(centre, centre)), splat(0.25)))
      }
    }
    // The forward difference of the last column is zero.
    const tail = to + (<usize>width << 2)
    store<f32>(tail, load<f32>(tail - 4))
  }
  if (y > 0) differentiate(y - 1, y)
  if (y == height - 1) differentiate(y, y)
}

/** Squared lengths of the forward differences of row `y` over the three channels, and what they complete. */
function differentiate(y: i32, next: i32): void {
  gradientOf(0, y, next, activityRow(y))
  gradientOf(CHANNELS, y, next, gradientRow(y))
  // What lies beyond the width must not reach into the maximum.
  memory.fill(activityRow(y) + (<usize>width << 2), 0, <usize>(stride - width) << 2)
  if (y >= REACH) sumRow(y - REACH)
  if (y == height - 1) for (let rest = max(0, height - REACH); rest < height; rest++) sumRow(rest)
}

function gradientOf(plane: i32, y: i32, next: i32, to: usize): void {
  const spans = spansAt(y)
  const count = spanCount(y)
  const l = blurredRow(plane, y)
  const a = blurredRow(plane + 1, y)
  const b = blurredRow(plane + 2, y)
  const lNext = blurredRow(plane, next)
  const aNext = blurredRow(plane + 1, next)
  const bNext = blurredRow(plane + 2, next)
  for (let span = 0; span < count; span++) {
    const end = (<usize>spanEnd(spans, span)) << 2
    for (let x = (<usize>spanFirst(spans, span)) << 2; x < end; x += LANE_BYTES) {
      const lHere = get(l + x)
      const aHere = get(a + x)
      const bHere = get(b + x)
      const lRight = sub(get(l + x + 4), lHere)
      const aRight = sub(get(a + x + 4), aHere)
      const bRight = sub(get(b + x + 4), bHere)
      const lDown = sub(get(lNext + x), lHere)
      const aDown = sub(get(aNext + x), aHere)
      const bDown = sub(get(bNext + x), bHere)
      const right = add(add(mul(lRight, lRight), mul(aRight, aRight)), mul(bRight, bRight))
      const down = add(add(mul(lDown, lDown), mul(aDown, aDown)), mul(bDown, bDown))
      put(to + x, add(right, down))
    }
  }
}

/** Adds row `y` to the sums, with the largest activity of the 5×5 pixels around each pixel, and judges full windows. */
function sumRow(y: i32): void {
  const spans = spansAt(y)
  const count = spanCount(y)
  const r0 = activityRow(max(y - 2, 0))
  const r1 = activityRow(max(y - 1, 0))
  const r2 = activityRow(y)
  const r3 = activityRow(min(y + 1, height - 1))
  const r4 = activityRow(min(y + 2, height - 1))
  for (let span = 0; span < count; span++) {
    const end = (<usize>spanEnd(spans, span)) << 2
    for (let x = (<usize>spanFirst(spans, span)) << 2; x < end; x += LANE_BYTES) {
      const outer = larger(get(r0 + x), get(r4 + x))
      put(maximum + x, larger(larger(outer, get(r2 + x)), larger(get(r1 + x), get(r3 + x))))
    }
  }
  addTo(strip, y)
  const lastTop = max(0, height - WINDOW)
  if (y >= lastTop) addTo(lastStrip, y)
  if ((y & (STEP - 1)) == STEP - 1) {
    const top = y + 1 - WINDOW
    if (top >= 0 && top < lastTop) {
      addRows(stripBefore, strip, bytes * QUANTITIES)
      judgeWindows(stripBefore, bytes, top, width, WINDOW)
    }
    const full = strip
    strip = stripBefore
    stripBefore = full
    memory.fill(strip, 0, bytes * QUANTITIES)
  }
  if (y == height - 1) judgeWindows(lastStrip, bytes, lastTop, width, height - lastTop)
}

function addTo(sums: usize, y: i32): void {
  const spans = spansAt(y)
  const count = spanCount(y)
  const difference = differenceRow(y)
  const gradient = gradientRow(y)
  for (let span = 0; span < count; span++) {
    const end = (<usize>spanEnd(spans, span)) << 2
    for (let x = (<usize>spanFirst(spans, span)) << 2; x < end; x += LANE_BYTES) {
      const at = maximum + x
      const outer = larger(get(at - 8), get(at + 8))
      const square = larger(larger(outer, get(at)), larger(get(at - 4), get(at + 4)))
      let to = sums + x
      const l = get(difference + x)
      const a = get(difference + pitch + x)
      const b = get(difference + 2 * pitch + x)
      put(to, add(get(to), l))
      to += bytes
      put(to, add(get(to), a))
      to += bytes
      put(to, add(get(to), b))
      to += bytes
      put(to, add(get(to), root(square)))
      to += bytes
      put(to, add(get(to), div(get(gradient + x), add(splat(1), mul(square, splat(SMOOTH))))))
      to += bytes
      put(to, add(get(to), add(add(mul(l, l), mul(a, a)), mul(b, b))))
    }
  }
}
