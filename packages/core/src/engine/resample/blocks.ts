/** Where each of `count` blocks of pixels begins, and the end of the last: they cover a length, and differ by one at most. */
export function blockEdges(length: number, count: number): Int32Array {
  return Int32Array.from({ length: count + 1 }, (_, index) => Math.round((index * length) / count))
}
