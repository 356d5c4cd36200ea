// Linear light → OKLab (Björn Ottosson, 2020, https://bottosson.github.io/posts/oklab/), rows at a time.
//
// Both builds and every machine give the same bits: nothing but additions, multiplications and divisions of floats in a
// fixed order, which IEEE 754 defines exactly.

import { add, div, get, LANE_BYTES, Lanes, mul, put, splat, sub } from './lanes'

/**
 * Cube root of 0.005…1. The cubic is within 12 % there; each of Halley's two steps cubes the relative error, to below
 * what a float holds.
 */
@inline
function cubeRoot(x: Lanes): Lanes {
  const twice = add(x, x)
  let y = add(mul(splat(4.0204590), x), splat(-6.5972432))
  y = add(mul(y, x), splat(3.5219102))
  y = add(mul(y, x), splat(0.17393602))
  let cube = mul(mul(y, y), y)
  y = div(mul(y, add(cube, twice)), add(add(cube, cube), x))
  cube = mul(mul(y, y), y)
  return div(mul(y, add(cube, twice)), add(add(cube, cube), x))
}

@inline
function weighted(a: Lanes, b: Lanes, c: Lanes, ofA: f32, ofB: f32, ofC: f32): Lanes {
  return add(add(mul(a, splat(ofA)), mul(b, splat(ofB))), mul(c, splat(ofC)))
}

/** Bytes of three rows of linear light, `fromBytes` apart, to three rows of L, a and b, `toBytes` apart. */
export function labRow(from: usize, fromBytes: usize, to: usize, toBytes: usize, bytes: usize): void {
  for (let x: usize = 0; x < bytes; x += LANE_BYTES) {
    const r = get(from + x)
    const g = get(from + fromBytes + x)
    const b = get(from + 2 * fromBytes + x)
    const long = cubeRoot(weighted(r, g, b, 0.4122214708, 0.5363325363, 0.0514459929))
    const medium = cubeRoot(weighted(r, g, b, 0.2119034982, 0.6806995451, 0.1073969566))
    const short = cubeRoot(weighted(r, g, b, 0.0883024619, 0.2817188376, 0.6299787005))
    put(to + x, weighted(long, medium, short, 0.2104542553, 0.793617785, -0.0040720468))
    put(to + toBytes + x, weighted(long, medium, short, 1.9779984951, -2.428592205, 0.4505937099))
    put(to + 2 * toBytes + x, weighted(long, medium, short, 0.0259040371, 0.7827717662, -0.808675766))
  }
}

/** The same, less the L, a and b in the three rows at `less`. */
export function labDifferenceRow(
  from: usize,
  fromBytes: usize,
  less: usize,
  to: usize,
  toBytes: usize,
  bytes: usize,
): void {
  labRow(from, fromBytes, to, toBytes, bytes)
  for (let c: usize = 0; c < 3; c++, to += toBytes, less += toBytes) {
    for (let x: usize = 0; x < bytes; x += LANE_BYTES) put(to + x, sub(get(to + x), get(less + x)))
  }
}

/** One row of opaque pixels, `step` (3 or 4) bytes each, to three rows of linear light by a table of 256 floats. */
export function opaqueRow(from: usize, step: usize, levels: usize, to: usize, toBytes: usize, width: i32): void {
  const limit = to + (<usize>width << 2)
  for (; to < limit; to += 4, from += step) {
    store<f32>(to, load<f32>(levels + (<usize>load<u8>(from) << 2)))
    store<f32>(to + toBytes, load<f32>(levels + (<usize>load<u8>(from, 1) << 2)))
    store<f32>(to + 2 * toBytes, load<f32>(levels + (<usize>load<u8>(from, 2) << 2)))
  }
}

/**
 * One row of RGBA pixels on a grey background (0…255) to three rows of linear light. Blending is done on the sRGB values,
 * as browsers do; in units of 1 / 255² its result is an integer, an index into a table of 255² + 1 floats.
 */
export function blendedRow(from: usize, background: i32, levels: usize, to: usize, toBytes: usize, width: i32): void {
  const limit = to + (<usize>width << 2)
  for (; to < limit; to += 4, from += 4) {
    const alpha = <usize>load<u8>(from, 3)
    const rest = (255 - alpha) * background
    store<f32>(to, load<f32>(levels + ((<usize>load<u8>(from) * alpha + rest) << 2)))
    store<f32>(to + toBytes, load<f32>(levels + ((<usize>load<u8>(from, 1) * alpha + rest) << 2)))
    store<f32>(to + 2 * toBytes, load<f32>(levels + ((<usize>load<u8>(from, 2) * alpha + rest) << 2)))
  }
}
