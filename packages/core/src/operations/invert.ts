import { switched } from './adjustment.ts'
import type { Adjustment } from './adjustment.ts'

/** Makes a negative. */
export const invert: Adjustment<boolean, true> = {
  ...switched('makes a negative'),
  place: 12,
  apply: { sharp: (image) => void image.negate() },
}
