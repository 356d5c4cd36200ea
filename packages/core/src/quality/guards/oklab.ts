/**
 * Converts sRGB values to OKLab (Björn Ottosson, 2020) as a screen shows them, with flare. Without flare, invisible
 * differences among nearly black colours would count. The conversion uses only additions, multiplications and
 * divisions, so that every machine and every JavaScript engine gives the same numbers.
 */

export type Lab = readonly [lightness: number, a: number, b: number]

/** Light that a screen reflects everywhere, as a share of its brightest white. */
const FLARE = 0.005

/** Returns the linear light with flare (0.005…1) of an sRGB value (0…1), by IEC 61966-2-1. */
export function seenLight(value: number): number {
  return (value <= 0.04045 ? value / 12.92 : power12Fifths((value + 0.055) / 1.055)) * (1 - FLARE) + FLARE
}

/** Returns the same for the sRGB values 0, 1/last, … 1. */
export function seenLights(last: number): Float32Array {
  return Float32Array.from({ length: last + 1 }, (_, i) => seenLight(i / last))
}

/** Converts sRGB values from 0 to 255, which need not be integers. Lightness is 0…1. */
export function oklab(red: number, green: number, blue: number): Lab {
  const r = seenLight(red / 255)
  const g = seenLight(green / 255)
  const b = seenLight(blue / 255)
  const long = cubeRoot(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const medium = cubeRoot(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const short = cubeRoot(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ]
}

/** Returns x^2.4 for 0 < x ≤ 1, as x² times its fifth root. */
function power12Fifths(x: number): number {
  const square = x * x
  return square * fifthRoot(square)
}

/**
 * Returns the fifth root of a number up to 1. Newton's steps towards it go down from above until rounding stops them.
 * They stand in two loops, as functions of steps make garbage for each of 65,000 levels.
 */
function fifthRoot(x: number): number {
  let y = 1
  for (;;) {
    const next = (4 * y + x / (y * y * y * y)) / 5
    if (!(next < y)) return y
    y = next
  }
}

/** Returns the cube root of a number that is not negative. */
export function cubeRoot(x: number): number {
  if (!(x > 0)) return 0
  let y = Math.max(1, x)
  for (;;) {
    const next = (2 * y + x / (y * y)) / 3
    if (!(next < y)) return y
    y = next
  }
}
