import { pixelWordsOf } from '../metric/pixels.ts'
import type { Pixels } from '../metric/ssimulacra2.ts'

/** Longest side, in pixels, of pictures that are judged at twice their size too: icons, which 2× screens enlarge. */
export const SMALL_SIDE = 128

/** Returns `true` if a picture is also judged as a 2× screen shows it. */
export function isJudgedTwice({ width, height }: Pick<Pixels, 'width' | 'height'>): boolean {
  return Math.max(width, height) <= SMALL_SIDE
}

/** Each pixel as 2 × 2. */
export function enlargeTwice(pixels: Pixels): Pixels {
  const { data, width, height, channels } = pixels
  const rowBytes = 2 * width * channels
  const twice = new Uint8Array(2 * height * rowBytes)
  const from = channels === 4 ? pixelWordsOf(data) : undefined
  if (from) widenWords(from, pixelWordsOf(twice)!, width)
  else widenBytes(pixels, twice)
  for (let row = 0; row < twice.length; row += 2 * rowBytes) twice.copyWithin(row + rowBytes, row, row + rowBytes)
  return { data: twice, width: 2 * width, height: 2 * height, channels }
}

/** Writes each pixel of a row twice, and leaves room for the row that comes of it once more. */
function widenWords(from: Int32Array, to: Int32Array, width: number): void {
  for (let start = 0, at = 0; start < from.length; start += width, at += 2 * width) {
    for (let pixel = start; pixel < start + width; pixel++, at += 2) to[at] = to[at + 1] = from[pixel]!
  }
}

/** The same of pixels of any number of bytes. */
function widenBytes({ data, width, height, channels }: Pixels, to: Uint8Array): void {
  for (let y = 0, from = 0, at = 0; y < height; y++, at += 2 * width * channels) {
    for (let x = 0; x < width; x++, from += channels, at += 2 * channels) {
      to[at] = to[at + channels] = data[from]!
      to[at + 1] = to[at + channels + 1] = data[from + 1]!
      to[at + 2] = to[at + channels + 2] = data[from + 2]!
      if (channels === 4) to[at + 3] = to[at + 7] = data[from + 3]!
    }
  }
}
