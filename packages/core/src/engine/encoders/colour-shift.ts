/** Interleaved pixels of 8 bits, with or without alpha. */
interface Pixels {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
  readonly channels: 3 | 4
}

/**
 * Pixels on a side of the squares that are compared: smoothed edges, which may move, fill a third of one; a dot of three
 * pixels fills at least four ninths of one, wherever it lies.
 */
const SQUARE = 3

/** Levels of 255 by which a small part's colour may move, at a target of 0; a point of the target takes one off. */
const TOLERATED = 120

/** Points to take off a score for colours that have moved too far for its target. */
export function shiftPenalty(original: Pixels, other: Uint8Array, target: number): number {
  return Math.max(0, largestColourShift(original, other) - (TOLERATED - target))
}

/**
 * How far the colour of any small part of a picture has moved, where the score, a mean over the picture, hardly notices
 * that the only red dot of a page has become grey.
 * @param other pixels of the same size and channels
 * @returns the largest difference of a 3×3 square's mean lightness, colour or opacity, in levels of 255
 */
export function largestColourShift({ data, width, height, channels }: Pixels, other: Uint8Array): number {
  let largest = 0
  for (let top = 0; top < height; top += SQUARE) {
    const bottom = Math.min(height, top + SQUARE)
    for (let left = 0; left < width; left += SQUARE) {
      const right = Math.min(width, left + SQUARE)
      let red = 0
      let green = 0
      let blue = 0
      let alpha = 0
      for (let y = top; y < bottom; y++) {
        const end = (y * width + right) * channels
        for (let at = (y * width + left) * channels; at < end; at += channels) {
          if (channels === 4) {
            const before = data[at + 3]!
            const after = other[at + 3]!
            red += data[at]! * before - other[at]! * after
            green += data[at + 1]! * before - other[at + 1]! * after
            blue += data[at + 2]! * before - other[at + 2]! * after
            alpha += before - after
          } else {
            red += data[at]! - other[at]!
            green += data[at + 1]! - other[at + 1]!
            blue += data[at + 2]! - other[at + 2]!
          }
        }
      }
      const shift = Math.max(
        Math.abs(0.299 * red + 0.587 * green + 0.114 * blue),
        Math.abs(red - green),
        Math.abs(blue - green),
        Math.abs(alpha * 255),
      )
      const pixels = (bottom - top) * (right - left)
      if (shift > largest * pixels) largest = shift / pixels
    }
  }
  return channels === 4 ? largest / 255 : largest
}
