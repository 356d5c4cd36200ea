import { WEIGHTS } from '../../../src/quality/metric/weights.ts'

// SSIMULACRA 2.1 as its definition reads, in double precision, plane by plane and with every weight: what the
// WebAssembly implementation, which computes none of it this way, is tested against. Slow.

type Plane = Float64Array

/** Linear light of one image: red, green and blue planes. */
export interface LinearImage {
  planes: readonly [Plane, Plane, Plane]
  width: number
  height: number
}

/** From interleaved 8-bit sRGB; RGBA is blended onto a grey (0…255) before it is made linear. */
export function linearImage(
  pixels: { data: Uint8Array; width: number; height: number; channels: 3 | 4 },
  background = 0,
): LinearImage {
  const { data, width, height, channels } = pixels
  const plane = (c: number): Plane =>
    Float64Array.from({ length: width * height }, (_, i) => {
      const alpha = channels === 4 ? at(data, i * 4 + 3) / 255 : 1
      const value = (alpha * at(data, i * channels + c) + (1 - alpha) * background) / 255
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    })
  return { planes: [plane(0), plane(1), plane(2)], width, height }
}

/** The score; both images have the same size, no side below 8 pixels. */
export function definedScore(original: LinearImage, distorted: LinearImage): number {
  const norms: number[][][] = [[], [], []]
  let [a, b] = [original, distorted]
  for (let scale = 0; scale < 6; scale++) {
    if (a.width < 8 || a.height < 8) break
    if (scale > 0) [a, b] = [halved(a), halved(b)]
    const [xybA, xybB] = [xyb(a), xyb(b)]
    norms.forEach((perScale, c) => perScale.push(mapNorms(xybA[c] ?? empty, xybB[c] ?? empty, a.width, a.height)))
  }
  let error = 0
  norms.flat(2).forEach((norm, i) => (error += (WEIGHTS[i] ?? NaN) * norm))
  error *= 0.9562382616834844
  error = 2.326765642916932 * error - 0.020884521182843837 * error ** 2 + 6.248496625763138e-5 * error ** 3
  return error > 0 ? 100 - 10 * error ** 0.6276336467831387 : 100
}

const empty: Plane = new Float64Array()

function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? NaN
}

function halved({ planes, width, height }: LinearImage): LinearImage {
  const [wide, high] = [Math.ceil(width / 2), Math.ceil(height / 2)]
  const half = (plane: Plane): Plane =>
    Float64Array.from({ length: wide * high }, (_, i) => {
      const [x, y] = [(i % wide) * 2, Math.floor(i / wide) * 2]
      const [right, below] = [Math.min(x + 1, width - 1), Math.min(y + 1, height - 1)]
      return (
        (at(plane, y * width + x) +
          at(plane, y * width + right) +
          at(plane, below * width + x) +
          at(plane, below * width + right)) /
        4
      )
    })
  return { planes: [half(planes[0]), half(planes[1]), half(planes[2])], width: wide, height: high }
}

function xyb({ planes: [red, green, blue] }: LinearImage): [Plane, Plane, Plane] {
  const bias = 0.0037930732552754493
  const result: [Plane, Plane, Plane] = [red.slice(), red.slice(), red.slice()]
  for (let i = 0; i < red.length; i++) {
    const response = (r: number, g: number, b: number): number =>
      Math.cbrt(r * at(red, i) + g * at(green, i) + b * at(blue, i) + bias) - Math.cbrt(bias)
    const long = response(0.3, 0.622, 0.078)
    const medium = response(0.23, 0.692, 0.078)
    const short = response(0.24342268924547819, 0.20476744424496821, 0.5518098665095535)
    result[0][i] = ((long - medium) / 2) * 14 + 0.42
    result[1][i] = (long + medium) / 2 + 0.01
    result[2][i] = short - (long + medium) / 2 + 0.55
  }
  return result
}

