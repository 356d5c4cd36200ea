import { switched } from './adjustment.ts'
import type { Adjustment } from './adjustment.ts'

/** Stretches brightness over the whole range. Not for animations. */
export const normalize: Adjustment<boolean, true> = {
  ...switched('stretches brightness over the whole range'),
  place: 10,
  apply: { sharp: (image) => void image.normalize() },
}
