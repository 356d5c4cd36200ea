import type { LinearRaster } from '../resample/raster.ts'
import { WHITE } from '../resample/transfer.ts'
import type { Matrix } from './colour-space.ts'
import { apply, conversion, DISPLAY_P3, SRGB, toAdaptedXyz } from './colour-space.ts'

/** Light of Display P3 → light of sRGB. */
const P3_TO_SRGB: Matrix = conversion(toAdaptedXyz(DISPLAY_P3), SRGB)

/** Difference in Oklab that is just noticed (CSS Color Module Level 4, section 13.2). */
const NOTICEABLE = 0.02

/** One pixel in so many must change: 32 × 32 of a megapixel. Fewer are noise at edges. */
const PIXELS_PER_NOTICED = 1000

/** Light beyond 0…1 that rounding alone explains. */
const ROUNDING = 0.0005

const [[RR, RG, RB], [GR, GG, GB], [BR, BG, BB]] = P3_TO_SRGB

/** Whether a picture in Display P3 would look different in sRGB: a thousandth of its pixels change noticeably. */
export function needsWideGamut({ data, channels, width, height }: LinearRaster): boolean {
  const enough = Math.max(1, (width * height) / PIXELS_PER_NOTICED)
  const [least, most] = [-ROUNDING, 1 + ROUNDING]
  let noticed = 0
  for (let at = 0; at < data.length; at += channels) {
    if (channels === 4 && data[at + 3]! < WHITE / 8) continue
    const r = data[at]! / WHITE
    const g = data[at + 1]! / WHITE
    const b = data[at + 2]! / WHITE
    const red = RR * r + RG * g + RB * b
    const green = GR * r + GG * g + GB * b
    const blue = BR * r + BG * g + BB * b
    const isInside = red >= least && red <= most && green >= least && green <= most && blue >= least && blue <= most
    if (isInside || difference([red, green, blue], [clip(red), clip(green), clip(blue)]) <= NOTICEABLE) continue
    noticed++
    if (noticed >= enough) return true
  }
  return false
}

/** Display P3 → sRGB, relative colorimetric: what sRGB has stays exactly, what it has not becomes its nearest edge per channel. */
export function toSrgb(source: LinearRaster): LinearRaster {
  const { channels } = source
  const data = Uint16Array.from(source.data)
  for (let at = 0; at < data.length; at += channels) {
    const r = data[at]!
    const g = data[at + 1]!
    const b = data[at + 2]!
    data[at] = sample(RR * r + RG * g + RB * b)
    data[at + 1] = sample(GR * r + GG * g + GB * b)
    data[at + 2] = sample(BR * r + BG * g + BB * b)
  }
  return { ...source, data }
}

const sample = (light: number): number => Math.min(WHITE, Math.max(0, Math.round(light)))

const clip = (light: number): number => Math.min(1, Math.max(0, light))

type Triple = readonly [number, number, number]

function difference(a: Triple, b: Triple): number {
  const [first, second] = [oklab(a), oklab(b)]
  return Math.hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2])
}

const LIGHT_TO_CONES: Matrix = [
  [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
  [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
  [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
]
const CONES_TO_LAB: Matrix = [
  [0.210_454_255_3, 0.793_617_785, -0.004_072_046_8],
  [1.977_998_495_1, -2.428_592_205, 0.450_593_709_9],
  [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766],
]

/** Björn Ottosson's Oklab, from light of sRGB (https://bottosson.github.io/posts/oklab/). */
function oklab(light: Triple): Triple {
  const cones = apply(LIGHT_TO_CONES, light)
  return apply(CONES_TO_LAB, [Math.cbrt(cones[0]), Math.cbrt(cones[1]), Math.cbrt(cones[2])])
}
