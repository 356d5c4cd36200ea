// Where everything lies in linear memory: typed records over raw addresses, no allocator and no garbage collector.
//
// A *stream* is one image on its way through the scales, row by row: the original (REFERENCE) or what it is compared
// with (DISTORTED). Only a few rows of a stream are alive at a time. What must outlive a stream are the planes of the
// reference: its XYB values, their blur (mu) and the blur of their squares (sigma). They hold every row, so that many
// distorted images can be scored against them; or, in strips, just the rows of the XYB values that the distorted stream still
// needs, and the blurs are computed for each image where it differs; or only the rows that a sample of the picture needs.

import { CELL, RADIUS } from './alike'
import { heldRow, heldRows, setSample } from './sample'

export const REFERENCE: i32 = 0
export const DISTORTED: i32 = 1
export const STREAMS: i32 = 2
export const SCALES: i32 = 6
export const CHANNELS: i32 = 3

/** Rows that the vertical blur looks at. */
export const TAPS: i32 = 2 * RADIUS + 1
/** Most rows of pixels handed over at once. */
export const BATCH_ROWS: i32 = 32
/** Rows of a plane in strips: those of one batch, and those above that the blur and the maps still look at. */
const STRIP_ROWS: i32 = BATCH_ROWS + TAPS
/** Bytes of a cell's floats. */
export const CELL_BYTES: usize = 4 * CELL
/** Cells of a block, the smallest part of a batch whose linear light is made or not: a cell of the last scale. */
export const BLOCK_CELLS: i32 = 1 << (SCALES - 1)
/** Rows of marks of changed cells, a power of two: those of one batch, and those above that the blur still looks at. */
const MARK_ROWS: i32 = 64
/** Bytes of zero on either side of a row of marks. */
const MARK_PADDING: i32 = 8

/** Floats of zero on either side of an XYB row, read by the horizontal blur. */
const PADDING: i32 = 4
export const PADDING_BYTES: usize = 4 * PADDING
/** Sums of one channel of one scale: three maps in two norms. */
export const SUMS: i32 = 6

@unmanaged
export class Scale {
  /** In pixels. */
  width: i32
  height: i32
  /** Floats of a row: the width rounded up to whole vectors. Lanes beyond the width are zero in every plane. */
  stride: i32
  /** Bytes from one XYB row to the next, its padding included. */
  pitch: i32
  /** Rows that the planes of XYB values hold: all, those of a sample, or the last ones, row y at y modulo this. */
  planeRows: i32
  /** The same of the planes of blurs. */
  blurRows: i32
  /** Cells of a row. */
  cells: i32
  /** Rows of marks, a byte per cell, 1 where the distorted image differs from the reference; row y is at y modulo `MARK_ROWS`. */
  marks: usize
  /** Bytes from one row of marks to the next. */
  markBytes: i32
  /** A byte per row of marks: whether none, some or all of its cells are changed. */
  extents: usize
  /** `TAPS` rows of marks: the cells whose horizontal blur of the distorted image is done. */
  done: usize
  /** A byte for each of these: whether none, some or all of its cells are. */
  doneExtents: usize
}

/** One scale of one stream. */
@unmanaged
export class Stage {
  /** Rows that have arrived. */
  received: i32
  /** Two rows of linear light, three channels each: the even and the odd row that are halved together. */
  linear: usize
  /** Bytes of one channel of one linear row. */
  linearBytes: i32
}

/** One channel of one scale of one stream. */
@unmanaged
export class Channel {
  /** XYB rows, padded; the address is that of the first value of row 0. Zero if the channel counts for nothing here. */
  rows: usize
  /** How many; row y is at y modulo this. */
  rowCount: i32
  /** `TAPS` rows of horizontally blurred values, the quantities interleaved by vector. */
  blurred: usize
  /** Bytes of one of them. */
  blurredBytes: i32
}

/** One channel of one scale of the reference, with the sums of the maps it is judged by. */
@unmanaged
export class Planes {
  mu: usize
  sigma: usize
  /** `SUMS` doubles, and `SAMPLE_BYTES` behind them the same of the rows of the sample. */
  sums: usize
}

const scales = memory.data(SCALES * offsetof<Scale>(), 16)
const stages = memory.data(STREAMS * SCALES * offsetof<Stage>(), 16)
const channels = memory.data(STREAMS * SCALES * CHANNELS * offsetof<Channel>(), 16)
const planes = memory.data(SCALES * CHANNELS * offsetof<Planes>(), 16)
/** Bytes of the sums of all rows, which those of the sample's rows lie behind. */
export const SAMPLE_BYTES: usize = <usize>(SCALES * CHANNELS * SUMS) * sizeof<f64>()
export const sums: usize = memory.data(2 * SCALES * CHANNELS * SUMS * sizeof<f64>(), 16)

