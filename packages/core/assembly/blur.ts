// The blur: libjxl's recursive Gaussian of sigma 1.5, zero outside the image.
//
// That filter (Charalampidis 2016, "Recursive Implementation of the Gaussian Filter Using Truncated Cosine Functions")
// is a sum of three cosines cut off at radius 5, where all of them are zero: exactly a symmetric filter of nine taps,
// which is what is computed here. It has no rounding error that builds up along a row, as recursion has, and needs no
// transposition to use vectors. TAP_n = Σ β_k · cos((2k+1)·π/10 · n) with the β of equation (53) for sigma 1.5.

import { RADIUS } from './alike'
import { add, get, LANE_BYTES, Lanes, mul, put, splat } from './lanes'
import { TAPS } from './layout'

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

/** The nine taps around `at`. Offsets that the instructions hold cost no additions: a sixth of a score's time. */
@inline
function alongRow(at: usize): Lanes {
  const first = at - 4 * RADIUS
  return weighted(
    load<Lanes>(first, 16),
    add(load<Lanes>(first, 12), load<Lanes>(first, 20)),
    add(load<Lanes>(first, 8), load<Lanes>(first, 24)),
    add(load<Lanes>(first, 4), load<Lanes>(first, 28)),
    add(load<Lanes>(first), load<Lanes>(first, 32)),
  )
}

/** Blurs `bytes` of two padded rows horizontally into interleaved vectors. */
export function blurTwoRows(a: usize, b: usize, to: usize, bytes: usize): void {
  const limit = a + bytes
  for (; a < limit; a += LANE_BYTES, b += LANE_BYTES, to += 2 * LANE_BYTES) {
    put(to, alongRow(a))
    put(to + LANE_BYTES, alongRow(b))
  }
}

/** Blurs `bytes` of three padded rows horizontally into interleaved vectors. */
export function blurThreeRows(a: usize, b: usize, c: usize, to: usize, bytes: usize): void {
  const limit = a + bytes
  for (; a < limit; a += LANE_BYTES, b += LANE_BYTES, c += LANE_BYTES, to += 3 * LANE_BYTES) {
    put(to, alongRow(a))
    put(to + LANE_BYTES, alongRow(b))
    put(to + 2 * LANE_BYTES, alongRow(c))
  }
}

/** Vertical blur of the values of nine rows. */
@inline
export function downColumn(
  v0: Lanes,
  v1: Lanes,
  v2: Lanes,
  v3: Lanes,
  v4: Lanes,
  v5: Lanes,
  v6: Lanes,
  v7: Lanes,
  v8: Lanes,
): Lanes {
  return weighted(v4, add(v3, v5), add(v2, v6), add(v1, v7), add(v0, v8))
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
