import type { Picture } from '../picture.ts'

/** Pixels on a side of the squares that are compared: a dot of three pixels covers one of them wherever it lies. */
const SQUARE = 2

/**
 * How far the colour of any small part of a picture has moved, where the score, a mean over the picture, hardly notices
 * that the only red dot of a page has become grey.
 * @param other pixels of the same size and channels
 * @returns the largest difference of a 2×2 square's mean lightness, colour or opacity, in levels of 255
 */
export function largestColourShift({ data, width, height, channels }: Picture, other: Uint8Array): number {
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
