// Antialiasing that is lost, relative to the contrast around it: edges that became staircases.
//
// Judged are transition pixels, whose value lies between the extremes of the 5×5 pixels around. An edge is as wide in 3×3
// pixels already, a gradient is not. Windows are of 16×16 pixels, eight apart.

import { blurredRow, bytes, differenceRow, height, originalRow, PADDING_BYTES, pitch, width } from './guards-memory'
import { COLOURS, JAG, keep } from './largest'
import {
  add,
  both,
  choose,
  div,
  exceeds,
  get,
  LANE_BYTES,
  LANES,
  Lanes,
  larger,
  mul,
  put,
  root,
  smaller,
  some,
  splat,
  sub,
} from './lanes'

import { clearStrips, columns, completes, lastTop, Strips, stripsAt, turn } from './strips'
import { enterWindows, isTileTouched, isWindowTouched, spanCount, spanEnd, spanFirst, spansAt } from './tiles'

/** Side of a window, and the step from one to the next, in pixels. */
const WINDOW: i32 = 16
const STEP: i32 = 8

/** Quantities per pixel: the share that is lost, squared; the antialiasing there was; the squared difference at edges. */
const QUANTITIES: usize = 3

/** The least contrast that counts, squared, and the contrast, in OKLab, at which a lost share counts half. */
const LEAST_CONTRAST: f32 = 0.025 * 0.025
const FAINT: f32 = 0.06
/** The least distance of a transition pixel from either extreme, as a share of what lies between them. */
const LEAST_SHARE: f32 = 0.1
/** Contrast of 3×3 pixels as a share of that of 5×5 above which there is an edge, and over what range it begins to be one. */
const EDGE: f32 = 0.55
const EDGE_RANGE: f32 = 0.25
/** Half of the contrast lost is all of the antialiasing lost. */
const MOST_LOST: f32 = 0.5
/** Antialiasing, in squared shares, that a window is taken to have besides its own: a few pixels are no edge. */
const FEW: f64 = 2.5

/** The least shift of hue and saturation, in OKLab and squared, of an area of one colour that is looked at. */
const LEAST_SHIFT: f32 = 0.008 * 0.008
const roomOfShifts: usize = memory.data(16, 16)
let mostShift: f32 = 0

const room: usize = memory.data(offsetof<Strips>(), 16)
/** The largest and the smallest of five rows, of each channel. */
let extremes: usize = 0

/** Lays out memory from an address on; returns where it ends. */
export function layoutJag(from: u64): u64 {
  const strips = stripsAt(room)
  const size = <u64>(bytes * QUANTITIES)
  extremes = <usize>from + PADDING_BYTES
  const first = (from + 6 * <u64>pitch + 63) & ~63
  strips.now = <usize>first
  strips.before = <usize>(first + size)
  strips.last = <usize>(first + 2 * size)
  strips.size = <usize>size
  strips.step = STEP
  return first + 3 * size
}

/** `withSpots`: whether the colours of small areas are looked at as well. */
export function startJag(withSpots: bool): void {
  mostShift = withSpots ? LEAST_SHIFT : <f32>Infinity
  clearStrips(stripsAt(room))
  // The tail of a row, beyond the width, must hold numbers.
  memory.fill(extremes - PADDING_BYTES, 0, 6 * pitch)
}

/** Adds row `y`, once the two rows below it are there or there are none, and judges the windows that it completes. */
export function jagRow(y: i32): void {
  const strips = stripsAt(room)
  const top = lastTop(strips, height)
  const spans = spansAt(y)
  const count = spanCount(y)
  for (let span = 0; span < count; span++) {
    const first = (<usize>spanFirst(spans, span)) << 2
    const end = (<usize>spanEnd(spans, span)) << 2
    for (let c = 0; c < 3; c++) findExtremes(c, y, first, end)
  }
  for (let row = 0; row < 6; row++) repeatEnds(extremes + row * pitch)
  for (let span = 0; span < count; span++) {
    const first = (<usize>spanFirst(spans, span)) << 2
    const end = (<usize>spanEnd(spans, span)) << 2
    addSpan(y, first, end, strips.now, y < top ? 0 : strips.last)
  }
  if (completes(strips, y, height)) judge(strips.before, y + 1 - WINDOW, WINDOW)
  turn(strips, y)
  if (y == height - 1) judge(strips.last, top, height - top)
}

