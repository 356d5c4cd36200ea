// First and second differences of the blurred planes: how steep and how rough the original is around a pixel, and how strong
// the edges are that the result adds.

import { blurredRow, CHANNELS, height, roughnessRow, width } from './guards-memory'
import { add, get, LANE_BYTES, mul, put, splat, sub } from './lanes'
import { spanCount, spanEnd, spanFirst, spansAt } from './tiles'

/**
 * Squared lengths of the forward differences of row `y` over three planes, from `plane` on; where `slopes` is not zero also, of the first
 * plane, that along the row less that down, and at `crosses` twice the product of both.
 */
export function gradientOf(plane: i32, y: i32, to: usize, slopes: usize, crosses: usize): void {
  const next = min(y + 1, height - 1)
  const spans = spansAt(y)
  const count = spanCount(y)
  const l = blurredRow(plane, y)
  const a = blurredRow(plane + 1, y)
  const b = blurredRow(plane + 2, y)
  const lNext = blurredRow(plane, next)
  const aNext = blurredRow(plane + 1, next)
  const bNext = blurredRow(plane + 2, next)
  for (let span = 0; span < count; span++) {
    const end = (<usize>spanEnd(spans, span)) << 2
    for (let x = (<usize>spanFirst(spans, span)) << 2; x < end; x += LANE_BYTES) {
      const lHere = get(l + x)
      const aHere = get(a + x)
      const bHere = get(b + x)
      const lRight = sub(get(l + x + 4), lHere)
      const aRight = sub(get(a + x + 4), aHere)
      const bRight = sub(get(b + x + 4), bHere)
      const lDown = sub(get(lNext + x), lHere)
      const aDown = sub(get(aNext + x), aHere)
      const bDown = sub(get(bNext + x), bHere)
      const right = add(add(mul(lRight, lRight), mul(aRight, aRight)), mul(bRight, bRight))
      const down = add(add(mul(lDown, lDown), mul(aDown, aDown)), mul(bDown, bDown))
      put(to + x, add(right, down))
      if (slopes == 0) continue
      put(slopes + x, sub(mul(lRight, lRight), mul(lDown, lDown)))
      const cross = mul(lRight, lDown)
      put(crosses + x, add(cross, cross))
    }
  }
}

/** Squared second differences of row `y` of the blurred original, along the row and down, which a slope has none of. */
export function roughen(y: i32): void {
  const spans = spansAt(y)
  const count = spanCount(y)
  const to = roughnessRow(y)
  const isInner = y > 0 && y < height - 1
  const above = max(y - 1, 0)
  const below = min(y + 1, height - 1)
  for (let span = 0; span < count; span++) {
    const end = (<usize>spanEnd(spans, span)) << 2
    for (let x = (<usize>spanFirst(spans, span)) << 2; x < end; x += LANE_BYTES) {
      let sum = splat(0)
      for (let c = 0; c < CHANNELS; c++) {
        const at = blurredRow(c, y) + x
        const here = get(at)
        const twice = add(here, here)
        const along = sub(add(get(at - 4), get(at + 4)), twice)
        sum = add(sum, mul(along, along))
        if (!isInner) continue
        const down = sub(add(get(blurredRow(c, above) + x), get(blurredRow(c, below) + x)), twice)
        sum = add(sum, mul(down, down))
      }
      put(to + x, sum)
    }
  }
  // The first and the last pixel have no neighbour on one side.
  roughenEnd(y, 0, isInner)
  roughenEnd(y, <usize>(width - 1) << 2, isInner)
}

function roughenEnd(y: i32, x: usize, isInner: bool): void {
  let sum: f32 = 0
  for (let c = 0; c < CHANNELS && isInner; c++) {
    const here = load<f32>(blurredRow(c, y) + x)
    const down = load<f32>(blurredRow(c, y - 1) + x) + load<f32>(blurredRow(c, y + 1) + x) - (here + here)
    sum += down * down
  }
  store<f32>(roughnessRow(y) + x, sum)
}

