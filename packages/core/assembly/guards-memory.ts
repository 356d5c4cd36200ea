// Where the rows of a comparison lie in linear memory: no allocator, most of them rolling.

import { Strips, stripsAt } from './strips'
import { QUANTITIES, STEP } from './windows'

/** Most rows of pixels handed over at once. */
export const BATCH_ROWS: i32 = 32

export const CHANNELS: i32 = 3
/** Rolling rows, powers of two: OKLab, horizontally blurred, blurred, gradients, differences. */
const ORIGINAL_ROWS: i32 = 8
const HORIZONTAL_ROWS: i32 = 4
const BLURRED_ROWS: i32 = 4
const GRADIENT_ROWS: i32 = 8
const DIFFERENCE_ROWS: i32 = 8
/** Floats on either side of a row that is looked at beyond its ends. */
export const PADDING_BYTES: usize = 16

export let width: i32 = 0
export let height: i32 = 0
export let stride: i32 = 0
/** Bytes of a row without and with padding. */
export let bytes: usize = 0
export let pitch: usize = 0

/** A batch of rows, or all of them if they are kept. */
let originalInput: usize = 0
let keepsOriginal: bool = false
export let resultInput: usize = 0
export let opaqueLevels: usize = 0
export let blendedLevels: usize = 0
/** Rows by channel: linear light, and rolling ones of L a b of the original, and of L a b of the result less it. */
export let linear: usize = 0
export let originals: usize = 0
export let differences: usize = 0
/** Rows by channel, first the original's then the difference's: after the horizontal and after both passes of the blur. */
export let horizontal: usize = 0
export let blurred: usize = 0
/** Squared gradients of the original and of the difference, and squared second differences of the original. */
export let activity: usize = 0
export let gradients: usize = 0
export let roughness: usize = 0
/** The vertical part of the maximum of one row of the activity, and of the roughness, padded by zeros. */
export let maximum: usize = 0
export let roughest: usize = 0
/** Sums of windows. */
const roomOfStrips: usize = memory.data(offsetof<Strips>(), 16)
let end: u64 = 0

function reserve(size: u64): usize {
  const address = end
  end = (end + size + 63) & ~63
  return <usize>address
}

/**
 * Lays out the input for pictures of a size, behind the tables, which do not depend on it: they stay where and what they are, and the
 * original's, which is the first, does too.
 * Returns the input's end.
 */
export function layoutInput(wide: i32, high: i32, keeps: bool): u64 {
  end = (<u64>__heap_base + 63) & ~63
  width = wide
  height = high
  stride = (wide + 3) & ~3
  bytes = <usize>stride << 2
  pitch = bytes + 2 * PADDING_BYTES
  opaqueLevels = reserve(256 * sizeof<f32>())
  blendedLevels = reserve((255 * 255 + 1) * sizeof<f32>())
  keepsOriginal = keeps
  originalInput = reserve(<u64>(keeps ? high : BATCH_ROWS) * <u64>wide * 4)
  resultInput = reserve(<u64>BATCH_ROWS * <u64>wide * 4)
  return end
}

/** Lays out the rows of a comparison behind the input. Returns their end. */
export function layoutRows(): u64 {
  linear = reserve(<u64>bytes * CHANNELS)
  originals = reserve(<u64>pitch * CHANNELS * ORIGINAL_ROWS) + PADDING_BYTES
  differences = reserve(<u64>pitch * CHANNELS * DIFFERENCE_ROWS) + PADDING_BYTES
  horizontal = reserve(<u64>bytes * 2 * CHANNELS * HORIZONTAL_ROWS)
  blurred = reserve(<u64>pitch * 2 * CHANNELS * BLURRED_ROWS) + PADDING_BYTES
  activity = reserve(<u64>bytes * GRADIENT_ROWS)
  gradients = reserve(<u64>bytes * GRADIENT_ROWS)
  roughness = reserve(<u64>bytes * GRADIENT_ROWS)
  maximum = reserve(<u64>pitch) + PADDING_BYTES
  roughest = reserve(<u64>pitch) + PADDING_BYTES
  const strips = windowStrips()
  strips.size = bytes * QUANTITIES
  strips.now = reserve(strips.size)
  strips.before = reserve(strips.size)
  strips.last = reserve(strips.size)
  strips.step = STEP
  return end
}

/** Where rows of the original, from `y` on, are handed over, `step` bytes per pixel. */
export function originalAddress(y: i32, step: i32): usize {
  return keepsOriginal ? originalInput + <usize>y * <usize>(width * step) : originalInput
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

/** L, a or b of a row of the original. */
@inline
export function originalRow(c: i32, y: i32): usize {
  return originals + <usize>((y & (ORIGINAL_ROWS - 1)) * CHANNELS + c) * pitch
}

@inline
export function differenceRow(y: i32): usize {
  return differences + <usize>((y & (DIFFERENCE_ROWS - 1)) * CHANNELS) * pitch
}

@inline
export function horizontalRow(plane: i32, y: i32): usize {
  return horizontal + <usize>(plane * HORIZONTAL_ROWS + (y & (HORIZONTAL_ROWS - 1))) * bytes
}

@inline
export function blurredRow(plane: i32, y: i32): usize {
  return blurred + <usize>(plane * BLURRED_ROWS + (y & (BLURRED_ROWS - 1))) * pitch
}

/** A row of the activity, the gradients or the roughness. */
@inline
export function gradientsAt(rows: usize, y: i32): usize {
  return rows + <usize>(y & (GRADIENT_ROWS - 1)) * bytes
}

@inline
export function activityRow(y: i32): usize {
  return gradientsAt(activity, y)
}

@inline
export function gradientRow(y: i32): usize {
  return gradientsAt(gradients, y)
}

@inline
export function roughnessRow(y: i32): usize {
  return gradientsAt(roughness, y)
}

@inline
export function windowStrips(): Strips {
  return stripsAt(roomOfStrips)
}
