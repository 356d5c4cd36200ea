import { switched } from './adjustment.ts'
import type { Adjustment } from './adjustment.ts'

/** Mirrors left and right. */
export const flop: Adjustment<boolean, true> = {
  ...switched('mirrors left and right'),
  place: 3,
  apply: { sharp: (image) => void image.flop() },
}
