import type { Size } from '../resample/size.ts'
import { medianColour } from './median-colour.ts'
import type { Colour } from './median-colour.ts'

/** 8-bit pixels, interleaved, alpha not premultiplied. */
export interface BytePixels extends Size {
  readonly data: Uint8Array
  readonly channels: 3 | 4
}

/** The surroundings of a cut-out object. */
export type Background = Colour | 'transparent'

/** Thickness of the border that is looked at, as a part of the shorter side. */
const BORDER = 0.01

/** Share of the border that must be plain. The object may reach into the rest. */
const PLAIN_SHARE = 0.98
const TRANSPARENT_SHARE = 0.95

/**
 * Largest difference of a channel within one colour: JPEG and a sensor leave that much of a plain wall; a gradient has
 * more.
 */
const SAME_COLOUR = 8

/** Largest alpha that still is nothing. */
const NOTHING = 12

/** The plain colour, or the transparency, all around a picture. `undefined` where the border has anything else. */
export function findPlainBackground(pixels: BytePixels): Background | undefined {
  const border = borderOf(pixels)
  const count = border.length / pixels.channels
  if (pixels.channels === 4) {
    let clear = 0
    for (let at = 3; at < border.length; at += 4) if (border[at]! <= NOTHING) clear++
    if (clear >= count * TRANSPARENT_SHARE) return 'transparent'
  }
  const colour = medianColour({ data: border, channels: pixels.channels })
  const differs = differsFrom(colour, SAME_COLOUR, pixels.channels)
  let plain = 0
  for (let at = 0; at < border.length; at += pixels.channels) if (!differs(border, at)) plain++
  return plain >= count * PLAIN_SHARE ? colour : undefined
}

/** Tells whether two backgrounds look the same, as those of an animation's frames must. */
export function isSameBackground(a: Background, b: Background): boolean {
  if (a === 'transparent' || b === 'transparent') return a === b
  return a.every((value, channel) => Math.abs(value - b[channel]!) <= SAME_COLOUR)
}

/**
 * Returns a function that tells whether the pixel at a byte is farther from a colour than a limit, or not opaque. It is
 * called for every pixel, so what is the same for all of them is given once.
 */
export function differsFrom(
  [red, green, blue]: Colour,
  limit: number,
  channels: 3 | 4,
): (data: Uint8Array, at: number) => boolean {
  return (data, at) =>
    Math.abs(data[at]! - red) > limit ||
    Math.abs(data[at + 1]! - green) > limit ||
    Math.abs(data[at + 2]! - blue) > limit ||
    (channels === 4 && data[at + 3]! < 255 - limit)
}

/** The pixels of the border, in no order that matters. */
function borderOf({ data, width, height, channels }: BytePixels): Uint8Array {
  const thickness = Math.max(1, Math.round(Math.min(width, height) * BORDER))
  const rows: Uint8Array[] = []
  const stride = width * channels
  for (let y = 0; y < height; y++) {
    const row = data.subarray(y * stride, (y + 1) * stride)
    if (y < thickness || y >= height - thickness || width <= thickness * 2) rows.push(row)
    else rows.push(row.subarray(0, thickness * channels), row.subarray(stride - thickness * channels))
  }
  return Buffer.concat(rows)
}
