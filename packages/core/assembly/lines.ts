// Thin faint lines that are wiped out, a chart's grid or a table's rules: what the result has left of their height above both
// sides, in lightness, over 32 pixels along a row or a column.
//
// A line is one or two pixels wide, so that two pixels off to either side there is its ground. It is looked at in pieces of 8
// pixels that begin at a multiple of 8; most are none at their first pixels, and nothing more of them is computed.

import { bytes, differenceRow, height, originalRow, width } from './guards-memory'
import { GONE, keep } from './largest'
import { add, choose, exceeds, get, LANE_BYTES, Lanes, larger, mul, put, smaller, some, splat, sub } from './lanes'
import { isTileTouched, spanCount, spanEnd, spanFirst, spansAt } from './tiles'

/** Pixels from a line to its ground. */
const ASIDE: i32 = 2
/** Pixels of a piece, and pieces of a run. */
const PIECE: i32 = 8
const PIECES: i32 = 4

/** Heights, in lightness and squared, between which a line is faint; two levels of 8 bits are 0.006. */
const FAINTEST: f32 = 0.005 * 0.005
const STRONGEST: f32 = 0.08 * 0.08
/** Height times the lightness of the ground, squared, from which on a line is seen: in the dark, two levels of 8 bits are not. */
const FAINTEST_IN_DARK: f32 = 0.0024 * 0.0024
/** How much the grounds on both sides differ at most, squared, as a share of the squared height. */
const EVEN_SIDES: f32 = 0.25
/** How far the pixels next to a line are from its ground at most, squared, as a share of the same: what is beside a stronger line is its rim. */
const STRONGEST_NEXT: f32 = 2
/** The squared mean of the heights of a piece as a share of their mean square, at least: the heights are alike. */
const EVEN_HEIGHTS: f32 = 0.8

/** Where the pixels before and after one across a line are, and those of its ground, from it. */
let before: usize = 0
let after: usize = 0
let farBefore: usize = 0
let farAfter: usize = 0
/** Of columns: whether a piece is a line so far, its summed height, squared height, and height times the error's. */
let alive: usize = 0
let sums: usize = 0
let squares: usize = 0
let products: usize = 0
/** Rolling rows of the last pieces of columns: squared heights, zero where there is no line, and products. */
let lastSquares: usize = 0
let lastProducts: usize = 0
/** The same of the last pieces of a row. */
const roomOfRow: usize = memory.data(2 * 4 * 4, 16)

/** Lays out memory from an address on; returns where it ends. */
export function layoutLines(from: u64): u64 {
  alive = <usize>from
  sums = alive + bytes
  squares = sums + bytes
  products = squares + bytes
  lastSquares = products + bytes
  lastProducts = lastSquares + PIECES * bytes
  return <u64>(lastProducts + PIECES * bytes + 63) & ~63
}

export function startLines(): void {
  memory.fill(alive, 0, (4 + 2 * PIECES) * bytes)
}

/** Judges row `y`, two rows above the newest. */
export function linesRow(y: i32): void {
  if (y >= ASIDE && y < height - ASIDE) alongRow(y)
  alongColumns(y)
}

/** Makes lines along a row be looked for, by where the rows around it are from it. */
function lookAcross(y: i32): void {
  const at = originalRow(0, y)
  farBefore = originalRow(0, y - ASIDE) - at
  before = originalRow(0, y - 1) - at
  after = originalRow(0, y + 1) - at
  farAfter = originalRow(0, y + ASIDE) - at
}

/** The same along columns. */
function lookAlong(): void {
  farBefore = -(<usize>ASIDE << 2)
  before = -4
  after = 4
  farAfter = <usize>ASIDE << 2
}

@inline
function heightOf(at: usize, first: usize, last: usize): Lanes {
  return sub(get(at), mul(add(get(first), get(last)), splat(0.5)))
}

/** One where pixels may be of a faint line, else zero. */
@inline
function lineness(at: usize): Lanes {
  const zero = splat(0)
  const first = get(at + farBefore)
  const last = get(at + farAfter)
  const ground = mul(add(first, last), splat(0.5))
  const high = sub(get(at), ground)
  const square = mul(high, high)
  let one = choose(exceeds(splat(FAINTEST), square), zero, splat(1))
  one = choose(exceeds(square, splat(STRONGEST)), zero, one)
  one = choose(exceeds(splat(FAINTEST_IN_DARK), mul(square, mul(ground, ground))), zero, one)
  if (!some(exceeds(one, zero))) return zero
  const sides = sub(first, last)
  const previous = sub(get(at + before), ground)
  const next = sub(get(at + after), ground)
  one = choose(exceeds(mul(sides, sides), mul(square, splat(EVEN_SIDES))), zero, one)
  const strongest = larger(mul(previous, previous), mul(next, next))
  return choose(exceeds(strongest, mul(square, splat(STRONGEST_NEXT))), zero, one)
}

