// Where two pictures differ, in tiles of 4×4 pixels: windows that no difference reaches measure exactly zero, and what only
// they would need is not computed.

import { CELL, cellDiffers, restDiffers } from './alike'

/** Rows of tiles whose stretches are kept; a row's work is done up to four rows, of two rows of tiles, after its arrival. */
const KEPT_ROWS: i32 = 4
/** Stretches are joined where so few tiles are between them. */
const GAP: i32 = 2

let width: i32 = 0
let columns: i32 = 0
let rows: i32 = 0
/** Bytes from one row of a map to the next: eight more than are ever written, and these are zero. */
let pitch: usize = 0
let mapBytes: usize = 0
/** Maps, a byte per tile: what differs, where a quantity may be other than zero, what has to be computed, and a spare one. */
let changed: usize = 0
let touched: usize = 0
let needed: usize = 0
let spare: usize = 0
/** Stretches of columns to compute, the first and the one after the last, and their number, of `KEPT_ROWS` rows of tiles. */
let spans: usize = 0
let spanCounts: usize = 0
/** Of one row of tiles those that differ. */
let changedSpans: usize = 0
let changedCount: i32 = 0
/** A row of a map: tiles touched in any row of a row of windows. */
let touchedNearby: usize = 0
let isCompared: bool = false

@inline
function aligned(bytes: u64): u64 {
  return (bytes + 63) & ~63
}

/** Lays out the maps from an address on, none if pictures are taken to differ everywhere. Returns where they end. */
export function layoutTiles(from: u64, wide: i32, high: i32, compares: bool): u64 {
  isCompared = compares
  width = wide
  columns = (wide + CELL - 1) / CELL
  rows = (high + CELL - 1) / CELL
  const spanBytes = aligned(<u64>(columns + 1) * 8)
  spans = <usize>from
  changedSpans = <usize>(from + KEPT_ROWS * spanBytes)
  spanCounts = <usize>(from + (KEPT_ROWS + 1) * spanBytes)
  let end = from + (KEPT_ROWS + 1) * spanBytes + 64
  if (!compares) return end
  pitch = <usize>(((columns + 7) & ~7) + 8)
  touchedNearby = <usize>end
  end += aligned(pitch)
  // A row above and one below, and eight bytes before the first.
  const bytes = aligned(<u64>(rows + 2) * pitch + 8)
  mapBytes = <usize>bytes
  changed = <usize>end + pitch + 8
  touched = changed + mapBytes
  needed = touched + mapBytes
  spare = needed + mapBytes
  return end + 4 * bytes
}

/** Starts a pair of pictures. */
export function clearTiles(): void {
  if (isCompared) memory.fill(changed - pitch - 8, 0, 4 * mapBytes)
}

/** Marks what differs in row `y` of two pictures of `step` bytes per pixel. */
export function markTiles(y: i32, a: usize, b: usize, step: i32, isBlended: bool): void {
  const marks = changed + <usize>(y / CELL) * pitch
  const full = width / CELL
  for (let column = 0; column < full; column++, a += <usize>(CELL * step), b += <usize>(CELL * step)) {
    const at = marks + <usize>column
    store<u8>(at, load<u8>(at) | <u8>cellDiffers(a, b, step, isBlended))
  }
  if (full == columns) return
  const at = marks + <usize>full
  store<u8>(at, load<u8>(at) | <u8>restDiffers(a, b, width - full * CELL, step, isBlended))
}

/** Takes over a map's tiles and those around each. */
function widen(from: usize, to: usize): void {
  for (let row = 0; row < rows; row++) {
    const at = from + <usize>row * pitch
    const put = to + <usize>row * pitch
    for (let x: usize = 0; x < pitch - 8; x += 8) {
      let tiles: u64 = 0
      for (let line = at + x - pitch; line <= at + x + pitch; line += pitch) {
        tiles |= load<u64>(line) | load<u64>(line - 1) | load<u64>(line + 1)
      }
      store<u64>(put + x, tiles)
    }
  }
}

/**
 * Works out, once all rows are marked, what has to be computed: gradients of the blurred difference reach two pixels beyond
 * what differs, `reach` tiles further are the windows that touch these, and what those look at around them.
 */
export function settleTiles(reach: i32): void {
  widen(changed, touched)
  let from = touched
  for (let i = 0; i < reach; i++) {
    widen(from, spare)
    from = spare
    spare = needed
    needed = from
  }
}

