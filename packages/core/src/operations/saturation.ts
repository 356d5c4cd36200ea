import { number } from '../options/parsers.ts'
import { numeric } from './adjustment.ts'
import type { Adjustment } from './adjustment.ts'

/** Saturations are multiplied with it. */
export const saturation: Adjustment<number, number> = {
  ...numeric(number(0, 1000), 'FACTOR', { values: 'a factor', does: 'multiplies the saturation' }),
  place: 6,
  resolved: (factor) => (factor === 1 ? undefined : factor),
  apply: { sharp: (image, value) => void image.modulate({ saturation: value }) },
}
