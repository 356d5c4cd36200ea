// Colours of a small place that a guard has found changed.

import { bins } from './histogram'
import { binOf, height, MOST_BINS, weights, width } from './memory'

/** Per bin, whether it weighs more already. */
const isHeavier: usize = memory.data(MOST_BINS, 16)

/** Lets the colours of a square weigh more, each once, from the next training on. The square may lie beyond the edges. */
export function emphasise(left: i32, top: i32, side: i32, factor: f32): void {
  memory.fill(isHeavier, 0, bins)
  for (let y = max(0, top); y < min(height, top + side); y++) {
    for (let x = max(0, left); x < min(width, left + side); x++) {
      const bin = <usize>load<u16>(binOf + (<usize>(y * width + x) << 1))
      if (load<u8>(isHeavier + bin) != 0) continue
      store<u8>(isHeavier + bin, 1)
      store<f32>(weights + bin * 4, load<f32>(weights + bin * 4) * factor)
    }
  }
}