function alongRow(y: i32): void {
  lookAcross(y)
  const spans = spansAt(y)
  const count = spanCount(y)
  for (let span = 0; span < count; span++) {
    const end = min(spanEnd(spans, span), width)
    let pieces = 0
    for (let x = (spanFirst(spans, span) + PIECE - 1) & -PIECE; x + PIECE <= end; x += PIECE) {
      pieces = isPiece(y, x) && isTouched(x, y) && takePiece(y, x, pieces) ? pieces + 1 : 0
      if (pieces >= PIECES) keep(GONE, lostOf(roomOfRow, roomOfRow + 16, 4), x + PIECE - PIECES * PIECE, y)
    }
  }
}

/** Whether the result may have another piece of a row there: two tiles. */
@inline
function isTouched(x: i32, y: i32): bool {
  return isTileTouched(x, y) || isTileTouched(x + PIECE / 2, y)
}

function isPiece(y: i32, from: i32): bool {
  const at = originalRow(0, y)
  const end = at + ((<usize>(from + PIECE)) << 2)
  for (let x = at + ((<usize>from) << 2); x < end; x += LANE_BYTES) {
    if (some(exceeds(splat(0.5), lineness(x)))) return false
  }
  return true
}

/** Sums up a piece of a row; returns whether its heights are alike and the result has other ones. */
function takePiece(y: i32, from: i32, pieces: i32): bool {
  const x = (<usize>from) << 2
  const at = originalRow(0, y) + x
  const above = originalRow(0, y - ASIDE) + x
  const below = originalRow(0, y + ASIDE) + x
  const error = differenceRow(y) + x
  const errorAbove = differenceRow(y - ASIDE) + x
  const errorBelow = differenceRow(y + ASIDE) + x
  let sum: f32 = 0
  let square: f32 = 0
  let product: f32 = 0
  for (let i: usize = 0; i < <usize>PIECE << 2; i += 4) {
    const high = load<f32>(at + i) - (load<f32>(above + i) + load<f32>(below + i)) * 0.5
    sum += high
    square += high * high
    product += high * (load<f32>(error + i) - (load<f32>(errorAbove + i) + load<f32>(errorBelow + i)) * 0.5)
  }
  const slot = roomOfRow + (<usize>(pieces & (PIECES - 1)) << 2)
  store<f32>(slot, square)
  store<f32>(slot, product, 16)
  return isLine(sum, square, product)
}

@inline
function isLine(sum: f32, square: f32, product: f32): bool {
  return product != 0 && sum * sum >= square * (EVEN_HEIGHTS * <f32>PIECE)
}

/** The share of a line's height that is lost over the last pieces. */
function lostOf(squaresAt: usize, productsAt: usize, step: usize): f64 {
  let square: f64 = 0
  let product: f64 = 0
  for (let piece = 0; piece < PIECES; piece++) {
    const slot = <usize>piece * step
    const one = load<f32>(squaresAt + slot)
    if (one == 0) return 0
    square += <f64>one
    product += <f64>load<f32>(productsAt + slot)
  }
  return -product / square
}

function alongColumns(y: i32): void {
  if ((y & (PIECE - 1)) == 0) startPieces()
  lookAlong()
  const spans = spansAt(y)
  const count = spanCount(y)
  const at = originalRow(0, y)
  const error = differenceRow(y)
  const aside = <usize>ASIDE << 2
  for (let span = 0; span < count; span++) {
    const end = (<usize>spanEnd(spans, span)) << 2
    for (let x = (<usize>spanFirst(spans, span)) << 2; x < end; x += LANE_BYTES) {
      if (!some(exceeds(get(alive + x), splat(0)))) continue
      const high = heightOf(at + x, at + x - aside, at + x + aside)
      put(alive + x, smaller(get(alive + x), lineness(at + x)))
      put(sums + x, add(get(sums + x), high))
      put(squares + x, add(get(squares + x), mul(high, high)))
      const lost = heightOf(error + x, error + x - aside, error + x + aside)
      put(products + x, add(get(products + x), mul(high, lost)))
    }
  }
  if ((y & (PIECE - 1)) == PIECE - 1) endPieces(y)
}

function startPieces(): void {
  memory.fill(sums, 0, 3 * bytes)
  for (let x: usize = 0; x < bytes; x += LANE_BYTES) put(alive + x, splat(1))
}

/** Takes over the pieces that end with row `y`, and judges the runs that they complete. */
function endPieces(y: i32): void {
  const row = <usize>((y / PIECE) & (PIECES - 1)) * bytes
  memory.fill(lastSquares + row, 0, bytes)
  const top = y + 1 - PIECE
  const spans = spansAt(y)
  const count = spanCount(y)
  for (let span = 0; span < count; span++) {
    const end = min(spanEnd(spans, span), width - ASIDE)
    for (let x = max(spanFirst(spans, span), ASIDE); x < end; x++) {
      const at = <usize>x << 2
      const square = load<f32>(squares + at)
      const product = load<f32>(products + at)
      if (load<f32>(alive + at) == 0 || !isLine(load<f32>(sums + at), square, product) || !(isTileTouched(x, top) || isTileTouched(x, y))) continue
      store<f32>(lastSquares + row + at, square)
      store<f32>(lastProducts + row + at, product)
      keep(GONE, lostOf(lastSquares + at, lastProducts + at, bytes), x, y + 1 - PIECES * PIECE)
    }
  }
}
