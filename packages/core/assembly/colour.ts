// sRGB bytes → linear light → XYB.

import { add, cubeRootGuess, div, get, LANE_BYTES, Lanes, mul, put, splat, sub } from './lanes'
import { blendTable, linearTable, PADDING_BYTES } from './layout'

/** JPEG XL's opsin bias, and its cube root. */
const BIAS: f32 = 0.0037930732552754493
const BIAS_ROOT: f32 = 0.155954200549248620

/** One row of opaque pixels, `step` (3 or 4) bytes each, to three rows of linear light. */
export function linearRow(from: usize, step: usize, to: usize, rowBytes: usize, width: i32): void {
  const limit = to + (<usize>width << 2)
  for (; to < limit; to += 4, from += step) {
    store<f32>(to, load<f32>(linearTable + (<usize>load<u8>(from) << 2)))
    store<f32>(to + rowBytes, load<f32>(linearTable + (<usize>load<u8>(from, 1) << 2)))
    store<f32>(to + 2 * rowBytes, load<f32>(linearTable + (<usize>load<u8>(from, 2) << 2)))
  }
}

/**
 * One row of RGBA pixels on a grey background (0…255) to three rows of linear light. As in the published tool, blending
 * is done on the sRGB values; in units of 1 / 255² its result is an integer, so a table gives the exact linear value.
 */
export function blendedRow(from: usize, background: i32, to: usize, rowBytes: usize, width: i32): void {
  const limit = to + (<usize>width << 2)
  for (; to < limit; to += 4, from += 4) {
    const alpha = <usize>load<u8>(from, 3)
    const rest = (255 - alpha) * background
    store<f32>(to, load<f32>(blendTable + ((<usize>load<u8>(from) * alpha + rest) << 2)))
    store<f32>(to + rowBytes, load<f32>(blendTable + ((<usize>load<u8>(from, 1) * alpha + rest) << 2)))
    store<f32>(to + 2 * rowBytes, load<f32>(blendTable + ((<usize>load<u8>(from, 2) * alpha + rest) << 2)))
  }
}

/** Cube root by two of Halley's steps, each of which cubes the relative error: 4 % → 5e-5 → below float precision. */
@inline
function cubeRoot(x: Lanes): Lanes {
  const twice = add(x, x)
  let y = cubeRootGuess(x)
  let cube = mul(mul(y, y), y)
  y = div(mul(y, add(cube, twice)), add(add(cube, cube), x))
  cube = mul(mul(y, y), y)
  return div(mul(y, add(cube, twice)), add(add(cube, cube), x))
}

/** JPEG XL's opsin absorbance: linear light to the response of one kind of cone, with the bias. */
@inline
function response(r: Lanes, g: Lanes, b: Lanes, ofRed: f32, ofGreen: f32, ofBlue: f32): Lanes {
  const sum = add(add(mul(r, splat(ofRed)), mul(g, splat(ofGreen))), mul(b, splat(ofBlue)))
  return sub(cubeRoot(add(sum, splat(BIAS))), splat(BIAS_ROOT))
}

/**
 * Rows of linear light to rows of XYB, brought into 0…1 as the metric wants it: X·14 + 0.42, Y + 0.01, B − Y + 0.55.
 * A row whose address is zero is not wanted; of the others the bytes from `x` to `end`. Colour matrix, bias and ranges: libjxl's opsin parameters and ssimulacra2's
 * `MakePositiveXYB`.
 */
export function xybRow(linear: usize, rowBytes: usize, toX: usize, toY: usize, toB: usize, x: usize, end: usize): void {
  for (; x < end; x += LANE_BYTES) {
    const r = get(linear + x)
    const g = get(linear + rowBytes + x)
    const b = get(linear + 2 * rowBytes + x)
    const long = response(r, g, b, 0.3, 0.622, 0.078)
    const medium = response(r, g, b, 0.23, 0.692, 0.078)
    const luma = mul(add(long, medium), splat(0.5))
    if (toX != 0) put(toX + x, add(mul(sub(long, medium), splat(7)), splat(0.42)))
    if (toY != 0) put(toY + x, add(luma, splat(0.01)))
    if (toB != 0) {
      const short = response(r, g, b, 0.24342268924547819, 0.20476744424496821, 0.5518098665095535)
      put(toB + x, add(sub(short, luma), splat(0.55)))
    }
  }
}

/** Zeroes what lies beside the `width` values of a padded row, as the blur takes everything outside the image for zero. */
export function clearMargins(row: usize, width: i32, stride: i32): void {
  memory.fill(row - PADDING_BYTES, 0, PADDING_BYTES)
  const values = <usize>width << 2
  memory.fill(row + values, 0, (<usize>stride << 2) + PADDING_BYTES - values)
}
