// SSIMULACRA 2.1: the maps of the metric, for any number of distorted images against one original.
//
// The metric, its constants and its published implementation are by Jon Sneyers, Cloudinary
// (https://github.com/cloudinary/ssimulacra2, BSD-3-Clause). This is an implementation of its own: both images run
// through all scales row by row, so that of the distorted image no plane is ever held, and the maps are summed as soon
// as a row's blur is complete. The caller (src/quality/metric/) turns the sums into the score.
//
// Calls: layout → grow the memory → start(0), push(0, …)… → as often as wanted: start(1), push(1, …)…, read the sums.

import { blurThreeRows, blurTwoRows, clearTail } from './blur'
import { blendedRow, clearMargins, linearRow, xybRow } from './colour'
import { add, get, LANE_BYTES, mul, pairSums, put, splat, sub } from './lanes'
import {
  blendTable,
  channelAt,
  CHANNELS,
  clearStream,
  depth,
  differences,
  input,
  linearTable,
  PADDING_BYTES,
  planesAt,
  quantities,
  RADIUS,
  REFERENCE,
  Scale,
  scaleAt,
  squaredDifferences,
  squares,
  stageAt,
  sums,
  TAPS,
} from './layout'
import { judgeRow, keepRow, Rows } from './maps'

export { BATCH_ROWS, layout } from './layout'

export function inputAddress(): usize {
  return input
}

export function linearTableAddress(): usize {
  return linearTable
}

export function blendTableAddress(): usize {
  return blendTable
}

/** 6 scales × 3 channels × (dissimilar, added, lost, and the same in fourth powers), doubles, not divided by the pixels. */
export function sumsAddress(): usize {
  return sums
}

/** Starts an image from its first row: 0 the original, 1 one to compare with it. */
export function start(stream: i32): void {
  clearStream(stream)
}

/**
 * Takes the next rows of an image from the input: `step` bytes per pixel (3 or 4); `background` is the grey (0…255)
 * that RGBA pixels lie on, −1 if they are opaque.
 */
export function push(stream: i32, rows: i32, step: i32, background: i32): void {
  const width = scaleAt(0).width
  const stage = stageAt(stream, 0)
  let from = input
  for (let row = 0; row < rows; row++, from += <usize>(width * step)) {
    const to = linearSlot(stream, 0, stage.received)
    if (background < 0) linearRow(from, step, to, stage.linearBytes, width)
    else blendedRow(from, background, to, stage.linearBytes, width)
    receive(stream, 0)
  }
}

function linearSlot(stream: i32, scale: i32, y: i32): usize {
  const stage = stageAt(stream, scale)
  return stage.linear + <usize>((y & 1) * CHANNELS * stage.linearBytes)
}

/** Works off the linear row that has just been written to its slot, and all that it completes at the smaller scales. */
function receive(stream: i32, s: i32): void {
  const scale = scaleAt(s)
  const stage = stageAt(stream, s)
  const y = stage.received++
  const last = y == scale.height - 1
  const linear = linearSlot(stream, s, y)
  convert(stream, s, y, linear)
  for (let c = 0; c < CHANNELS; c++) {
    if (channelAt(stream, s, c).rows == 0) continue
    blurRow(stream, s, c, y)
    if (last) for (let below = 1; below <= RADIUS; below++) blurNothing(stream, s, c, y + below)
  }
  if (s + 1 == depth || !((y & 1) == 1 || last)) return
  const upper = linearSlot(stream, s, y & ~1)
  const half = linearSlot(stream, s + 1, stageAt(stream, s + 1).received)
  halve(upper, linear, stage.linearBytes, half, stageAt(stream, s + 1).linearBytes, scale)
  receive(stream, s + 1)
}

function xybAddress(stream: i32, s: i32, c: i32, y: i32): usize {
  const channel = channelAt(stream, s, c)
  if (channel.rows == 0) return 0
  return channel.rows + <usize>(y % channel.rowCount) * <usize>scaleAt(s).pitch
}

