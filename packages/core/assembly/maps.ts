// What a blurred row is for: the reference keeps it, the distorted image is judged by it.

import { downColumn, tapRow } from './blur'
import { aboveZero, add, div, get, LANE_BYTES, Lanes, magnitude, mul, put, splat, sub, total } from './lanes'
import { firstCell, endCell } from './changes'
import { CELL_BYTES, Channel, judgedSpans, Planes, SAMPLE_BYTES } from './layout'

/** Constant of the structural similarity index that keeps flat areas from dividing by nothing. */
const C2: f32 = 0.0009

/** What interleaved rows hold of one vector; fields, as offsets that the instructions hold cost no additions. */
@unmanaged
class Blurred {
  first: Lanes
  second: Lanes
  /** Of the distorted image. */
  third: Lanes
}

/** Blurs cells of one row of the reference vertically and keeps their mean and mean of squares. */
export function keepRow(channel: Channel, y: i32, mu: usize, sigma: usize, first: i32, end: i32): void {
  const rows = channel.blurred
  const rowBytes = channel.blurredBytes
  const r0 = tapRow(rows, rowBytes, y, 0)
  const r1 = tapRow(rows, rowBytes, y, 1)
  const r2 = tapRow(rows, rowBytes, y, 2)
  const r3 = tapRow(rows, rowBytes, y, 3)
  const r4 = tapRow(rows, rowBytes, y, 4)
  const r5 = tapRow(rows, rowBytes, y, 5)
  const r6 = tapRow(rows, rowBytes, y, 6)
  const r7 = tapRow(rows, rowBytes, y, 7)
  const r8 = tapRow(rows, rowBytes, y, 8)
  let x = <usize>first * CELL_BYTES
  const limit = <usize>end * CELL_BYTES
  let at = 2 * x
  for (; x < limit; x += LANE_BYTES, at += 2 * LANE_BYTES) {
    const b0 = changetype<Blurred>(r0 + at)
    const b1 = changetype<Blurred>(r1 + at)
    const b2 = changetype<Blurred>(r2 + at)
    const b3 = changetype<Blurred>(r3 + at)
    const b4 = changetype<Blurred>(r4 + at)
    const b5 = changetype<Blurred>(r5 + at)
    const b6 = changetype<Blurred>(r6 + at)
    const b7 = changetype<Blurred>(r7 + at)
    const b8 = changetype<Blurred>(r8 + at)
    put(mu + x, downColumn(b0.first, b1.first, b2.first, b3.first, b4.first, b5.first, b6.first, b7.first, b8.first))
    put(sigma + x, downColumn(b0.second, b1.second, b2.second, b3.second, b4.second, b5.second, b6.second, b7.second, b8.second))
  }
}

@inline
function fourthPower(a: Lanes): Lanes {
  const square = mul(a, a)
  return mul(square, square)
}

/** The rows of one channel that are compared: XYB values of both images, and the reference's mean and mean of squares. */
@unmanaged
export class Rows {
  original: usize
  distorted: usize
  mu: usize
  sigma: usize
}

/**
 * Blurs one row of the distorted image vertically and adds its three error maps, and their fourth powers, to the sums:
 * structural dissimilarity, edges that the original does not have (ringing, blocks), edges that it lost (blur).
 * Lanes beyond the width are zero on both sides and add nothing. Only the first `count` of `judgedSpans` are looked at: elsewhere,
 * where the blur sees no difference, all three maps are exactly zero.
 *
 * Dissimilarity is published as 1 − (1 − (μ₁ − μ₂)²) · (2·σ₁₂ + C2) / (σ₁² + σ₂² + C2), where in flat bright areas the
 * covariance and variances are small differences of large means, whose rounding errors alone move a score by tenths.
 * With δ = i₁ − i₂ the blur, being linear, gives μ₁ − μ₂ = blur(δ) and σ₁² + σ₂² − 2·σ₁₂ = σδ², so that it equals
 * (μ₁ − μ₂)² + (1 − (μ₁ − μ₂)²) · σδ² / (σ₁² + σ₂² + C2): sums of small numbers, as exact as they are.
 */