/** The extremes of the rows from two above to two below, of the pixels of a stretch. */
@inline
function findExtremes(c: i32, y: i32, first: usize, end: usize): void {
  const r0 = originalRow(c, max(y - 2, 0))
  const r1 = originalRow(c, max(y - 1, 0))
  const r2 = originalRow(c, y)
  const r3 = originalRow(c, min(y + 1, height - 1))
  const r4 = originalRow(c, min(y + 2, height - 1))
  const most = extremes + c * pitch
  const least = most + 3 * pitch
  for (let x = first; x < end; x += LANE_BYTES) {
    const a = get(r0 + x)
    const b = get(r1 + x)
    const d = get(r2 + x)
    const e = get(r3 + x)
    const f = get(r4 + x)
    put(most + x, larger(larger(larger(a, b), larger(e, f)), d))
    put(least + x, smaller(smaller(smaller(a, b), smaller(e, f)), d))
  }
}

/** Two pixels more on either side of a row, as those at its ends. */
function repeatEnds(row: usize): void {
  const first = load<f32>(row)
  store<f32>(row - 4, first)
  store<f32>(row - 8, first)
  const tail = row + (<usize>width << 2)
  const last = load<f32>(tail - 4)
  store<f32>(tail, last)
  store<f32>(tail, last, 4)
}

@inline
function most5(at: usize): Lanes {
  const outer = larger(get(at - 8), get(at + 8))
  return larger(larger(outer, get(at)), larger(get(at - 4), get(at + 4)))
}

@inline
function least5(at: usize): Lanes {
  const outer = smaller(get(at - 8), get(at + 8))
  return smaller(smaller(outer, get(at)), smaller(get(at - 4), get(at + 4)))
}

/** What the 3×3 pixels around `at` span, whose rows above and below are given by how far they are. */
@inline
function span3(above: usize, at: usize, below: usize): Lanes {
  const most = larger(larger(most3(above), most3(below)), most3(at))
  const least = smaller(smaller(least3(above), least3(below)), least3(at))
  return sub(most, least)
}

@inline
function most3(at: usize): Lanes {
  return larger(larger(get(at - 4), get(at + 4)), get(at))
}

@inline
function least3(at: usize): Lanes {
  return smaller(smaller(get(at - 4), get(at + 4)), get(at))
}