/** 256 floats: linear light of an 8-bit sRGB value. */
export const linearTable: usize = memory.data(256 * sizeof<f32>(), 16)

export function scaleAt(scale: i32): Scale {
  return changetype<Scale>(scales + scale * offsetof<Scale>())
}

export function stageAt(stream: i32, scale: i32): Stage {
  return changetype<Stage>(stages + (stream * SCALES + scale) * offsetof<Stage>())
}

export function channelAt(stream: i32, scale: i32, channel: i32): Channel {
  return changetype<Channel>(channels + ((stream * SCALES + scale) * CHANNELS + channel) * offsetof<Channel>())
}

/** The marks of row `y`, which may lie above or below the image. */
@inline
export function marksAt(scale: Scale, y: i32): usize {
  return scale.marks + <usize>((y & (MARK_ROWS - 1)) * scale.markBytes)
}

/** Where it is kept whether none, some or all of a row's cells are changed. */
@inline
export function extentAt(scale: Scale, y: i32): usize {
  return scale.extents + <usize>(y & (MARK_ROWS - 1))
}

/** Where the reference's XYB row `y` is among those that are held, which it must be. */
@inline
export function planeRow(scale: Scale, s: i32, y: i32): i32 {
  return holdsBlurs ? heldRow(s, y, heldShare, RADIUS) : y % scale.planeRows
}

/** The same of its blurs: there is room for one row alone where they are computed anew. */
@inline
export function blurRow(s: i32, y: i32): i32 {
  return holdsBlurs ? heldRow(s, y, heldShare, 0) : 0
}

export function planesAt(scale: i32, channel: i32): Planes {
  return changetype<Planes>(planes + (scale * CHANNELS + channel) * offsetof<Planes>())
}

/** Values per pixel that are blurred: i and i² of the reference; i², δ and δ² of the distorted, δ the difference. */
@inline
export function quantities(stream: i32): i32 {
  return stream == REFERENCE ? 2 : 3
}

/** Scales that are computed: up to the last one with a channel that counts. */
export let depth: i32 = 0
/** Whether the blurs of the reference are planes; else they are rows, and computed where they are looked at. */
export let holdsBlurs: bool = true
/** Of the reference only a sample of one group of rows in so many is held; 1 where all of it is. */
export let heldShare: i32 = 1
/** Where the distorted image's pixels are handed over: `BATCH_ROWS` rows of four bytes per pixel. */
export let input: usize = 0
/** Where the original's are, which the distorted image's are compared with as well: as many rows, or all of them. */
export let originalInput: usize = 0
/** Whether all of the original's pixels stay. */
export let holdsPixels: bool = false
/** A row of marks: the changed cells of all rows that a row's blur looks at. */
export let nearby: usize = 0
/** Stretches of cells, two 32-bit numbers each, the first cell and the one after the last. */
export let blockSpans: usize = 0
export let judgedSpans: usize = 0
export let rowSpans: usize = 0
/** Padded rows of the first scale: squares of the XYB values, differences of the two images and squares of these. */
export let squares: usize = 0
export let differences: usize = 0
export let squaredDifferences: usize = 0
/** 255² + 1 floats: linear light of an sRGB value in steps of 1 / 255², what blending 8-bit values gives. */
export let blendTable: usize = 0
/** Where each stream's rolling rows start, and where the last one's end: what is cleared before a stream starts. */
const rolling = memory.data((STREAMS + 1) * sizeof<usize>(), 16)

let end: u64 = 0

function reserve(bytes: u64): usize {
  const address = end
  end = (end + bytes + 63) & ~63
  return <usize>address
}

/**
 * Lays out memory for images of a size. `active` has bit `3 · scale + channel` set for what counts in the score; `strips`
 * keeps only the rows in use of the reference, `share` only a sample of one group of rows in so many, if it is not 1; with `keeps` the
 * reference's pixels stay, so that they need be handed over once. Returns the bytes of memory needed, as a double since they can exceed
 * the address space; the memory must have grown to them before anything else is called.
 */
