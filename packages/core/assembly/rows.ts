// One row of linear light on its way: to XYB, through both passes of the blur, to what it is for. The original's is kept,
// the distorted image's is judged where it differs.

import { RADIUS } from './alike'
import { blurThreeRows, blurTwoRows, clearTail } from './blur'
import { ALL, allDone, endCell, extentOf, firstCell, forgetDone, markNone, NONE, spansOfRow, spansToBlur, spansToJudge } from './changes'
import { clearMargins, xybRow } from './colour'
import { get, LANE_BYTES, mul, put, sub } from './lanes'
import {
  blurRow,
  CELL_BYTES,
  channelAt,
  CHANNELS,
  differences,
  DISTORTED,
  heldShare,
  holdsBlurs,
  judgedSpans,
  PADDING_BYTES,
  planeRow,
  planesAt,
  quantities,
  REFERENCE,
  rowSpans,
  Scale,
  scaleAt,
  squaredDifferences,
  squares,
  stageAt,
  TAPS,
} from './layout'
import { judgeRow, keepRow, Rows } from './maps'
import { isJudged, isNeeded, isSampled } from './sample'

/** Works off row `y` of the original and the row whose blur it completes. */
export function keep(s: i32, y: i32, linear: usize, isLast: bool): void {
  const scale = scaleAt(s)
  // What holds all rows holds them whatever is judged first.
  const isHeld = (holdsBlurs && heldShare == 1) || isNeeded(s, y)
  if (isHeld) {
    convert(REFERENCE, s, y, linear, 0, scale.cells)
    clearRowMargins(REFERENCE, s, y)
  }
  if (!holdsBlurs) return
  for (let c = 0; c < CHANNELS; c++) {
    const channel = channelAt(REFERENCE, s, c)
    if (channel.rows == 0) continue
    if (isHeld) blurOriginal(s, c, y, 0, scale.cells)
    finish(s, c, y - RADIUS)
    if (!isLast) continue
    for (let below = 1; below <= RADIUS; below++) {
      clearBlurred(REFERENCE, s, c, y + below)
      finish(s, c, y + below - RADIUS)
    }
  }
}

/** Blurs cells of row `y` of the original horizontally. */
function blurOriginal(s: i32, c: i32, y: i32, first: i32, end: i32): void {
  const scale = scaleAt(s)
  const channel = channelAt(REFERENCE, s, c)
  const values = storedAddress(REFERENCE, s, c, y)
  const to = channel.blurred + <usize>((y % TAPS) * channel.blurredBytes)
  const from = <usize>first * CELL_BYTES
  const bytes = <usize>end * CELL_BYTES - from
  squareRow(values + from, squares + from, bytes)
  blurTwoRows(values + from, squares + from, to + 2 * from, bytes)
  if (end == scale.cells) clearTail(to, scale.width, scale.stride, quantities(REFERENCE))
}

function finish(s: i32, c: i32, y: i32): void {
  if (y < 0 || (heldShare > 1 && !isSampled(s, y))) return
  const scale = scaleAt(s)
  const planes = planesAt(s, c)
  const offset = blurOffset(scale, s, y)
  keepRow(channelAt(REFERENCE, s, c), y, planes.mu + offset, planes.sigma + offset, 0, scale.cells)
}

@inline
function blurOffset(scale: Scale, s: i32, y: i32): usize {
  return <usize>blurRow(s, y) * ((<usize>scale.stride) << 2)
}

/** Works off row `y` of the distorted image, whose changed cells are marked, and judges the row whose blur it completes. */
export function compare(s: i32, y: i32, linear: usize, isLast: bool): void {
  const scale = scaleAt(s)
  forgetDone(scale, y)
  const extent = isNeeded(s, y) ? extentOf(scale, y) : NONE
  if (extent == ALL) {
    convert(DISTORTED, s, y, linear, 0, scale.cells)
    clearRowMargins(DISTORTED, s, y)
  } else if (extent != NONE) {
    copyRow(s, y)
    const spans = spansOfRow(scale, y)
    for (let span = 0; span < spans; span++) {
      convert(DISTORTED, s, y, linear, firstCell(rowSpans, span), endCell(rowSpans, span))
    }
    clearRowMargins(DISTORTED, s, y)
  }
  judge(s, y - RADIUS)
  if (!isLast) return
  for (let below = 1; below <= RADIUS; below++) {
    markNone(scale, y + below)
    allDone(scale, y + below)
    for (let c = 0; c < CHANNELS; c++) {
      clearBlurred(DISTORTED, s, c, y + below)
      if (!holdsBlurs) clearBlurred(REFERENCE, s, c, y + below)
    }
    judge(s, y + below - RADIUS)
  }
}

const compared = changetype<Rows>(memory.data(offsetof<Rows>(), 16))

