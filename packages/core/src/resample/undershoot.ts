import type { LinearRaster } from './raster.ts'
import type { Size } from './size.ts'
import { WHITE } from './transfer.ts'

/**
 * Lightens colours that are darker than everything around them in the source. Kernels undershoot beside bright pixels,
 * and in linear light a tenth of white below a dark blue is black: letters would have black outlines. Only pixels
 * within the kernel's main lobe count, so that fine patterns keep their contrast.
 * @param scaled colours of the source in a smaller size, three for each pixel, which are changed in place
 */
export function withoutUndershoot(scaled: Uint16Array, source: LinearRaster, size: Size): void {
  const rows = lowestAcross(source, size.width)
  const rowLength = size.width * 3
  const lobes = lobesOf(source.height, size.height)
  const lowest = new Uint16Array(rowLength)
  for (let y = 0; y < size.height; y++) {
    lowest.fill(WHITE)
    for (let row = lobes.first[y]!; row <= lobes.last[y]!; row++) {
      const start = row * rowLength
      for (let at = 0; at < rowLength; at++) if (rows[start + at]! < lowest[at]!) lowest[at] = rows[start + at]!
    }
    const start = y * rowLength
    // White stands for transparent pixels, too, whose colours say nothing.
    for (let at = 0; at < rowLength; at++)
      if (scaled[start + at]! < lowest[at]! && lowest[at]! < WHITE) scaled[start + at] = lowest[at]!
  }
}

/** Returns the lowest samples around each pixel of a narrower raster, in all rows of the source. */
function lowestAcross({ data, width, height, channels }: LinearRaster, narrow: number): Uint16Array {
  const lobes = lobesOf(width, narrow)
  const lowest = new Uint16Array(narrow * height * 3).fill(WHITE)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < narrow; x++) {
      const to = (y * narrow + x) * 3
      for (let column = lobes.first[x]!; column <= lobes.last[x]!; column++) {
        const from = (y * width + column) * channels
        if (channels === 4 && data[from + 3] === 0) continue
        for (let channel = 0; channel < 3; channel++)
          if (data[from + channel]! < lowest[to + channel]!) lowest[to + channel] = data[from + channel]!
      }
    }
  }
  return lowest
}

/** The first and the last of the source's pixels that are within one pixel of each of the smaller raster's. */
function lobesOf(long: number, short: number): Record<'first' | 'last', Uint32Array> {
  const scale = long / short
  const [first, last] = [new Uint32Array(short), new Uint32Array(short)]
  for (let at = 0; at < short; at++) {
    const middle = (at + 0.5) * scale - 0.5
    first[at] = Math.max(0, Math.ceil(middle - scale))
    last[at] = Math.min(long - 1, Math.floor(middle + scale))
  }
  return { first, last }
}
