/** Pixels through the tables of a profile, and CMYK without one, as Chromium computes them. */
import type { LinearRaster, Raster } from '../resample/raster.ts'
import { WHITE } from '../resample/transfer.ts'
import type { Matrix } from './colour-space.ts'
import { conversion, D50, SRGB } from './colour-space.ts'
import type { Curve } from './curve.ts'
import type { Grid, TableProfile } from './table-profile.ts'

const XYZ_TO_SRGB: Matrix = conversion(
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  SRGB,
)

/**
 * Converts samples by a profile of tables to linear sRGB. Values outside of it are clipped per channel.
 *
 * Chromium makes red, green and blue of CMYK before it looks at the profile, and then takes what each of them lacks for
 * an ink without any black. Printers mean something else by it, but users see this.
 */
export function convertByTables(samples: Raster, profile: TableProfile): LinearRaster {
  const { data: from, width, height, channels } = samples
  const top = samples.encoding === 'gamma8' ? 255 : WHITE
  const isInk = profile.channels === 4
  const inputs = profile.inputs.map((curve) => tableOf(isInk ? (sample) => curve(1 - sample) : curve, top))
  const looked = new Float64Array(3)
  const position = new Float64Array(profile.channels)
  if (isInk) position[3] = inputs[3]![top]!
  const data = new Uint16Array(from.length)
  for (let at = 0; at < from.length; at += channels) {
    for (let channel = 0; channel < 3; channel++) position[channel] = inputs[channel]![from[at + channel]!]!
    lookUp(profile.grid, position, looked)
    toLightOfSrgb(profile, looked)
    data[at] = clipped(looked[0]!)
    data[at + 1] = clipped(looked[1]!)
    data[at + 2] = clipped(looked[2]!)
    if (channels === 4) data[at + 3] = (from[at + 3]! / top) * WHITE + 0.5
  }
  return { encoding: 'linear16', data, width, height, channels }
}

/** Tabulates a curve for each sample, clipped to the grid. */
function tableOf(curve: Curve, top: number): Float64Array {
  return Float64Array.from({ length: top + 1 }, (_, sample) => Math.min(1, Math.max(0, curve(sample / top))))
}

/** The mean of the crossings around a position, each by how near it is along every line. */
function lookUp({ points, values }: Grid, position: Float64Array, looked: Float64Array): void {
  const dimensions = points.length
  looked.fill(0)
  for (let corner = 0; corner < 1 << dimensions; corner++) {
    let weight = 1
    let index = 0
    for (let axis = 0; axis < dimensions; axis++) {
      const last = points[axis]! - 1
      const at = position[axis]! * last
      const below = Math.min(at | 0, last - 1)
      const share = at - below
      const isAbove = (corner >> axis) & 1
      weight *= isAbove === 1 ? share : 1 - share
      if (weight === 0) break
      index = index * points[axis]! + below + isAbove
    }
    if (weight === 0) continue
    looked[0]! += weight * values[index * 3]!
    looked[1]! += weight * values[index * 3 + 1]!
    looked[2]! += weight * values[index * 3 + 2]!
  }
}

/** Converts a colour of the grid to linear sRGB, in place. */
function toLightOfSrgb({ matrix, outputs, isLab }: TableProfile, colour: Float64Array): void {
  if (matrix !== undefined) {
    const [a, b, c] = matrix.curves.map((curve, index) => curve(colour[index]!)) as [number, number, number]
    for (const [index, [x = 0, y = 0, z = 0, more = 0]] of matrix.rows.entries()) {
      colour[index] = Math.min(1, Math.max(0, x * a + y * b + z * c + more))
    }
  }
  for (let index = 0; index < 3; index++) colour[index] = outputs[index]!(colour[index]!)
  if (isLab) labToXyz(colour)
  const [x, y, z] = [colour[0]!, colour[1]!, colour[2]!]
  for (let index = 0; index < 3; index++) {
    const row = XYZ_TO_SRGB[index]!
    colour[index] = row[0] * x + row[1] * y + row[2] * z
  }
}

/** Converts L* of 100, a* and b* of -128 to 127, each as 0…1, to X, Y, Z (CIE 15:2004 section 8.2.1). */
function labToXyz(colour: Float64Array): void {
  const y = (colour[0]! * 100 + 16) / 116
  const x = y + (colour[1]! * 255 - 128) / 500
  const z = y - (colour[2]! * 255 - 128) / 200
  colour[0] = D50[0] * cubed(x)
  colour[1] = D50[1] * cubed(y)
  colour[2] = D50[2] * cubed(z)
}

const cubed = (root: number): number => (root ** 3 > 0.008856 ? root ** 3 : (root - 16 / 116) / 7.787)

const clipped = (light: number): number => (light <= 0 ? 0 : light >= 1 ? WHITE : light * WHITE + 0.5)

/**
 * Converts cyan, magenta, yellow and black, of which 255 is all, to red, green and blue: each ink leaves a part of the
 * light that black leaves.
 */
export function convertInks(inks: Uint8Array): Buffer {
  const data = Buffer.allocUnsafe((inks.length / 4) * 3)
  for (let at = 0, to = 0; at < inks.length; at += 4, to += 3) {
    const left = 255 - inks[at + 3]!
    data[to] = ((255 - inks[at]!) * left) / 255
    data[to + 1] = ((255 - inks[at + 1]!) * left) / 255
    data[to + 2] = ((255 - inks[at + 2]!) * left) / 255
  }
  return data
}
