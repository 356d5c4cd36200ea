// Where the distorted image differs from the original, in cells of four pixels along a row, at every scale.
//
// Where the blur's nine taps see no difference in either direction, every map of the metric is exactly zero: neither its
// conversions nor its blurs are needed there. Drawings in a palette are mostly such pixels.

import { CELL, cellDiffers, RADIUS, restDiffers } from './alike'
import {
  BLOCK_CELLS,
  blockSpans,
  extentAt,
  judgedSpans,
  marksAt,
  nearby,
  rowSpans,
  Scale,
  TAPS,
} from './layout'

/** Cells of a row that are marked. */
export const NONE: u8 = 0
export const SOME: u8 = 1
export const ALL: u8 = 2

/** Unchanged cells between two stretches up to which they are worked off as one. */
const GAP: i32 = 2

/** Eight marks at once. */
const EIGHT: u64 = 0x0101010101010101

@inline
export function firstCell(spans: usize, span: i32): i32 {
  return load<i32>(spans + ((<usize>span) << 3))
}

@inline
export function endCell(spans: usize, span: i32): i32 {
  return load<i32>(spans + ((<usize>span) << 3), 4)
}

@inline
function putSpan(spans: usize, span: i32, first: i32, end: i32): void {
  store<i32>(spans + ((<usize>span) << 3), first)
  store<i32>(spans + ((<usize>span) << 3), end, 4)
}

@inline
export function extentOf(scale: Scale, y: i32): u8 {
  return load<u8>(extentAt(scale, y))
}

export function markAll(scale: Scale, y: i32): void {
  memory.fill(marksAt(scale, y), 1, scale.cells)
  store<u8>(extentAt(scale, y), ALL)
}

export function markNone(scale: Scale, y: i32): void {
  memory.fill(marksAt(scale, y), 0, scale.cells)
  store<u8>(extentAt(scale, y), NONE)
}

/** Marks the cells of row `y` of the first scale whose pixels, `step` bytes each, are not the same. */
export function markRow(scale: Scale, y: i32, a: usize, b: usize, step: i32, isBlended: bool): void {
  const marks = marksAt(scale, y)
  const full = scale.width / CELL
  let changed = 0
  for (let cell = 0; cell < full; cell++, a += <usize>(CELL * step), b += <usize>(CELL * step)) {
    const mark = <i32>cellDiffers(a, b, step, isBlended)
    store<u8>(marks + <usize>cell, <u8>mark)
    changed += mark
  }
  if (full < scale.cells) {
    const mark = <i32>restDiffers(a, b, scale.width - full * CELL, step, isBlended)
    store<u8>(marks + <usize>full, <u8>mark)
    changed += mark
  }
  store<u8>(extentAt(scale, y), changed == 0 ? NONE : changed == scale.cells ? ALL : SOME)
}

/** Marks the cells of row `y` of a scale of which a pixel is made of a changed one of the scale above, `from`. */
export function markHalf(from: Scale, to: Scale, y: i32): void {
  const upper = extentOf(from, 2 * y)
  const hasLower = 2 * y + 1 < from.height
  const lower = hasLower ? extentOf(from, 2 * y + 1) : NONE
  if (upper == ALL || lower == ALL) return markAll(to, y)
  if (upper == NONE && lower == NONE) return markNone(to, y)
  const a = marksAt(from, 2 * y)
  const b = hasLower ? marksAt(from, 2 * y + 1) : a
  const marks = marksAt(to, y)
  let changed = 0
  for (let cell = 0; cell < to.cells; cell++) {
    const two = (<usize>cell) << 1
    const mark = (load<u16>(a + two) | load<u16>(b + two)) != 0
    store<u8>(marks + <usize>cell, <u8>mark)
    changed += <i32>mark
  }
  store<u8>(extentAt(to, y), changed == to.cells ? ALL : SOME)
}

/** Puts the stretches of blocks with a changed cell in the given rows of the first scale into `blockSpans`; returns how many. */
export function spansOfBlocks(scale: Scale, y: i32, rows: i32): i32 {
  let count = 0
  for (let row = y; row < y + rows; row++) {
    if (extentOf(scale, row) != ALL) continue
    wholeRow(scale)
    return 1
  }
  for (let first = 0; first < scale.cells; first += BLOCK_CELLS) {
    let changed: u64 = 0
    for (let row = y; row < y + rows; row++) {
      const marks = marksAt(scale, row) + <usize>first
      for (let i = 0; i < BLOCK_CELLS; i += 8) changed |= load<u64>(marks + <usize>i)
    }
    if (changed == 0) continue
    const end = min(first + BLOCK_CELLS, scale.cells)
    if (count > 0 && endCell(blockSpans, count - 1) == first) putSpan(blockSpans, count - 1, firstCell(blockSpans, count - 1), end)
    else putSpan(blockSpans, count++, first, end)
  }
  return count
}

