import { whole } from '../options/parsers.ts'
import { strength } from './adjustment.ts'
import type { Adjustment } from './adjustment.ts'

/** Side of the square whose median each pixel becomes, in pixels; `true` is 3. */
export const median: Adjustment<boolean | number, number> = {
  ...strength(whole(1, 1000), 'PIXELS', {
    values: 'the side of a square in pixels; nothing for 3',
    does: 'takes noise away by medians of a square',
  }),
  place: 9,
  resolved: (side) => (side === true ? 3 : side || undefined),
  apply: { sharp: (image, side) => void image.median(side) },
}
