/** Colours beyond Display P3, of which screens of sRGB and of Display P3 each show their own nearest. */
import type { Matrix } from './colour-space.ts'
import { apply, conversion, DISPLAY_P3, SRGB, toAdaptedXyz } from './colour-space.ts'

const P3_TO_SRGB: Matrix = conversion(toAdaptedXyz(DISPLAY_P3), SRGB)
const SRGB_TO_P3: Matrix = conversion(toAdaptedXyz(SRGB), DISPLAY_P3)

type Light = [number, number, number]

const clip = (light: number): number => (light <= 0 ? 0 : light >= 1 ? 1 : light)

/**
 * Clips linear Display P3 to 0…1. A browser clips a colour per channel to the gamut of its screen. A colour that is
 * clipped to Display P3 first would change on a screen of sRGB, where most are seen: by up to 30 levels of 255. The
 * result of this function looks the same on those, and nearly the same on screens of Display P3.
 */
export function clipToP3(light: Light): Light {
  const wanted = apply(P3_TO_SRGB, light)
  let clipped = light.map(clip) as Light
  for (let round = 0; round < ROUNDS; round++) {
    const shown = apply(P3_TO_SRGB, clipped)
    // A channel that is clipped on a screen of sRGB may be anywhere beyond; the others are to be what they were.
    const mended = shown.map((value, index) => {
      const aim = wanted[index]!
      return aim <= 0 ? Math.min(0, value) : aim >= 1 ? Math.max(1, value) : aim
    }) as Light
    clipped = apply(SRGB_TO_P3, mended).map(clip) as Light
  }
  return clipped
}

/** Measured on two pictures in ProPhoto that were off by 30 levels of 255: 8 rounds leave 3. */
const ROUNDS = 8

/** Colours that are remembered, a power of two: a screenshot has a few thousand. */
const SLOTS = 2 ** 14

/** Spreads the bits of a number over its upper ones: 2³² divided by the golden ratio (Knuth, volume 3, section 6.4). */
const SPREAD = 0x9e3779b1

/**
 * The colours of one picture that lie beyond Display P3, each of which is clipped when it is met. The white
 * of many screens is such a colour by their profiles: a screenshot of 2.4 megapixels took four seconds when every pixel
 * was clipped anew.
 */
export class ClippedColours {
  /** Red, green and blue of every slot, from 0 to 1. */
  readonly light: Float64Array = new Float64Array(3 * SLOTS)
  readonly #keys = new Float64Array(SLOTS).fill(-1)

  /**
   * Returns where the clipped light of a colour begins in `light`.
   * @param key an integer from 0 on that no other colour of the picture has
   */
  placeOf(key: number, red: number, green: number, blue: number): number {
    const slot = Math.imul(key | 0, SPREAD) >>> 18
    if (this.#keys[slot] !== key) {
      this.#keys[slot] = key
      this.light.set(clipToP3([red, green, blue]), 3 * slot)
    }
    return 3 * slot
  }
}
