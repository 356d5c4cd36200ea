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
