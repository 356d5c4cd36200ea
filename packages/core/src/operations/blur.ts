import { number } from '../options/parsers.ts'
import { strength } from './adjustment.ts'
import type { Adjustment } from './adjustment.ts'

/** Sigma of a Gaussian blur, 0.3 to 1000; `true` is a mild and fast one. */
export const blur: Adjustment<boolean | number, true | number> = {
  ...strength(number(0.3, 1000), 'SIGMA', {
    values: 'a sigma from 0.3 to 1000; nothing for a mild blur',
    does: 'blurs it; `mild` for a fast mild one',
  }),
  place: 8,
  resolved: (sigma) => sigma || undefined,
  apply: { sharp: (image, sigma) => void image.blur(sigma) },
}
