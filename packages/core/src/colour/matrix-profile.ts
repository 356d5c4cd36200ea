/** Reads ICC profiles of primaries and curves, or of grey. Source: ICC.1:2022 sections 8, 9 and 10. */
import { asciiAt } from '../metadata/bytes.ts'
import type { ColourSpace, Matrix } from './colour-space.ts'
import { DISPLAY_P3, SRGB, toAdaptedXyz } from './colour-space.ts'
import type { Curve } from './curve.ts'
import { fixed, readCurve } from './curve.ts'
import { readTags } from './profile-tags.ts'
import type { Tag } from './profile-tags.ts'
import { toLight } from '../resample/transfer.ts'

/** The matrix and curves that convert samples to linear light. */
export interface MatrixProfile {
  readonly curves: readonly [Curve, Curve, Curve]
  /** Light of the three primaries → X, Y, Z under D50. */
  readonly toXyz: Matrix
}

/**
 * The largest difference of a primary in X, Y or Z that still counts as the same: profiles are rounded, and adapted in
 * several ways.
 */
const SAME_PRIMARY = 0.004

/**
 * The largest difference of two curves in light that counts as the same: a quarter of a level of 255 where it shows
 * most.
 */
const SAME_LIGHT = 0.0005

/** Makes the profile of a colour space. */
export function profileOf(space: ColourSpace): MatrixProfile {
  const { transfer } = space
  const curve: Curve = transfer === 'srgb' ? toLight : (sample) => sample ** transfer
  return { curves: [curve, curve, curve], toXyz: toAdaptedXyz(space) }
}

/**
 * Reads a profile of RGB or grey without colour tables. `undefined` for any other, for a damaged one, and for
 * lightness.
 */
export function readMatrixProfile(profile: Uint8Array): MatrixProfile | undefined {
  const space = asciiAt(profile, 16, 4)
  const tags = readTags(profile)
  // Tables are more exact than the primaries beside them, and meant to be used instead.
  if (tags.has('A2B0') || tags.has('A2B1')) return undefined
  if (space === 'GRAY') {
    const grey = isGreyByLightness(profile) ? undefined : readCurve(profile, tags.get('kTRC'))?.curve
    return grey && { curves: [grey, grey, grey], toXyz: toAdaptedXyz(SRGB) }
  }
  if (space !== 'RGB ' || asciiAt(profile, 20, 4) !== 'XYZ ') return undefined
  const red = readCurve(profile, tags.get('rTRC'))?.curve
  const green = readCurve(profile, tags.get('gTRC'))?.curve
  const blue = readCurve(profile, tags.get('bTRC'))?.curve
  const columns = ['rXYZ', 'gXYZ', 'bXYZ'].map((name) => readXyz(profile, tags.get(name)))
  const [x, y, z] = columns
  if (!red || !green || !blue || !x || !y || !z) return undefined
  return {
    curves: [red, green, blue],
    toXyz: [
      [x[0], y[0], z[0]],
      [x[1], y[1], z[1]],
      [x[2], y[2], z[2]],
    ],
  }
}

/**
 * Tells whether a profile is of grey whose curve gives lightness: L* of CIELAB, by a hundredth (ICC.1:2022 section
 * 8.3.4).
 */
export function isGreyByLightness(profile: Uint8Array): boolean {
  return asciiAt(profile, 16, 4) === 'GRAY' && asciiAt(profile, 20, 4) === 'Lab '
}

/** Tells whether a profile's primaries are those of sRGB, so that none of its colours lies beyond. */
export function hasSrgbPrimaries({ toXyz }: MatrixProfile): boolean {
  return isSameMatrix(toXyz, toAdaptedXyz(SRGB))
}

/** Tells whether a profile is Display P3, curves included. */
export function isDisplayP3(profile: MatrixProfile): boolean {
  return isSameMatrix(profile.toXyz, toAdaptedXyz(DISPLAY_P3)) && hasSrgbCurves(profile)
}

/** Tells whether a profile is sRGB, curves included. */
export function isSrgbProfile(profile: MatrixProfile): boolean {
  return hasSrgbPrimaries(profile) && hasSrgbCurves(profile)
}

function hasSrgbCurves({ curves }: MatrixProfile): boolean {
  const samples = Array.from({ length: 65 }, (_, index) => index / 64)
  return curves.every((curve) => samples.every((sample) => Math.abs(curve(sample) - toLight(sample)) < SAME_LIGHT))
}

function isSameMatrix(a: Matrix, b: Matrix): boolean {
  return a.flat().every((value, index) => Math.abs(value - b.flat()[index]!) < SAME_PRIMARY)
}

function readXyz(profile: Uint8Array, tag: Tag | undefined): [number, number, number] | undefined {
  if (tag === undefined || tag.size < 20) return undefined
  return [fixed(profile, tag.start + 8), fixed(profile, tag.start + 12), fixed(profile, tag.start + 16)]
}
