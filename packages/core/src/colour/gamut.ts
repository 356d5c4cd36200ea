import type { GammaRaster, Raster } from '../resample/raster.ts'
import { encodedTable, lightTable, toByte, WHITE } from '../resample/transfer.ts'
import { clippedBytes, P3_TO_SRGB } from './clipped-bytes.ts'
import type { Matrix } from './colour-space.ts'

/** Difference in Oklab that is just noticed (CSS Color Module Level 4, section 13.2). */
const SQUARED_NOTICEABLE = 0.02 ** 2

/** One pixel in so many must change noticeably: 32 × 32 of a megapixel. Fewer are noise at edges. */
const PIXELS_PER_NOTICED = 1000

/**
 * A quarter of that difference, in one pixel in so many, costs a score as well. Clipping alone left 16 pictures with so
 * many such pixels at scores of 40 to 96 on a screen of Display P3, eleven of them below 93, and all others at 95 or
 * more. An encoder's errors come on top of it.
 */
const SQUARED_MEASURABLE = 0.005 ** 2
const PIXELS_PER_MEASURED = 50

/**
 * Pixels that are looked at, spread over the picture: looking at all took three quarters of the time of converting
 * them.
 */
const MOST_PIXELS = 500_000

/** Light beyond 0…1 that rounding alone explains. */
const ROUNDING = 0.0005

const [[RR, RG, RB], [GR, GG, GB], [BR, BG, BB]] = P3_TO_SRGB

/** Björn Ottosson's Oklab, from light of sRGB (https://bottosson.github.io/posts/oklab/). */
const [[LR, LG, LB], [MR, MG, MB], [SR, SG, SB]]: Matrix = [
  [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
  [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
  [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
]
const CONES_TO_LAB: Matrix = [
  [0.210_454_255_3, 0.793_617_785, -0.004_072_046_8],
  [1.977_998_495_1, -2.428_592_205, 0.450_593_709_9],
  [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766],
]

/**
 * Tells whether a picture in Display P3 would look different in sRGB: a thousandth of its pixels change noticeably, or
 * a fiftieth so much that it can be measured.
 */
export function needsWideGamut({ data, encoding, channels, width, height }: Raster): boolean {
  const step = pixelStep(width, height)
  const looked = (width * height) / step
  const light = lightTable(encoding)
  const clear = (encoding === 'gamma8' ? 255 : WHITE) / 8
  const [least, most] = [-ROUNDING, 1 + ROUNDING]
  let noticed = 0
  let measured = 0
  for (let at = 0; at < data.length; at += channels * step) {
    if (channels === 4 && data[at + 3]! < clear) continue
    const r = light[data[at]!]! / WHITE
    const g = light[data[at + 1]!]! / WHITE
    const b = light[data[at + 2]!]! / WHITE
    const red = RR * r + RG * g + RB * b
    const green = GR * r + GG * g + GB * b
    const blue = BR * r + BG * g + BB * b
    const isInside = red >= least && red <= most && green >= least && green <= most && blue >= least && blue <= most
    if (isInside) continue
    const distance = clippedDistance(red, green, blue)
    if (distance <= SQUARED_MEASURABLE) continue
    measured++
    if (distance > SQUARED_NOTICEABLE) noticed++
    if (noticed >= Math.max(1, looked / PIXELS_PER_NOTICED) || measured >= Math.max(1, looked / PIXELS_PER_MEASURED))
      return true
  }
  return false
}

/**
 * Returns the step from each pixel that is looked at to the next. It does not divide the width, so that the pixels are
 * not all in a few columns.
 */
function pixelStep(width: number, height: number): number {
  let step = Math.ceil((width * height) / MOST_PIXELS)
  while (step > 1 && width % step === 0) step++
  return step
}

/**
 * Converts Display P3 to sRGB, relative colorimetric: colours within sRGB stay exactly, others are clipped per channel.
 */
export function toSrgb(raster: Raster): GammaRaster {
  const { data: from, encoding, width, height, channels } = raster
  // Every score of a picture in Display P3 converts its bytes; more bits come from a source, once.
  if (encoding === 'gamma8') return { ...raster, data: clippedBytes(from, channels) }
  const light = lightTable(encoding)
  const table = encodedTable()
  const data = Buffer.allocUnsafe(from.length)
  for (let at = 0; at < data.length; at += channels) {
    if (channels === 4 && from[at + 3] === 0) {
      data.fill(0, at, at + 4)
      continue
    }
    const r = light[from[at]!]!
    const g = light[from[at + 1]!]!
    const b = light[from[at + 2]!]!
    data[at] = table[sample(RR * r + RG * g + RB * b)]!
    data[at + 1] = table[sample(GR * r + GG * g + GB * b)]!
    data[at + 2] = table[sample(BR * r + BG * g + BB * b)]!
    if (channels === 4) data[at + 3] = toByte(from[at + 3]!)
  }
  return { encoding: 'gamma8', data, width, height, channels }
}

const sample = (light: number): number => (light <= 0 ? 0 : light >= WHITE ? WHITE : (light + 0.5) | 0)

const clip = (light: number): number => (light <= 0 ? 0 : light >= 1 ? 1 : light)

/**
 * Computes the squared difference in Oklab between linear sRGB and its clipped form. It is called for each pixel, so it
 * makes no arrays.
 */
function clippedDistance(red: number, green: number, blue: number): number {
  const r = clip(red)
  const g = clip(green)
  const b = clip(blue)
  const long = Math.cbrt(LR * red + LG * green + LB * blue) - Math.cbrt(LR * r + LG * g + LB * b)
  const medium = Math.cbrt(MR * red + MG * green + MB * blue) - Math.cbrt(MR * r + MG * g + MB * b)
  const short = Math.cbrt(SR * red + SG * green + SB * blue) - Math.cbrt(SR * r + SG * g + SB * b)
  const lightness = CONES_TO_LAB[0][0] * long + CONES_TO_LAB[0][1] * medium + CONES_TO_LAB[0][2] * short
  const one = CONES_TO_LAB[1][0] * long + CONES_TO_LAB[1][1] * medium + CONES_TO_LAB[1][2] * short
  const other = CONES_TO_LAB[2][0] * long + CONES_TO_LAB[2][1] * medium + CONES_TO_LAB[2][2] * short
  return lightness * lightness + one * one + other * other
}
