// Local damage that a score of the whole picture forgives: the largest of six measures over small windows, in OKLab
// with screen flare. What they are for, and their limits, is in docs/quality.md; the formulas are in test/quality/guards/definition.ts.
//
// Original and result run through together, row by row; only a few rows of either are in memory. A row of the
// differences is judged once the activity of the original around it is known, four rows later:
//
//   row y arrives → row y − 1 of the blur → row y − 2 of the gradients → row y − 4 of the 5×5 maximum and of the sums
//                 → row y − 2 of lost antialiasing (jag.ts) and of lines (lines.ts), rows of means (gone.ts)
//
// Calls: layout → grow the memory → fill the tables, once → as often as wanted: start, push…, read the largest. Where the
// pictures are compared first, layout(…, true), start, mark…, settle come before push….

import {
  activity,
  activityRow,
  blendedLevels,
  blurredRow,
  bytes,
  CHANNELS,
  differenceRow,
  gradientRow,
  gradientsAt,
  height,
  horizontalRow,
  linear,
  maximum,
  opaqueLevels,
  originalAddress,
  originalRow,
  PADDING_BYTES,
  pitch,
  resultInput,
  roughest,
  roughness,
  roughnessRow,
  stride,
  width,
  windowStrips,
} from './guards-memory'
import { gradientOf, roughen } from './differences'
import { goneRow, startGone } from './gone'
import { jagRow, startJag } from './jag'
import { linesRow, startLines } from './lines'
import { clearLargest, largest } from './largest'
import { add, div, exceeds, get, LANE_BYTES, Lanes, larger, mul, put, root, some, splat } from './lanes'
import { blendedRow, labDifferenceRow, labRow, opaqueRow } from './oklab'
import {
  changedSpanCount,
  changedSpansHere,
  clearTiles,
  enterRow,
  markTiles,
  needsTiles,
  settleTiles,
  spanCount,
  spanEnd,
  spanFirst,
  spansAt,
} from './tiles'
import { clearStrips, completes, lastTop, turn } from './strips'
import { crossRow, slopeRow, startStreaks, streaksRow, weightRow } from './streaks'
import { judgeWindows, WINDOW } from './windows'

export {
  BATCH_ROWS,
  blendedLevelsAddress,
  opaqueLevelsAddress,
  originalAddress,
  resultAddress,
} from './guards-memory'
export { layout } from './guards-layout'
export { foundAddress, restartFlat, startFlat, takeFlat } from './flat'
export {
  countsAddress,
  countValues,
  endVotes,
  opaqueAddress,
  startEntries,
  totalsAddress,
  valuesAddress,
  voteForValues,
} from './snap'

/** Rows on either side that the maximum of the activity looks at. */
const REACH: i32 = 2

/** One over the squared roughness, in OKLab, at which a squared gradient of the difference counts half: 0.004². */
const SMOOTH: f32 = 62_500

/** Measures that are left out where nobody asks for them. */
export const WITH_JAG: i32 = 1
export const WITH_GONE: i32 = 2
export const WITH_STREAKS: i32 = 4
export const WITH_LINES: i32 = 8
/** With lost antialiasing only. */
export const WITH_SPOTS: i32 = 16

/** Tiles from a difference to the farthest pixel that a window looks at which it touches: windows reach 7, 15 and 23 pixels. */
const REACH_OF_WINDOWS: i32 = 3
const REACH_OF_JAG: i32 = 5
const REACH_OF_GONE: i32 = 6

let received: i32 = 0
let measures: i32 = 0

/** Six records of 16 bytes: a power of the measure (f64), the left and the top (i32) of its window. */
export function largestAddress(): usize {
  return largest
}

/** Starts a pair of pictures from its first row; `wanted` says which measures besides those that are always taken. */
export function start(wanted: i32): void {
  received = 0
  measures = wanted
  clearLargest()
  clearTiles()
  // The tail of a row, beyond the width, is computed like the rest: it must hold numbers.
  memory.fill(linear, 0, bytes * CHANNELS)
  memory.fill(maximum - PADDING_BYTES, 0, pitch)
  memory.fill(roughest - PADDING_BYTES, 0, pitch)
  clearStrips(windowStrips())
  if (wanted & WITH_JAG) startJag((wanted & WITH_SPOTS) != 0)
  if (wanted & WITH_GONE) startGone()
  if (wanted & WITH_STREAKS) startStreaks()
  if (wanted & WITH_LINES) startLines()
}

/**
 * Looks where the next rows, from row `y` on, of both pictures differ, `step` bytes per pixel; `isBlended` if they are put on
 * a background.
 */
export function mark(y: i32, rows: i32, step: i32, isBlended: bool): void {
  const rowBytes = <usize>(width * step)
  const original = originalAddress(y, step)
  for (let row: usize = 0; row < <usize>rows; row++) {
    markTiles(y + <i32>row, original + row * rowBytes, resultInput + row * rowBytes, step, isBlended)
  }
}

