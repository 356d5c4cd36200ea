import { switched } from './adjustment.ts'
import type { Adjustment } from './adjustment.ts'

/** Mirrors top and bottom. */
export const flip: Adjustment<boolean, true> = {
  ...switched('mirrors top and bottom'),
  place: 2,
  apply: { sharp: (image) => void image.flip() },
}