/** Adds the pixels of a stretch to one or, where `second` is not zero, two rows of sums. */
function addSpan(y: i32, first: usize, end: usize, to: usize, second: usize): void {
  const difference = differenceRow(y)
  const up = max(y - 1, 0)
  const down = min(y + 1, height - 1)
  for (let x = first; x < end; x += LANE_BYTES) {
    const at = extremes + x
    const leastL = least5(at + 3 * pitch)
    const leastA = least5(at + 4 * pitch)
    const leastB = least5(at + 5 * pitch)
    const l = sub(most5(at), leastL)
    const a = sub(most5(at + pitch), leastA)
    const b = sub(most5(at + 2 * pitch), leastB)
    const square = add(add(mul(l, l), mul(a, a)), mul(b, b))
    const contrasts = exceeds(square, splat(LEAST_CONTRAST))
    const shiftA = get(blurredRow(4, y) + x)
    const shiftB = get(blurredRow(5, y) + x)
    const shift = choose(contrasts, splat(0), add(mul(shiftA, shiftA), mul(shiftB, shiftB)))
    if (some(exceeds(shift, splat(mostShift)))) takeShifts(shift, x, y)
    if (!some(contrasts)) continue
    const isA = exceeds(a, l)
    const most = larger(a, l)
    const isB = exceeds(b, most)
    const range = larger(b, most)
    const here = choose(isB, get(originalRow(2, y) + x), choose(isA, get(originalRow(1, y) + x), get(originalRow(0, y) + x)))
    const share = div(sub(here, choose(isB, leastB, choose(isA, leastA, leastL))), range)
    const distance = smaller(share, sub(splat(1), share))
    const between = both(contrasts, exceeds(distance, splat(LEAST_SHARE)))
    if (!some(between)) continue
    const l3 = span3(originalRow(0, up) + x, originalRow(0, y) + x, originalRow(0, down) + x)
    const a3 = span3(originalRow(1, up) + x, originalRow(1, y) + x, originalRow(1, down) + x)
    const b3 = span3(originalRow(2, up) + x, originalRow(2, y) + x, originalRow(2, down) + x)
    const near = div(choose(isB, b3, choose(isA, a3, l3)), range)
    const edge = smaller(splat(1), mul(sub(near, splat(EDGE)), splat(1 / EDGE_RANGE)))
    const counts = both(between, exceeds(edge, splat(0)))
    if (!some(counts)) continue
    const eL = get(difference + x)
    const eA = get(difference + pitch + x)
    const eB = get(difference + 2 * pitch + x)
    const error = add(add(mul(eL, eL), mul(eA, eA)), mul(eB, eB))
    const contrast = root(square)
    const lost = smaller(splat(MOST_LOST), div(root(error), contrast))
    const weight = div(mul(edge, contrast), add(contrast, splat(FAINT)))
    const zero = splat(0)
    const addLost = choose(counts, mul(weight, mul(lost, lost)), zero)
    const addThere = choose(counts, mul(distance, distance), zero)
    const addError = choose(counts, mul(edge, error), zero)
    put(to + x, add(get(to + x), addLost))
    put(to + bytes + x, add(get(to + bytes + x), addThere))
    put(to + 2 * bytes + x, add(get(to + 2 * bytes + x), addError))
    if (second == 0) continue
    put(second + x, add(get(second + x), addLost))
    put(second + bytes + x, add(get(second + bytes + x), addThere))
    put(second + 2 * bytes + x, add(get(second + 2 * bytes + x), addError))
  }
}

/** Keeps the largest of the shifts of some pixels, squared, if these are pixels of the picture and of what was computed. */
function takeShifts(shifts: Lanes, x: usize, y: i32): void {
  put(roomOfShifts, shifts)
  const first = <i32>(x >> 2)
  for (let lane = 0; lane < LANES && first + lane < width; lane++) {
    const shift = load<f32>(roomOfShifts + (<usize>lane << 2))
    if (!(shift > mostShift) || !isTileTouched(first + lane, y)) continue
    mostShift = shift
    keep(COLOURS, <f64>shift, first + lane, y)
  }
}

function judge(sums: usize, y: i32, high: i32): void {
  if (!enterWindows(y, high)) return
  const wide = min(width, WINDOW)
  let x = 0
  for (; x + wide < width; x += STEP) if (isWindowTouched(x, wide)) judgeWindow(sums, x, y, wide, high)
  if (isWindowTouched(width - wide, wide)) judgeWindow(sums, width - wide, y, wide, high)
}

/** The sixth power of the measure, for which no root is needed. */
function judgeWindow(sums: usize, x: i32, y: i32, wide: i32, high: i32): void {
  const at = sums + (<usize>x << 2)
  const error = columns(at + 2 * bytes, wide) / <f64>(wide * high)
  if (error == 0) return
  const lost = columns(at, wide) / (columns(at + bytes, wide) + FEW)
  keep(JAG, error * error * lost, x, y)
}
