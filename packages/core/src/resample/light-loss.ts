import type { Size } from './size.ts'
import { blockEdges } from './raster.ts'
import type { GammaRaster } from './raster.ts'
import { encodedTable, lightTable } from './transfer.ts'

/**
 * By how many levels of 255 each block of pixels comes out too dark if its samples are averaged instead of their light: 0
 * in plain areas, 60 in checks of black and white. In the layout of the result's pixels. About 2 ms per megapixel in
 * large blocks, 7 in those of 2 × 2.
 * @param source - opaque
 */
export function lightLoss(source: GammaRaster & { readonly channels: 3 }, { width, height }: Size): Uint8Array {
  const columns = blockEdges(source.width, width)
  const rows = blockEdges(source.height, height)
  const largest = Math.ceil(source.width / width) * Math.ceil(source.height / height)
  // A sum of samples stays below this, so that light can be summed above it in the same number: half the work.
  const unit = 2 ** Math.ceil(Math.log2(largest * 256))
  const table = Float64Array.from(lightTable('gamma8'), (light, sample) => light * unit + sample)
  const loss = new Uint8Array(width * height * 3)
  const sums = new Float64Array(width * 3)
  for (let y = 0; y < height; y++) {
    sums.fill(0)
    for (let row = rows[y]!; row < rows[y + 1]!; row++) addRow(source, row, columns, table, sums)
    const ofRow = loss.subarray(y * width * 3, (y + 1) * width * 3)
    writeLoss(sums, columns, rows[y + 1]! - rows[y]!, unit, ofRow)
  }
  return loss
}

function addRow(
  { data, width }: GammaRaster,
  row: number,
  columns: Int32Array,
  table: Float64Array,
  sums: Float64Array,
): void {
  let at = row * width * 3
  for (let x = 0, to = 0; x + 1 < columns.length; x++, to += 3) {
    let red = 0
    let green = 0
    let blue = 0
    for (const end = at + (columns[x + 1]! - columns[x]!) * 3; at < end; at += 3) {
      red += table[data[at]!]!
      green += table[data[at + 1]!]!
      blue += table[data[at + 2]!]!
    }
    sums[to] = sums[to]! + red
    sums[to + 1] = sums[to + 1]! + green
    sums[to + 2] = sums[to + 2]! + blue
  }
}

function writeLoss(sums: Float64Array, columns: Int32Array, rowCount: number, unit: number, loss: Uint8Array): void {
  const encoded = encodedTable()
  for (let x = 0, at = 0; x + 1 < columns.length; x++) {
    const scale = 1 / ((columns[x + 1]! - columns[x]!) * rowCount)
    for (const end = at + 3; at < end; at++) {
      const light = Math.floor(sums[at]! / unit)
      const samples = sums[at]! - light * unit
      const lost = encoded[(light * scale + 0.5) | 0]! - samples * scale
      if (lost > 0) loss[at] = lost + 0.5
    }
  }
}