/** Whether a tile of some rows of pixels has to be computed. */
export function needsTiles(y: i32, high: i32): bool {
  if (!isCompared) return true
  let tiles: u64 = 0
  const end = needed + <usize>((y + high - 1) / CELL) * pitch + pitch - 8
  for (let at = needed + <usize>(y / CELL) * pitch; at < end; at += 8) tiles |= load<u64>(at)
  return tiles != 0
}

@inline
function putSpan(to: usize, span: i32, first: i32, end: i32): void {
  store<i32>(to + ((<usize>span) << 3), first)
  store<i32>(to + ((<usize>span) << 3), end, 4)
}

/** Puts the stretches of a row of a map to an address; returns how many. */
function spansOf(marks: usize, gap: i32, to: usize): i32 {
  let count = 0
  let column = 0
  while (column < columns) {
    if ((column & 7) == 0 && load<u64>(marks + <usize>column) == 0) {
      column += 8
      continue
    }
    const first = column
    while (column < columns && load<u8>(marks + <usize>column) != 0) column++
    if (first == column) {
      column++
      continue
    }
    const before = to + ((<usize>(count - 1)) << 3)
    if (count > 0 && first <= load<i32>(before, 4) + gap) store<i32>(before, column, 4)
    else putSpan(to, count++, first, column)
  }
  return count
}

@inline
function keptSpans(row: i32): usize {
  return spans + <usize>(row & (KEPT_ROWS - 1)) * <usize>aligned(<u64>(columns + 1) * 8)
}

/** Makes ready for row `y` of pixels, the next. */
export function enterRow(y: i32): void {
  if (y % CELL != 0) return
  const row = y / CELL
  let count = 1
  if (isCompared) {
    count = spansOf(needed + <usize>row * pitch, GAP, keptSpans(row))
    changedCount = spansOf(changed + <usize>row * pitch, 0, changedSpans)
  } else {
    putSpan(keptSpans(row), 0, 0, columns)
    putSpan(changedSpans, 0, 0, columns)
    changedCount = 1
  }
  store<i32>(spanCounts + ((<usize>(row & (KEPT_ROWS - 1))) << 2), count)
}

/** The stretches to compute of row `y` of pixels, the newest or one up to eight above it. */
@inline
export function spansAt(y: i32): usize {
  return keptSpans(y / CELL)
}

@inline
export function spanCount(y: i32): i32 {
  return load<i32>(spanCounts + ((<usize>((y / CELL) & (KEPT_ROWS - 1))) << 2))
}

/** The stretches of the newest row in which the pictures differ. */
@inline
export function changedSpansHere(): usize {
  return changedSpans
}

@inline
export function changedSpanCount(): i32 {
  return changedCount
}

/** Where a stretch begins and ends, in pixels; the end may lie up to three beyond the width. */
@inline
export function spanFirst(at: usize, span: i32): i32 {
  return load<i32>(at + ((<usize>span) << 3)) * CELL
}

@inline
export function spanEnd(at: usize, span: i32): i32 {
  return load<i32>(at + ((<usize>span) << 3), 4) * CELL
}

/** Makes ready for the windows of `high` rows from row `y` on; returns whether any of them may measure something. */
export function enterWindows(y: i32, high: i32): bool {
  if (!isCompared) return true
  let any: u64 = 0
  for (let x: usize = 0; x < pitch - 8; x += 8) {
    let tiles: u64 = 0
    for (let row = y / CELL; row <= (y + high - 1) / CELL; row++) tiles |= load<u64>(touched + <usize>row * pitch + x)
    store<u64>(touchedNearby + x, tiles)
    any |= tiles
  }
  return any != 0
}

/** Whether a pixel may have a difference, blurred, other than zero. */
@inline
export function isTileTouched(x: i32, y: i32): bool {
  return !isCompared || load<u8>(touched + <usize>(y / CELL) * pitch + <usize>(x / CELL)) != 0
}

/** Whether a window of these rows may measure something. */
@inline
export function isWindowTouched(x: i32, wide: i32): bool {
  if (!isCompared) return true
  let any = false
  for (let column = x / CELL; column <= (x + wide - 1) / CELL; column++) {
    any = any || load<u8>(touchedNearby + <usize>column) != 0
  }
  return any
}
