import { number } from '../options/parsers.ts'
import { numeric, turned } from './adjustment.ts'
import type { Adjustment } from './adjustment.ts'

/**
 * Degrees clockwise. Multiples of 90 keep every pixel; other angles make the picture larger, with `background` in its
 * corners.
 */
export const rotate: Adjustment<number, number> = {
  ...numeric(number(-3600, 3600), 'DEGREES', {
    values: 'degrees clockwise',
    does: 'rotates it; `background` fills the corners',
  }),
  place: 1,
  resolved: (degrees) => turned(degrees) || undefined,
  apply: {
    sharp: (image, degrees, { background }) =>
      void image.rotate(degrees, background === undefined ? {} : { background }),
  },
}