/**
 * Taps 0…4 of the recursive Gaussian of sigma 1.5 (Charalampidis 2016; libjxl's `CreateRecursiveGaussian`): the impulse
 * response Σ β·cos(ω·n) with β from equations (37) to (56).
 */
function gaussianTaps(): number[] {
  const sigma = 1.5
  const radius = Math.round(3.2795 * sigma + 0.2546)
  const omega = [1, 3, 5].map((k) => (k * Math.PI) / (2 * radius))
  const p = omega.map((w, k) => (k === 1 ? -1 : 1) / Math.tan(w / 2))
  const r = omega.map((w, k) => ((k === 1 ? -1 : 1) * at(p, k) ** 2) / Math.sin(w))
  const cross = (i: number, j: number): number => at(p, i) * at(r, j) - at(r, i) * at(p, j)
  const zeta = [cross(1, 2) / cross(0, 1), cross(2, 0) / cross(0, 1), 1]
  const rho = omega.map((w) => Math.exp((-(sigma ** 2) * w ** 2) / 2) / radius)
  const matrix = [p, r, zeta]
  const vector = [1, radius ** 2 - sigma ** 2, zeta.reduce((sum, z, k) => sum + z * at(rho, k), 0)]
  const beta = [0, 1, 2].map(
    (k) => determinant(matrix.map((row, i) => row.map((v, j) => (j === k ? at(vector, i) : v)))) / determinant(matrix),
  )
  return [0, 1, 2, 3, 4].map((n) => beta.reduce((sum, b, k) => sum + b * Math.cos(at(omega, k) * n), 0))
}

function determinant(m: number[][]): number {
  const v = (i: number, j: number): number => at(m[i] ?? [], j)
  return [0, 1, 2].reduce(
    (sum, j) => sum + v(0, j) * (v(1, (j + 1) % 3) * v(2, (j + 2) % 3) - v(1, (j + 2) % 3) * v(2, (j + 1) % 3)),
    0,
  )
}

const TAPS = gaussianTaps()

function blur(plane: Plane, width: number, height: number): Plane {
  const pass = (from: Plane, step: number, position: (i: number) => number, size: number): Plane =>
    from.map((_, i) => {
      let sum = 0
      for (let n = -4; n <= 4; n++) {
        const to = position(i) + n
        if (to >= 0 && to < size) sum += at(TAPS, Math.abs(n)) * at(from, i + n * step)
      }
      return sum
    })
  const rows = pass(plane, 1, (i) => i % width, width)
  return pass(rows, width, (i) => Math.floor(i / width), height)
}

/** Mean and fourth-power mean of the three maps of one channel, in the order of the weights. */
function mapNorms(a: Plane, b: Plane, width: number, height: number): number[] {
  const product = (x: Plane, y: Plane): Plane => x.map((value, i) => value * at(y, i))
  const [muA, muB] = [blur(a, width, height), blur(b, width, height)]
  const squaresA = blur(product(a, a), width, height)
  const squaresB = blur(product(b, b), width, height)
  const products = blur(product(a, b), width, height)
  const sums = [0, 0, 0, 0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    const [m1, m2] = [at(muA, i), at(muB, i)]
    const covariance = 2 * (at(products, i) - m1 * m2) + 0.0009
    const variances = at(squaresA, i) - m1 ** 2 + at(squaresB, i) - m2 ** 2 + 0.0009
    const edges = (1 + Math.abs(at(b, i) - m2)) / (1 + Math.abs(at(a, i) - m1)) - 1
    const maps = [
      Math.max(0, 1 - ((1 - (m1 - m2) ** 2) * covariance) / variances),
      Math.max(0, edges),
      Math.max(0, -edges),
    ]
    maps.forEach((value, map) => {
      sums[map] = at(sums, map) + value
      sums[map + 3] = at(sums, map + 3) + value ** 4
    })
  }
  return sums.map((sum, k) => (k < 3 ? sum / a.length : (sum / a.length) ** 0.25))
}