function convert(stream: i32, s: i32, y: i32, linear: usize): void {
  const scale = scaleAt(s)
  const x = xybAddress(stream, s, 0, y)
  const luma = xybAddress(stream, s, 1, y)
  const b = xybAddress(stream, s, 2, y)
  if ((x | luma | b) == 0) return
  xybRow(linear, stageAt(stream, s).linearBytes, x, luma, b, scale.stride)
  if (x != 0) clearMargins(x, scale.width, scale.stride)
  if (luma != 0) clearMargins(luma, scale.width, scale.stride)
  if (b != 0) clearMargins(b, scale.width, scale.stride)
}

/** Squares of a padded row, padding included. */
function squareRow(a: usize, to: usize, pitch: usize): void {
  for (let x: usize = 0; x < pitch; x += LANE_BYTES) {
    const value = get(a - PADDING_BYTES + x)
    put(to - PADDING_BYTES + x, mul(value, value))
  }
}

/** Differences of two padded rows, padding included. */
function subtractRow(a: usize, b: usize, to: usize, pitch: usize): void {
  for (let x: usize = 0; x < pitch; x += LANE_BYTES) {
    put(to - PADDING_BYTES + x, sub(get(a - PADDING_BYTES + x), get(b - PADDING_BYTES + x)))
  }
}

/** Blurs row `y` horizontally and finishes the row whose vertical blur it completes. */
function blurRow(stream: i32, s: i32, c: i32, y: i32): void {
  const scale = scaleAt(s)
  const channel = channelAt(stream, s, c)
  const values = xybAddress(stream, s, c, y)
  const to = channel.blurred + <usize>((y % TAPS) * channel.blurredBytes)
  squareRow(values, squares, scale.pitch)
  if (stream == REFERENCE) {
    blurTwoRows(values, squares, to, scale.stride)
  } else {
    subtractRow(xybAddress(REFERENCE, s, c, y), values, differences, scale.pitch)
    squareRow(differences, squaredDifferences, scale.pitch)
    blurThreeRows(squares, differences, squaredDifferences, to, scale.stride)
  }
  clearTail(to, scale.width, scale.stride, quantities(stream))
  finishRow(stream, s, c, y - RADIUS)
}

/** The same for a row below the image, where everything is zero. */
function blurNothing(stream: i32, s: i32, c: i32, y: i32): void {
  const channel = channelAt(stream, s, c)
  memory.fill(channel.blurred + <usize>((y % TAPS) * channel.blurredBytes), 0, channel.blurredBytes)
  finishRow(stream, s, c, y - RADIUS)
}

const compared = changetype<Rows>(memory.data(offsetof<Rows>(), 16))

function finishRow(stream: i32, s: i32, c: i32, y: i32): void {
  if (y < 0) return
  const scale = scaleAt(s)
  const planes = planesAt(s, c)
  const offset = <usize>(y % scale.planeRows) * ((<usize>scale.stride) << 2)
  if (stream == REFERENCE) {
    keepRow(channelAt(stream, s, c), y, planes.mu + offset, planes.sigma + offset, scale.stride)
    return
  }
  compared.original = xybAddress(REFERENCE, s, c, y)
  compared.distorted = xybAddress(stream, s, c, y)
  compared.mu = planes.mu + offset
  compared.sigma = planes.sigma + offset
  judgeRow(channelAt(stream, s, c), planes, y, compared, scale.stride)
}

/** Averages 2×2 pixels of two linear rows; a last odd column or row counts twice. */
function halve(upper: usize, lower: usize, rowBytes: i32, to: usize, toBytes: i32, scale: Scale): void {
  const width = scale.width
  const bytes = (<usize>((width + 1) / 2)) << 2
  for (let c = 0; c < CHANNELS; c++) {
    const a = upper + <usize>(c * rowBytes)
    const b = lower + <usize>(c * rowBytes)
    if (width & 1) {
      const column = (<usize>width) << 2
      store<f32>(a + column, load<f32>(a + column - 4))
      store<f32>(b + column, load<f32>(b + column - 4))
    }
    const half = to + <usize>(c * toBytes)
    for (let x: usize = 0; x < bytes; x += LANE_BYTES) {
      const left = add(get(a + 2 * x), get(b + 2 * x))
      const right = add(get(a + 2 * x + LANE_BYTES), get(b + 2 * x + LANE_BYTES))
      put(half + x, mul(pairSums(left, right), splat(0.25)))
    }
  }
}