/** Ends the marking. */
export function settle(): void {
  settleTiles(measures & WITH_GONE ? REACH_OF_GONE : measures & WITH_JAG ? REACH_OF_JAG : REACH_OF_WINDOWS)
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
  let original = originalAddress(received, originalBytes)
  let result = resultInput
  for (let row = 0; row < rows; row++) {
    const y = received++
    enterRow(y)
    takeOriginal(y, original, originalBytes, background)
    takeResult(y, result, resultBytes, background)
    const difference = differenceRow(y)
    for (let c = 0; c < CHANNELS; c++) {
      blurAlong(originalRow(c, y), horizontalRow(c, y), y)
      blurAlong(difference + c * pitch, horizontalRow(CHANNELS + c, y), y)
    }
    if (y > 0) blurDown(y - 1)
    if (y == height - 1) blurDown(y)
    if (measures & WITH_GONE) goneRow(y)
    if (y >= REACH) takeAbove(y - REACH)
    if (y == height - 1) for (let rest = max(0, height - REACH); rest < height; rest++) takeAbove(rest)
    original += <usize>(width * originalBytes)
    result += <usize>(width * resultBytes)
  }
}

/** What looks at two rows below a row, once these are there or there are none. */
function takeAbove(y: i32): void {
  if (measures & WITH_JAG) jagRow(y)
  if (measures & WITH_LINES) linesRow(y)
}

function takeOriginal(y: i32, from: usize, step: i32, background: i32): void {
  const spans = spansAt(y)
  const count = spanCount(y)
  for (let span = 0; span < count; span++) {
    const first = spanFirst(spans, span)
    const end = spanEnd(spans, span)
    const x = (<usize>first) << 2
    linearRow(from, step, background, first, end)
    labRow(linear + x, bytes, originalRow(0, y) + x, pitch, (<usize>(end - first)) << 2)
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
    labDifferenceRow(linear + x, bytes, originalRow(0, y) + x, difference + x, pitch, (<usize>(end - first)) << 2)
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
  if (y > 0) differentiate(y - 1)
  if (y == height - 1) differentiate(y)
}

/** Squared lengths of the forward differences of row `y` over the three channels, and what they complete. */
function differentiate(y: i32): void {
  const isStreaked = (measures & WITH_STREAKS) != 0
  gradientOf(0, y, activityRow(y), 0, 0)
  gradientOf(CHANNELS, y, gradientRow(y), isStreaked ? slopeRow(y) : 0, isStreaked ? crossRow(y) : 0)
  roughen(y)
  // What lies beyond the width must not reach into the maximum.
  memory.fill(activityRow(y) + (<usize>width << 2), 0, <usize>(stride - width) << 2)
  memory.fill(roughnessRow(y) + (<usize>width << 2), 0, <usize>(stride - width) << 2)
  if (y >= REACH) sumRow(y - REACH)
  if (y == height - 1) for (let rest = max(0, height - REACH); rest < height; rest++) sumRow(rest)
}

/** Adds row `y` to the sums, with the largest values of the 5×5 pixels around each pixel, and judges full windows. */
function sumRow(y: i32): void {
  largestDown(activity, y, maximum)
  largestDown(roughness, y, roughest)
  const strips = windowStrips()
  const top = lastTop(strips, height)
  addTo(strips.now, y)
  if (y >= top) addTo(strips.last, y)
  if (completes(strips, y, height)) judgeWindows(strips.before, bytes, y + 1 - WINDOW, width, WINDOW)
  turn(strips, y)
  if (y == height - 1) judgeWindows(strips.last, bytes, top, width, height - top)
  if (measures & WITH_STREAKS) streaksRow(y)
}

/** The largest of the five rows around row `y`. */
function largestDown(rows: usize, y: i32, to: usize): void {
  const spans = spansAt(y)
  const count = spanCount(y)
  const r0 = gradientsAt(rows, max(y - 2, 0))
  const r1 = gradientsAt(rows, max(y - 1, 0))
  const r2 = gradientsAt(rows, y)
  const r3 = gradientsAt(rows, min(y + 1, height - 1))
  const r4 = gradientsAt(rows, min(y + 2, height - 1))
  for (let span = 0; span < count; span++) {
    const end = (<usize>spanEnd(spans, span)) << 2
    for (let x = (<usize>spanFirst(spans, span)) << 2; x < end; x += LANE_BYTES) {
      const outer = larger(get(r0 + x), get(r4 + x))
      put(to + x, larger(larger(outer, get(r2 + x)), larger(get(r1 + x), get(r3 + x))))
    }
  }
}

/** The same of the five columns around a pixel. */
@inline
function largestAlong(at: usize): Lanes {
  const outer = larger(get(at - 8), get(at + 8))
  return larger(larger(outer, get(at)), larger(get(at - 4), get(at + 4)))
}

function addTo(sums: usize, y: i32): void {
  const spans = spansAt(y)
  const count = spanCount(y)
  const difference = differenceRow(y)
  const gradient = gradientRow(y)
  const weights = weightRow()
  for (let span = 0; span < count; span++) {
    const end = (<usize>spanEnd(spans, span)) << 2
    for (let x = (<usize>spanFirst(spans, span)) << 2; x < end; x += LANE_BYTES) {
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
      put(to, add(get(to), root(largestAlong(maximum + x))))
      to += bytes
      const strength = get(gradient + x)
      if (some(exceeds(strength, splat(0)))) {
        const weight = div(splat(1), add(splat(1), mul(largestAlong(roughest + x), splat(SMOOTH))))
        put(weights + x, weight)
        put(to, add(get(to), mul(strength, weight)))
      }
      to += bytes
      put(to, add(get(to), add(add(mul(l, l), mul(a, a)), mul(b, b))))
    }
  }
}
