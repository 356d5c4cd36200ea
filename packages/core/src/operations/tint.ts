import type { Adjustment } from './adjustment.ts'
import { COLOUR, colourFromText } from './colour.ts'
import type { Colour } from './colour.ts'

/** Gives it this colour and leaves its brightness. */
export const tint: Adjustment<Colour, string> = {
  parser: COLOUR,
  place: 4,
  values: 'a colour of CSS, `#` may be left out',
  does: 'gives it a colour and leaves its brightness',
  flag: { value: 'COLOUR', description: 'gives it a colour and leaves its brightness' },
  read: colourFromText,
  // sharp knows no transparent tints.
  resolved: (colour) => colour.slice(0, 7),
  apply: { sharp: (image, colour) => void image.tint(colour) },
}
