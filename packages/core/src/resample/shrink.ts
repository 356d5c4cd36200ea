import type { Size } from './size.ts'
import { blockEdges } from './raster.ts'
import type { LinearRaster, Raster } from './raster.ts'
import { lightTable, WHITE } from './transfer.ts'

/**
 * Area means in linear light: each pixel of the result is the mean of a block of the source. Blocks differ by at most
 * one pixel in each direction and cover the source exactly. Transparent pixels weigh by their alpha, so that colours
 * hidden in them do not show.
 */
export function shrinkRaster(source: Raster, { width, height }: Size): LinearRaster {
  const { channels } = source
  if (width === source.width && height === source.height) return inLight(source)
  const columns = blockEdges(source.width, width)
  const rows = blockEdges(source.height, height)
  const data = new Uint16Array(width * height * channels)
  const sums = new Float64Array(width * channels)
  for (let y = 0; y < height; y++) {
    sums.fill(0)
    for (let row = rows[y]!; row < rows[y + 1]!; row++) {
      if (channels === 3) addOpaqueRow(source, row, columns, sums)
      else addTransparentRow(source, row, columns, sums)
    }
    const means = data.subarray(y * width * channels, (y + 1) * width * channels)
    writeMeans(source, { sums, columns, rowCount: rows[y + 1]! - rows[y]! }, means)
  }
  return { encoding: 'linear16', data, width, height, channels }
}

/** Converts every sample to light: what blocks of one pixel come to. */
function inLight({ data: samples, encoding, width, height, channels }: Raster): LinearRaster {
  const light = lightTable(encoding)
  const opaque = encoding === 'gamma8' ? 255 : WHITE
  const data = new Uint16Array(samples.length)
  if (channels === 3) {
    for (let at = 0; at < data.length; at++) data[at] = light[samples[at]!]!
    return { encoding: 'linear16', data, width, height, channels }
  }
  for (let at = 0; at < data.length; at += 4) {
    const alpha = samples[at + 3]!
    if (alpha === 0) continue
    data[at] = light[samples[at]!]!
    data[at + 1] = light[samples[at + 1]!]!
    data[at + 2] = light[samples[at + 2]!]!
    data[at + 3] = (alpha / opaque) * WHITE + 0.5
  }
  return { encoding: 'linear16', data, width, height, channels }
}

function addOpaqueRow({ data, width, encoding }: Raster, row: number, columns: Int32Array, sums: Float64Array): void {
  const light = lightTable(encoding)
  let at = row * width * 3
  for (let x = 0, to = 0; x + 1 < columns.length; x++, to += 3) {
    let red = 0
    let green = 0
    let blue = 0
    for (const end = at + (columns[x + 1]! - columns[x]!) * 3; at < end; at += 3) {
      red += light[data[at]!]!
      green += light[data[at + 1]!]!
      blue += light[data[at + 2]!]!
    }
    sums[to] = sums[to]! + red
    sums[to + 1] = sums[to + 1]! + green
    sums[to + 2] = sums[to + 2]! + blue
  }
}

/** Adds a row whose colours weigh by their alpha. The sum of alpha takes its place. */
function addTransparentRow(
  { data, width, encoding }: Raster,
  row: number,
  columns: Int32Array,
  sums: Float64Array,
): void {
  const light = lightTable(encoding)
  let at = row * width * 4
  for (let x = 0, to = 0; x + 1 < columns.length; x++, to += 4) {
    let red = 0
    let green = 0
    let blue = 0
    let alphas = 0
    for (const end = at + (columns[x + 1]! - columns[x]!) * 4; at < end; at += 4) {
      const alpha = data[at + 3]!
      red += light[data[at]!]! * alpha
      green += light[data[at + 1]!]! * alpha
      blue += light[data[at + 2]!]! * alpha
      alphas += alpha
    }
    sums[to] = sums[to]! + red
    sums[to + 1] = sums[to + 1]! + green
    sums[to + 2] = sums[to + 2]! + blue
    sums[to + 3] = sums[to + 3]! + alphas
  }
}

/** The sums of one row of blocks, by channel, with the edges of its columns and the number of its rows. */
interface BlockSums {
  readonly sums: Float64Array
  readonly columns: Int32Array
  readonly rowCount: number
}

function writeMeans({ channels, encoding }: Raster, { sums, columns, rowCount }: BlockSums, means: Uint16Array): void {
  const opaque = encoding === 'gamma8' ? 255 : WHITE
  for (let x = 0, at = 0; x + 1 < columns.length; x++, at += channels) {
    const count = (columns[x + 1]! - columns[x]!) * rowCount
    const weight = channels === 4 ? sums[at + 3]! : count
    if (weight === 0) continue
    for (let channel = 0; channel < 3; channel++) means[at + channel] = sums[at + channel]! / weight + 0.5
    if (channels === 4) means[at + 3] = ((weight / opaque) * WHITE) / count + 0.5
  }
}