function judge(s: i32, y: i32): void {
  if (y < 0 || !isJudged(s, y)) return
  const scale = scaleAt(s)
  const spans = spansToJudge(scale, y)
  if (spans == 0) return
  const end = min(y + RADIUS, stageAt(DISTORTED, s).received - 1)
  for (let row = max(y - RADIUS, 0); row <= end; row++) {
    const missing = spansToBlur(scale, row, spans)
    if (missing > 0) for (let c = 0; c < CHANNELS; c++) blurAlong(s, c, row, missing)
  }
  const offset = blurOffset(scale, s, y)
  const isInSample = isSampled(s, y)
  for (let c = 0; c < CHANNELS; c++) {
    const channel = channelAt(DISTORTED, s, c)
    if (channel.rows == 0) continue
    const planes = planesAt(s, c)
    if (!holdsBlurs) {
      for (let span = 0; span < spans; span++) {
        const first = firstCell(judgedSpans, span)
        keepRow(channelAt(REFERENCE, s, c), y, planes.mu, planes.sigma, first, endCell(judgedSpans, span))
      }
    }
    compared.original = storedAddress(REFERENCE, s, c, y)
    compared.distorted = distortedAddress(s, c, y)
    compared.mu = planes.mu + offset
    compared.sigma = planes.sigma + offset
    judgeRow(channel, planes, y, compared, spans, isInSample)
  }
}

/** Blurs the first `count` of `rowSpans` of row `y` of the distorted image horizontally. */
function blurAlong(s: i32, c: i32, y: i32, count: i32): void {
  const scale = scaleAt(s)
  const channel = channelAt(DISTORTED, s, c)
  if (channel.rows == 0) return
  const values = distortedAddress(s, c, y)
  const original = storedAddress(REFERENCE, s, c, y)
  const to = channel.blurred + <usize>((y % TAPS) * channel.blurredBytes)
  for (let span = 0; span < count; span++) {
    const first = <usize>firstCell(rowSpans, span) * CELL_BYTES
    const bytes = <usize>endCell(rowSpans, span) * CELL_BYTES - first
    squareRow(values + first, squares + first, bytes)
    subtractRow(original + first, values + first, differences + first, bytes)
    squareRow(differences + first, squaredDifferences + first, bytes)
    blurThreeRows(squares + first, differences + first, squaredDifferences + first, to + 3 * first, bytes)
    if (!holdsBlurs) blurOriginal(s, c, y, firstCell(rowSpans, span), endCell(rowSpans, span))
  }
  clearTail(to, scale.width, scale.stride, quantities(DISTORTED))
}

/** Where an XYB row is, or would be if it were not the original's; zero if the channel counts for nothing here. */
function storedAddress(stream: i32, s: i32, c: i32, y: i32): usize {
  const channel = channelAt(stream, s, c)
  if (channel.rows == 0) return 0
  const scale = scaleAt(s)
  const row = stream == REFERENCE ? planeRow(scale, s, y) : y % channel.rowCount
  return channel.rows + <usize>row * <usize>scale.pitch
}

/** The XYB row of the distorted image: the original's where nothing is changed. */
function distortedAddress(s: i32, c: i32, y: i32): usize {
  return storedAddress(extentOf(scaleAt(s), y) == NONE ? REFERENCE : DISTORTED, s, c, y)
}

/** Cells of a linear row to XYB. */
function convert(stream: i32, s: i32, y: i32, linear: usize, first: i32, end: i32): void {
  const x = storedAddress(stream, s, 0, y)
  const luma = storedAddress(stream, s, 1, y)
  const b = storedAddress(stream, s, 2, y)
  if ((x | luma | b) == 0) return
  const from = <usize>first * CELL_BYTES
  xybRow(linear, stageAt(stream, s).linearBytes, x, luma, b, from, <usize>end * CELL_BYTES)
}

function clearRowMargins(stream: i32, s: i32, y: i32): void {
  const scale = scaleAt(s)
  for (let c = 0; c < CHANNELS; c++) {
    const row = storedAddress(stream, s, c, y)
    if (row != 0) clearMargins(row, scale.width, scale.stride)
  }
}

/** Takes the original's XYB row for the distorted image's, of which a part is changed. */
function copyRow(s: i32, y: i32): void {
  for (let c = 0; c < CHANNELS; c++) {
    const row = storedAddress(DISTORTED, s, c, y)
    if (row != 0) memory.copy(row, storedAddress(REFERENCE, s, c, y), (<usize>scaleAt(s).stride) << 2)
  }
}

/** A row above or below the image: zero. */
function clearBlurred(stream: i32, s: i32, c: i32, y: i32): void {
  const channel = channelAt(stream, s, c)
  if (channel.rows == 0) return
  memory.fill(channel.blurred + <usize>((y % TAPS) * channel.blurredBytes), 0, channel.blurredBytes)
}

/** Squares of `bytes` of a padded row and of the padding, or what is beside them, that the blur reads. */
function squareRow(a: usize, to: usize, bytes: usize): void {
  const end = bytes + 2 * PADDING_BYTES
  for (let x: usize = 0; x < end; x += LANE_BYTES) {
    const value = get(a - PADDING_BYTES + x)
    put(to - PADDING_BYTES + x, mul(value, value))
  }
}

/** Differences of `bytes` of two padded rows, and beside them as above. */
function subtractRow(a: usize, b: usize, to: usize, bytes: usize): void {
  const end = bytes + 2 * PADDING_BYTES
  for (let x: usize = 0; x < end; x += LANE_BYTES) {
    put(to - PADDING_BYTES + x, sub(get(a - PADDING_BYTES + x), get(b - PADDING_BYTES + x)))
  }
}