/** Puts one stretch of all cells into `blockSpans`. */
export function wholeRow(scale: Scale): void {
  putSpan(blockSpans, 0, 0, scale.cells)
}

/** Puts the stretches of marked cells, wider by `reach` cells on either side, into `spans`; returns how many. */
function spansOf(marks: usize, cells: i32, reach: i32, gap: i32, spans: usize): i32 {
  let count = 0
  let cell = 0
  while (cell < cells) {
    if ((cell & 7) == 0 && load<u64>(marks + <usize>cell) == 0) {
      cell += 8
      continue
    }
    if (load<u8>(marks + <usize>cell) == 0) {
      cell++
      continue
    }
    const first = max(cell - reach, 0)
    while (cell < cells && load<u8>(marks + <usize>cell) != 0) {
      cell += (cell & 7) == 0 && load<u64>(marks + <usize>cell) == EIGHT ? 8 : 1
    }
    const end = min(cell + reach, cells)
    if (count > 0 && first <= endCell(spans, count - 1) + gap) putSpan(spans, count - 1, firstCell(spans, count - 1), end)
    else putSpan(spans, count++, first, end)
  }
  return count
}

/** Puts the stretches of changed cells of row `y` into `rowSpans`; returns how many. */
export function spansOfRow(scale: Scale, y: i32): i32 {
  return spansOf(marksAt(scale, y), scale.cells, 0, -1, rowSpans)
}

/** Puts the stretches of cells of row `y` whose blur sees a changed pixel into `judgedSpans`; returns how many. */
export function spansToJudge(scale: Scale, y: i32): i32 {
  let most: u8 = NONE
  for (let row = y - RADIUS; row <= y + RADIUS; row++) most = max(most, extentOf(scale, row))
  if (most == NONE) return 0
  if (most == ALL) {
    putSpan(judgedSpans, 0, 0, scale.cells)
    return 1
  }
  const bytes = (scale.cells + 7) & ~7
  for (let at = 0; at < bytes; at += 8) {
    let changed: u64 = 0
    for (let row = y - RADIUS; row <= y + RADIUS; row++) changed |= load<u64>(marksAt(scale, row) + <usize>at)
    store<u64>(nearby + <usize>at, changed)
  }
  return spansOf(nearby, scale.cells, 1, GAP, judgedSpans)
}

@inline
function doneAt(scale: Scale, y: i32): usize {
  return scale.done + <usize>((y % TAPS) * scale.markBytes)
}

/** Makes ready for the horizontal blur of row `y`, of which no cell is done yet. */
export function forgetDone(scale: Scale, y: i32): void {
  store<u8>(scale.doneExtents + <usize>(y % TAPS), NONE)
}

/** Says that the horizontal blur of row `y` has all cells. */
export function allDone(scale: Scale, y: i32): void {
  store<u8>(scale.doneExtents + <usize>(y % TAPS), ALL)
}

/**
 * Puts the stretches of the first `count` of `judgedSpans` whose horizontal blur is not done for row `y` into `rowSpans`,
 * and takes them for done; returns how many.
 */
export function spansToBlur(scale: Scale, y: i32, count: i32): i32 {
  const extent = load<u8>(scale.doneExtents + <usize>(y % TAPS))
  if (extent == ALL) return 0
  const done = doneAt(scale, y)
  if (extent == NONE) {
    memory.fill(done, 0, scale.cells)
    store<u8>(scale.doneExtents + <usize>(y % TAPS), SOME)
  }
  let missing = 0
  for (let span = 0; span < count; span++) {
    const end = endCell(judgedSpans, span)
    let cell = firstCell(judgedSpans, span)
    if (cell == 0 && end == scale.cells) allDone(scale, y)
    while (cell < end) {
      if (load<u8>(done + <usize>cell) != 0) {
        cell++
        continue
      }
      const first = cell
      while (cell < end && load<u8>(done + <usize>cell) == 0) cell++
      memory.fill(done + <usize>first, 1, cell - first)
      putSpan(rowSpans, missing++, first, cell)
    }
  }
  return missing
}