export function judgeRow(channel: Channel, planes: Planes, y: i32, compared: Rows, count: i32, isInSample: bool): void {
  const rows = channel.blurred
  const rowBytes = channel.blurredBytes
  const r0 = tapRow(rows, rowBytes, y, 0)
  const r1 = tapRow(rows, rowBytes, y, 1)
  const r2 = tapRow(rows, rowBytes, y, 2)
  const r3 = tapRow(rows, rowBytes, y, 3)
  const r4 = tapRow(rows, rowBytes, y, 4)
  const r5 = tapRow(rows, rowBytes, y, 5)
  const r6 = tapRow(rows, rowBytes, y, 6)
  const r7 = tapRow(rows, rowBytes, y, 7)
  const r8 = tapRow(rows, rowBytes, y, 8)
  const original = compared.original
  const distorted = compared.distorted
  const mu = compared.mu
  const sigma = compared.sigma
  let dissimilar = splat(0)
  let dissimilar4 = splat(0)
  let added = splat(0)
  let added4 = splat(0)
  let lost = splat(0)
  let lost4 = splat(0)
  for (let span = 0; span < count; span++) {
    let x = <usize>firstCell(judgedSpans, span) * CELL_BYTES
    const end = <usize>endCell(judgedSpans, span) * CELL_BYTES
    let at = 3 * x
    for (; x < end; x += LANE_BYTES, at += 3 * LANE_BYTES) {
      const mu1 = get(mu + x)
      const b0 = changetype<Blurred>(r0 + at)
      const b1 = changetype<Blurred>(r1 + at)
      const b2 = changetype<Blurred>(r2 + at)
      const b3 = changetype<Blurred>(r3 + at)
      const b4 = changetype<Blurred>(r4 + at)
      const b5 = changetype<Blurred>(r5 + at)
      const b6 = changetype<Blurred>(r6 + at)
      const b7 = changetype<Blurred>(r7 + at)
      const b8 = changetype<Blurred>(r8 + at)
      const squares2 = downColumn(b0.first, b1.first, b2.first, b3.first, b4.first, b5.first, b6.first, b7.first, b8.first)
      const shift = downColumn(b0.second, b1.second, b2.second, b3.second, b4.second, b5.second, b6.second, b7.second, b8.second)
      const squaredShifts = downColumn(b0.third, b1.third, b2.third, b3.third, b4.third, b5.third, b6.third, b7.third, b8.third)
      const mu2 = sub(mu1, shift)

      const shift2 = mul(shift, shift)
      const variances = add(sub(get(sigma + x), mul(mu1, mu1)), sub(squares2, mul(mu2, mu2)))
      const unlike = div(sub(squaredShifts, shift2), add(variances, splat(C2)))
      const d = aboveZero(add(shift2, mul(sub(splat(1), shift2), unlike)))
      dissimilar = add(dissimilar, d)
      dissimilar4 = add(dissimilar4, fourthPower(d))

      // (1 + |edge2|) / (1 + |edge1|) − 1, without losing digits to the ones.
      const edge1 = magnitude(sub(get(original + x), mu1))
      const edge2 = magnitude(sub(get(distorted + x), mu2))
      const edges = div(sub(edge2, edge1), add(splat(1), edge1))
      const more = aboveZero(edges)
      const less = sub(more, edges)
      added = add(added, more)
      added4 = add(added4, fourthPower(more))
      lost = add(lost, less)
      lost4 = add(lost4, fourthPower(less))
    }
  }
  const sums = planes.sums
  addTo(sums, total(dissimilar), total(added), total(lost))
  addTo(sums + FOURTH, total(dissimilar4), total(added4), total(lost4))
  if (!isInSample) return
  addTo(sums + SAMPLE_BYTES, total(dissimilar), total(added), total(lost))
  addTo(sums + SAMPLE_BYTES + FOURTH, total(dissimilar4), total(added4), total(lost4))
}

/** Where the sums of fourth powers are behind the others. */
const FOURTH: usize = 3 * sizeof<f64>()

@inline
function addTo(sums: usize, dissimilar: f64, added: f64, lost: f64): void {
  store<f64>(sums, load<f64>(sums) + dissimilar)
  store<f64>(sums, load<f64>(sums, 8) + added, 8)
  store<f64>(sums, load<f64>(sums, 16) + lost, 16)
}
