// The blur: libjxl's recursive Gaussian of sigma 1.5, zero outside the image.
//
// That filter (Charalampidis 2016, "Recursive Implementation of the Gaussian Filter Using Truncated Cosine Functions")
// is a sum of three cosines cut off at radius 5, where all of them are zero: exactly a symmetric filter of nine taps,
// which is what is computed here. It has no rounding error that builds up along a row, as recursion has, and needs no
// transposition to use vectors. TAP_n = Σ β_k · cos((2k+1)·π/10 · n) with the β of equation (53) for sigma 1.5.

import { add, get, LANE_BYTES, Lanes, mul, put, splat } from './lanes'
import { RADIUS, TAPS } from './layout'

const TAP_0: f32 = 0.2646211055
const TAP_1: f32 = 0.2129285920
const TAP_2: f32 = 0.1093353728
const TAP_3: f32 = 0.03601111466
const TAP_4: f32 = 0.00941436781

@inline
function weighted(c: Lanes, one: Lanes, two: Lanes, three: Lanes, four: Lanes): Lanes {
  return add(
    add(add(mul(c, splat(TAP_0)), mul(one, splat(TAP_1))), add(mul(two, splat(TAP_2)), mul(three, splat(TAP_3)))),
    mul(four, splat(TAP_4)),
  )
}

@inline
function alongRow(at: usize): Lanes {
  return weighted(
    get(at),
    add(get(at - 4), get(at + 4)),
    add(get(at - 8), get(at + 8)),
    add(get(at - 12), get(at + 12)),
    add(get(at - 16), get(at + 16)),
  )
}

/** Blurs two padded rows horizontally into one row of interleaved vectors. */
export function blurTwoRows(a: usize, b: usize, to: usize, stride: i32): void {
  const limit = a + (<usize>stride << 2)
  for (; a < limit; a += LANE_BYTES, b += LANE_BYTES, to += 2 * LANE_BYTES) {
    put(to, alongRow(a))
    put(to + LANE_BYTES, alongRow(b))
  }
}

/** Blurs three padded rows horizontally into one row of interleaved vectors. */
export function blurThreeRows(a: usize, b: usize, c: usize, to: usize, stride: i32): void {
  const limit = a + (<usize>stride << 2)
  for (; a < limit; a += LANE_BYTES, b += LANE_BYTES, c += LANE_BYTES, to += 3 * LANE_BYTES) {
    put(to, alongRow(a))
    put(to + LANE_BYTES, alongRow(b))
    put(to + 2 * LANE_BYTES, alongRow(c))
  }
}

/** Vertical blur of the values at offset `x` of the nine rows given by their addresses. */
@inline
export function downColumn(
  x: usize,
  r0: usize,
  r1: usize,
  r2: usize,
  r3: usize,
  r4: usize,
  r5: usize,
  r6: usize,
  r7: usize,
  r8: usize,
): Lanes {
  return weighted(
    get(r4 + x),
    add(get(r3 + x), get(r5 + x)),
    add(get(r2 + x), get(r6 + x)),
    add(get(r1 + x), get(r7 + x)),
    add(get(r0 + x), get(r8 + x)),
  )
}

/** The address of the rolling row for image row `y` + `tap` − RADIUS. */
@inline
export function tapRow(rows: usize, rowBytes: i32, y: i32, tap: i32): usize {
  return rows + <usize>(((y + tap - RADIUS + TAPS) % TAPS) * rowBytes)
}

/** Zeroes the lanes beyond the image's width in a row of interleaved vectors. */
export function clearTail(row: usize, width: i32, stride: i32, quantities: i32): void {
  const lanes = <i32>(LANE_BYTES >> 2)
  for (let x = width; x < stride; x++) {
    for (let q = 0; q < quantities; q++) {
      store<f32>(row + (<usize>((x / lanes) * quantities * lanes + q * lanes + (x % lanes)) << 2), 0)
    }
  }
}
