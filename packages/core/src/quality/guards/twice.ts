import type { Pixels } from '../metric/ssimulacra2.ts'

/** Longest side, in pixels, of pictures that are judged at twice their size too: icons, which 2× screens enlarge. */
export const SMALL_SIDE = 128

/** Returns `true` if a picture is also judged as a 2× screen shows it. */
export function isJudgedTwice({ width, height }: Pick<Pixels, 'width' | 'height'>): boolean {
  return Math.max(width, height) <= SMALL_SIDE
}

/** Enlarges a picture: each pixel becomes 2 × 2. */
export function enlargeTwice({ data, width, height, channels }: Pixels): Pixels {
  const rowBytes = 2 * width * channels
  const twice = new Uint8Array(2 * height * rowBytes)
  for (let y = 0; y < height; y++) {
    const row = 2 * y * rowBytes
    for (let x = 0; x < width; x++) {
      const from = (y * width + x) * channels
      const to = row + 2 * x * channels
      for (let c = 0; c < channels; c++) twice[to + c] = twice[to + channels + c] = data[from + c]!
    }
    twice.copyWithin(row + rowBytes, row, row + rowBytes)
  }
  return { data: twice, width: 2 * width, height: 2 * height, channels }
}
