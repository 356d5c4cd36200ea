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
    for (let left = 0; left < width; left += SQUARE) {
      let [red, green, blue, alpha, pixels] = [0, 0, 0, 0, 0]
      for (let y = top; y < Math.min(height, top + SQUARE); y++) {
        for (let x = left; x < Math.min(width, left + SQUARE); x++) {
          const at = (y * width + x) * channels
          const [before, after] = channels === 4 ? [data[at + 3]!, other[at + 3]!] : [255, 255]
          red += data[at]! * before - other[at]! * after
          green += data[at + 1]! * before - other[at + 1]! * after
          blue += data[at + 2]! * before - other[at + 2]! * after
          alpha += (before - after) * 255
          pixels++
        }
      }
      const shift = Math.max(
        Math.abs(0.299 * red + 0.587 * green + 0.114 * blue),
        Math.abs(red - green),
        Math.abs(blue - green),
        Math.abs(alpha),
      )
      largest = Math.max(largest, shift / pixels)
    }
  }
  return largest / 255
}
