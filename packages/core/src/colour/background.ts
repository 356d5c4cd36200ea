import { fromLight, toLight } from '../resample/transfer.ts'
import type { Matrix } from './colour-space.ts'
import { apply, conversion, DISPLAY_P3, SRGB, toAdaptedXyz } from './colour-space.ts'

const SRGB_TO_P3: Matrix = conversion(toAdaptedXyz(SRGB), DISPLAY_P3)

/** Converts `#rrggbb`, which is sRGB as in CSS, to 8-bit samples of a space. */
export function colourIn(space: 'srgb' | 'display-p3', hex: string): readonly number[] {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  if (space === 'srgb') return [red, green, blue]
  const light = apply(SRGB_TO_P3, [toLight(red / 255), toLight(green / 255), toLight(blue / 255)])
  return light.map((part) => Math.round(255 * fromLight(Math.min(1, Math.max(0, part)))))
}

/** Blends 8-bit pixels with alpha onto a colour as browsers do: encoded samples, not light. */
export function flatten(data: Uint8Array, colour: readonly number[]): Buffer {
  const flattened = Buffer.allocUnsafe((data.length / 4) * 3)
  for (let from = 0, to = 0; from < data.length; from += 4, to += 3) {
    const alpha = data[from + 3]!
    for (let channel = 0; channel < 3; channel++)
      flattened[to + channel] = (data[from + channel]! * alpha + colour[channel]! * (255 - alpha) + 127) / 255
  }
  return flattened
}

/** Converts `#rrggbb` or `#rrggbbaa` to red, green, blue and alpha, 0 to 255. */
export function samplesOfColour(colour: string): readonly [red: number, green: number, blue: number, alpha: number] {
  const at = (index: number): number => Number.parseInt(colour.slice(index, index + 2), 16)
  return [at(1), at(3), at(5), colour.length === 9 ? at(7) : 255]
}
