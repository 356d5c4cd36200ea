/** A colour's share of red and green light: CIE 1931 x and y. */
export type Chromaticity = readonly [x: number, y: number]

/** Three numbers times three: rows of a matrix that is applied to a column of red, green, blue or X, Y, Z. */
export type Matrix = readonly [
  readonly [number, number, number],
  readonly [number, number, number],
  readonly [number, number, number],
]

/** An RGB colour space, as far as image files describe one. */
export interface ColourSpace {
  readonly red: Chromaticity
  readonly green: Chromaticity
  readonly blue: Chromaticity
  readonly white: Chromaticity
  /** Light is the sample, 0 to 1, to this power; `srgb` is the two-part curve of IEC 61966-2-1. */
  readonly transfer: number | 'srgb'
}

const D65: Chromaticity = [0.3127, 0.329]

/** IEC 61966-2-1. */
export const SRGB: ColourSpace = {
  red: [0.64, 0.33],
  green: [0.3, 0.6],
  blue: [0.15, 0.06],
  white: D65,
  transfer: 'srgb',
}

/** The primaries of SMPTE RP 431-2 with the white and the curve of sRGB, as screens and cameras have it. */
export const DISPLAY_P3: ColourSpace = { ...SRGB, red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06] }

/** Bradford's cone responses, in which ICC profiles adapt their white to D50 (ICC.1:2022 annex E). */
const BRADFORD: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
]

/** The white of the ICC profile connection space (ICC.1:2022 section 6.3.4.3). */
export const D50: readonly [number, number, number] = [0.9642, 1, 0.8249]

/** Returns the matrix from linear light of a space to X, Y, Z. Its columns are the space's primaries. */
function lightToXyz({ red, green, blue, white }: ColourSpace): Matrix {
  const primaries = transpose([xyz(red), xyz(green), xyz(blue)])
  const [r, g, b] = apply(invert(primaries), xyz(white))
  return multiply(primaries, [
    [r, 0, 0],
    [0, g, 0],
    [0, 0, b],
  ])
}

/** Returns the matrix from linear light of a space to X, Y, Z under D50, as ICC profiles have it. */
export function toAdaptedXyz(space: ColourSpace): Matrix {
  const from = apply(BRADFORD, xyz(space.white))
  const to = apply(BRADFORD, D50)
  const scale: Matrix = [
    [to[0] / from[0], 0, 0],
    [0, to[1] / from[1], 0],
    [0, 0, to[2] / from[2]],
  ]
  return multiply(multiply(invert(BRADFORD), multiply(scale, BRADFORD)), lightToXyz(space))
}

/** Returns the matrix from linear light, whose way to X, Y, Z under D50 is known, to that of a space. */
export function conversion(toXyz: Matrix, to: ColourSpace): Matrix {
  return multiply(invert(toAdaptedXyz(to)), toXyz)
}

/** Multiplies a matrix with a vector. */
export function apply([a, b, c]: Matrix, [x, y, z]: readonly [number, number, number]): [number, number, number] {
  return [a[0] * x + a[1] * y + a[2] * z, b[0] * x + b[1] * y + b[2] * z, c[0] * x + c[1] * y + c[2] * z]
}

function xyz([x, y]: Chromaticity): [number, number, number] {
  return [x / y, 1, (1 - x - y) / y]
}

function transpose([a, b, c]: Matrix): Matrix {
  return [
    [a[0], b[0], c[0]],
    [a[1], b[1], c[1]],
    [a[2], b[2], c[2]],
  ]
}

function multiply(left: Matrix, right: Matrix): Matrix {
  const [x, y, z] = transpose(right)
  return transpose([apply(left, x), apply(left, y), apply(left, z)])
}

function invert([a, b, c]: Matrix): Matrix {
  const crossed: Matrix = [cross(b, c), cross(c, a), cross(a, b)]
  const determinant = a[0] * crossed[0][0] + a[1] * crossed[0][1] + a[2] * crossed[0][2]
  const scaled = crossed.map((row) => row.map((value) => value / determinant)) as unknown as Matrix
  return transpose(scaled)
}

function cross(a: readonly [number, number, number], b: readonly [number, number, number]): [number, number, number] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
