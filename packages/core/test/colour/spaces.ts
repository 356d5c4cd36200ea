import type { ColourSpace } from '../../src/colour/colour-space.ts'
import { SRGB } from '../../src/colour/colour-space.ts'

/** Adobe RGB (1998) Color Image Encoding, section 4.2. */
export const ADOBE_RGB: ColourSpace = { ...SRGB, green: [0.21, 0.71], transfer: 563 / 256 }

/** ISO 22028-2 (ROMM RGB), without its linear toe. */
export const PROPHOTO: ColourSpace = {
  red: [0.7347, 0.2653],
  green: [0.1596, 0.8404],
  blue: [0.0366, 0.0001],
  white: [0.3457, 0.3585],
  transfer: 1.8,
}
