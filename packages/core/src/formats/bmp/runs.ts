/** Pixels in runs (Microsoft, "Bitmap Compression"). */
import type { BmpHeader } from './header.ts'

/** Receives a pixel of a row, counted from the bottom, and its number of a colour. */
type Put = (x: number, row: number, colour: number) => void

/**
 * Follows the runs to their end. Pixels outside of the picture are left out, and runs may leave some inside without a
 * colour.
 * @throws Error if the runs end before their end mark
 */
export function followRuns(source: Uint8Array, { width, height, coding, pixels }: BmpHeader, put: Put): void {
  const perByte = coding === 'rle4' ? 2 : 1
  let at = pixels
  let [x, row] = [0, 0]
  const next = (): number => {
    const byte = source[at++]
    if (byte === undefined) throw new Error('the runs end too early')
    return byte
  }
  /** A pixel of a run: the bytes hold one colour, or two in turn. */
  const set = (byte: number, index: number): void => {
    if (x < width && row < height) put(x, row, perByte === 1 ? byte : index % 2 === 0 ? byte >> 4 : byte & 15)
    x++
  }
  while (row < height) {
    const count = next()
    const value = next()
    if (count > 0) {
      for (let index = 0; index < count; index++) set(value, index)
    } else if (value === 0) {
      x = 0
      row++
    } else if (value === 1) {
      break
    } else if (value === 2) {
      x += next()
      row += next()
    } else {
      const start = at
      for (let index = 0; index < value; index++) set(index % perByte === 0 ? next() : source[at - 1]!, index)
      // Whole words of 16 bits.
      if ((at - start) % 2 === 1) next()
    }
  }
}
