// SSIMULACRA 2.1: the maps of the metric, for any number of distorted images against one original.
//
// The metric, its constants and its published implementation are by Jon Sneyers, Cloudinary
// (https://github.com/cloudinary/ssimulacra2, BSD-3-Clause). This is an implementation of its own: both images run
// through all scales row by row, so that of the distorted image no plane is ever held, and the maps are summed as soon
// as a row's blur is complete. The caller (src/quality/metric/) turns the sums into the score.
//
// Calls: layout → grow the memory → start(0), push(0, …)… → as often as wanted: start(1), push(1, …)…, read the sums.

import { CELL } from './alike'
import { firstCell, endCell, markAll, markHalf, markRow, spansOfBlocks, wholeRow } from './changes'
import { blendedRow, linearRow } from './colour'
import { add, get, LANE_BYTES, mul, pairSums, put, splat } from './lanes'
import {
  blendTable,
  blockSpans,
  CHANNELS,
  clearStream,
  depth,
  input,
  linearTable,
  originalPixels,
  REFERENCE,
  scaleAt,
  stageAt,
  sums,
} from './layout'
import { compare, keep } from './rows'

export { BATCH_ROWS, layout } from './layout'
export { sampledRows, setSample } from './sample'

export function inputAddress(): usize {
  return input
}

/** Where rows of the original, from `y` on, are handed over, `step` bytes per pixel; see `push`. */
export function originalInputAddress(y: i32, step: i32): usize {
  return originalPixels(y, <usize>(scaleAt(0).width * step))
}

export function linearTableAddress(): usize {
  return linearTable
}

export function blendTableAddress(): usize {
  return blendTable
}

/**
 * 6 scales × 3 channels × (dissimilar, added, lost, and the same in fourth powers), doubles, not divided by the pixels; then the same of
 * the rows of the sample alone.
 */
export function sumsAddress(): usize {
  return sums
}

/** Starts an image from its first row: 0 the original, 1 one to compare with it. */
export function start(stream: i32): void {
  clearStream(stream)
}

/**
 * Takes the next rows of an image from its input: `step` bytes per pixel (3 or 4); `background` is the grey (0…255)
 * that RGBA pixels lie on, −1 if they are opaque. With `isCompared` the same rows of the original, in the same form, are in
 * its own, and where they are alike nothing is computed; the sums are the same to the bit.
 */
export function push(stream: i32, rows: i32, step: i32, background: i32, isCompared: bool): void {
  const scale = scaleAt(0)
  const first = stageAt(stream, 0).received
  let spans = 1
  if (stream == REFERENCE) wholeRow(scale)
  else spans = mark(first, rows, step, background >= 0, isCompared)
  const rowBytes = <usize>(scale.width * step)
  let from = stream == REFERENCE ? originalPixels(first, rowBytes) : input
  for (let y = first; y < first + rows; y++, from += rowBytes) {
    for (let span = 0; span < spans; span++) {
      const x = CELL * firstCell(blockSpans, span)
      toLinear(stream, y, from + <usize>(x * step), step, background, x, min(scale.width, CELL * endCell(blockSpans, span)))
    }
    receive(stream, 0, spans)
  }
}

function mark(first: i32, rows: i32, step: i32, isBlended: bool, isCompared: bool): i32 {
  const scale = scaleAt(0)
  const rowBytes = <usize>(scale.width * step)
  let original = originalPixels(first, rowBytes)
  let distorted = input
  for (let y = first; y < first + rows; y++, original += rowBytes, distorted += rowBytes) {
    if (isCompared) markRow(scale, y, original, distorted, step, isBlended)
    else markAll(scale, y)
  }
  return spansOfBlocks(scale, first, rows)
}

/** Pixels `x` to `end` of a row to linear light. */
function toLinear(stream: i32, y: i32, from: usize, step: i32, background: i32, x: i32, end: i32): void {
  const rowBytes = stageAt(stream, 0).linearBytes
  const to = linearSlot(stream, 0, y) + ((<usize>x) << 2)
  if (background < 0) linearRow(from, step, to, rowBytes, end - x)
  else blendedRow(from, background, to, rowBytes, end - x)
}

function linearSlot(stream: i32, scale: i32, y: i32): usize {
  const stage = stageAt(stream, scale)
  return stage.linear + <usize>((y & 1) * CHANNELS * stage.linearBytes)
}

/**
 * Works off the linear row that has just been written to its slot, and all that it completes at the smaller scales. Of a
 * batch the row is there in the first `spans` of `blockSpans`.
 */
function receive(stream: i32, s: i32, spans: i32): void {
  const scale = scaleAt(s)
  const stage = stageAt(stream, s)
  const y = stage.received++
  const last = y == scale.height - 1
  const linear = linearSlot(stream, s, y)
  if (stream == REFERENCE) keep(s, y, linear, last)
  else compare(s, y, linear, last)
  if (s + 1 == depth || !((y & 1) == 1 || last)) return
  const next = stageAt(stream, s + 1)
  if (stream != REFERENCE) markHalf(scale, scaleAt(s + 1), next.received)
  const half = linearSlot(stream, s + 1, next.received)
  for (let span = 0; span < spans; span++) {
    // A block is half as many pixels at each scale.
    const x = (CELL * firstCell(blockSpans, span)) >> (s + 1)
    const end = min(scaleAt(s + 1).width, (CELL * endCell(blockSpans, span) + (2 << s) - 1) >> (s + 1))
    halve(linearSlot(stream, s, y & ~1), linear, stage.linearBytes, half, next.linearBytes, scale.width, x, end)
  }
  receive(stream, s + 1, spans)
}

/** Averages 2×2 pixels of two linear rows to the pixels `x` to `end`; a last odd column or row counts twice. */
function halve(
  upper: usize,
  lower: usize,
  rowBytes: i32,
  to: usize,
  toBytes: i32,
  width: i32,
  x: i32,
  end: i32,
): void {
  const limit = (<usize>end) << 2
  for (let c = 0; c < CHANNELS; c++) {
    const a = upper + <usize>(c * rowBytes)
    const b = lower + <usize>(c * rowBytes)
    if (width & 1) {
      const column = (<usize>width) << 2
      store<f32>(a + column, load<f32>(a + column - 4))
      store<f32>(b + column, load<f32>(b + column - 4))
    }
    const half = to + <usize>(c * toBytes)
    for (let at = (<usize>x) << 2; at < limit; at += LANE_BYTES) {
      const left = add(get(a + 2 * at), get(b + 2 * at))
      const right = add(get(a + 2 * at + LANE_BYTES), get(b + 2 * at + LANE_BYTES))
      put(half + at, mul(pairSums(left, right), splat(0.25)))
    }
  }
}