export function layout(width: i32, height: i32, active: i32, strips: bool, share: i32, keeps: bool): f64 {
  holdsBlurs = !strips
  holdsPixels = keeps
  heldShare = share
  setSample(share, true)
  end = (<u64>__heap_base + 63) & ~63
  depth = (32 - clz(active) + 2) / CHANNELS
  for (let s = 0; s < depth; s++) {
    const scale = scaleAt(s)
    scale.width = s == 0 ? width : (scaleAt(s - 1).width + 1) / 2
    scale.height = s == 0 ? height : (scaleAt(s - 1).height + 1) / 2
    scale.stride = (scale.width + 3) & ~3
    scale.pitch = (scale.stride + 2 * PADDING) * 4
    scale.cells = scale.stride / CELL
    scale.markBytes = ((scale.cells + BLOCK_CELLS - 1) & -BLOCK_CELLS) + 2 * MARK_PADDING
    scale.planeRows = strips ? min(scale.height, STRIP_ROWS) : heldRows(s, scale.height, share, RADIUS)
    scale.blurRows = holdsBlurs ? heldRows(s, scale.height, share, 0) : 1
  }
  const first = scaleAt(0)
  input = reserve(<u64>BATCH_ROWS * <u64>width * 4)
  originalInput = reserve(<u64>(keeps ? height : BATCH_ROWS) * <u64>width * 4)
  nearby = reserve(first.markBytes) + MARK_PADDING
  blockSpans = reserve(<u64>(first.cells + 1) * sizeof<u64>())
  judgedSpans = reserve(<u64>(first.cells + 1) * sizeof<u64>())
  rowSpans = reserve(<u64>(first.cells + 1) * sizeof<u64>())
  squares = reserve(first.pitch) + PADDING_BYTES
  differences = reserve(first.pitch) + PADDING_BYTES
  squaredDifferences = reserve(first.pitch) + PADDING_BYTES
  blendTable = reserve((255 * 255 + 1) * sizeof<f32>())
  for (let stream = 0; stream < STREAMS; stream++) {
    store<usize>(rolling + stream * sizeof<usize>(), <usize>end)
    for (let s = 0; s < depth; s++) layoutStage(stream, s, active)
  }
  store<usize>(rolling + STREAMS * sizeof<usize>(), <usize>end)
  for (let s = 0; s < depth; s++) {
    for (let c = 0; c < CHANNELS; c++) if (counts(active, s, c)) layoutPlanes(s, c)
  }
  return <f64>end
}

/** Where the original's pixels of a row are handed over that a batch begins with. */
export function originalPixels(y: i32, rowBytes: usize): usize {
  return holdsPixels ? originalInput + <usize>y * rowBytes : originalInput
}

@inline
function counts(active: i32, scale: i32, channel: i32): bool {
  return ((active >> (scale * CHANNELS + channel)) & 1) != 0
}

function layoutStage(stream: i32, s: i32, active: i32): void {
  const scale = scaleAt(s)
  const stage = stageAt(stream, s)
  // Halving reads whole vectors: room for the next scale's stride twice.
  stage.linearBytes = ((scale.width + 7) & ~7) * 4
  stage.linear = reserve(2 * CHANNELS * <u64>stage.linearBytes)
  if (stream != REFERENCE) {
    scale.marks = reserve(<u64>MARK_ROWS * <u64>scale.markBytes) + MARK_PADDING
    scale.extents = reserve(MARK_ROWS)
    scale.done = reserve(<u64>TAPS * <u64>scale.markBytes) + MARK_PADDING
    scale.doneExtents = reserve(TAPS)
  }
  for (let c = 0; c < CHANNELS; c++) {
    const channel = channelAt(stream, s, c)
    channel.rows = 0
    if (!counts(active, s, c)) continue
    channel.blurredBytes = scale.stride * 4 * quantities(stream)
    // The reference's rows are a plane, not rolling rows: `layoutPlanes` places them. Those that are blurred again for each
    // distorted image are cleared with it.
    if (holdsBlurs || stream != REFERENCE) channel.blurred = reserve(<u64>TAPS * <u64>channel.blurredBytes)
    if (stream == REFERENCE) continue
    if (!holdsBlurs) {
      const original = channelAt(REFERENCE, s, c)
      original.blurred = reserve(<u64>TAPS * <u64>original.blurredBytes)
    }
    channel.rowCount = TAPS
    channel.rows = reserve(<u64>TAPS * <u64>scale.pitch) + PADDING_BYTES
  }
}

function layoutPlanes(s: i32, c: i32): void {
  const scale = scaleAt(s)
  const channel = channelAt(REFERENCE, s, c)
  const plane = planesAt(s, c)
  const bytes = <u64>scale.blurRows * <u64>scale.stride * 4
  channel.rowCount = scale.planeRows
  channel.rows = reserve(<u64>scale.planeRows * <u64>scale.pitch) + PADDING_BYTES
  plane.mu = reserve(bytes)
  plane.sigma = reserve(bytes)
  plane.sums = sums + (s * CHANNELS + c) * SUMS * sizeof<f64>()
}

/** Makes a stream ready for its first row: no rows received, zero above the first one, sums at zero. */
export function clearStream(stream: i32): void {
  const range = rolling + stream * sizeof<usize>()
  const from = load<usize>(range)
  memory.fill(from, 0, load<usize>(range, sizeof<usize>()) - from)
  for (let s = 0; s < depth; s++) stageAt(stream, s).received = 0
  if (stream != REFERENCE) memory.fill(sums, 0, 2 * SAMPLE_BYTES)
}
