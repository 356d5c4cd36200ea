import { whole } from '../options/parsers.ts'
import { numeric, turned } from './adjustment.ts'
import type { Adjustment } from './adjustment.ts'

/** Degrees by which hues are turned, a whole number. */
export const hue: Adjustment<number, number> = {
  ...numeric(whole(-3600, 3600), 'DEGREES', { values: 'whole degrees', does: 'turns the hues' }),
  place: 5,
  resolved: (degrees) => turned(degrees) || undefined,
  apply: { sharp: (image, value) => void image.modulate({ hue: value }) },
}
