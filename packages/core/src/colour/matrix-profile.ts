/** Reads ICC profiles of primaries and curves, or of grey. Source: ICC.1:2022 sections 8, 9 and 10. */
import { asciiAt, uint16, uint32 } from '../metadata/bytes.ts'
import type { ColourSpace, Matrix } from './colour-space.ts'
import { DISPLAY_P3, SRGB, toAdaptedXyz } from './colour-space.ts'
import { toLight } from '../resample/transfer.ts'

/** Sample, 0…1 → light, 0…1. */
export type Curve = (sample: number) => number

/** What is needed to convert samples to light of a known kind. */
export interface MatrixProfile {
  readonly curves: readonly [Curve, Curve, Curve]
  /** Light of the three primaries → X, Y, Z under D50. */
  readonly toXyz: Matrix
}

/** Tags of one profile that are looked at; real ones have at most a few dozen. */
const MOST_TAGS = 256

/** By how much a primary may differ in X, Y or Z and still be the same: profiles are rounded, and adapted in several ways. */
const SAME_PRIMARY = 0.004

/** By how much two curves may differ in light: a quarter of a level of 255 where it shows most. */
const SAME_LIGHT = 0.0005

/** Parameters of each type of parametric curve. */
const PARAMETERS: readonly number[] = [1, 3, 4, 5, 7]

interface Tag {
  start: number
  size: number
}

export function profileOf(space: ColourSpace): MatrixProfile {
  const { transfer } = space
  const curve: Curve = transfer === 'srgb' ? toLight : (sample) => sample ** transfer
  return { curves: [curve, curve, curve], toXyz: toAdaptedXyz(space) }
}

/**
 * A profile of RGB or grey without colour tables. `undefined` for any other, and for a damaged one: libvips may still be
 * able to apply it.
 */
export function readMatrixProfile(profile: Uint8Array): MatrixProfile | undefined {
  const space = asciiAt(profile, 16, 4)
  const tags = readTags(profile)
  // Tables are more exact than the primaries beside them, and meant to be used instead.
  if (tags.has('A2B0') || tags.has('A2B1')) return undefined
  if (space === 'GRAY') {
    const grey = readCurve(profile, tags.get('kTRC'))
    if (grey === undefined) return undefined
    const light: Curve = isGreyByLightness(profile) ? (sample) => lightOf(grey(sample)) : grey
    return { curves: [light, light, light], toXyz: toAdaptedXyz(SRGB) }
  }
  if (space !== 'RGB ' || asciiAt(profile, 20, 4) !== 'XYZ ') return undefined
  const red = readCurve(profile, tags.get('rTRC'))
  const green = readCurve(profile, tags.get('gTRC'))
  const blue = readCurve(profile, tags.get('bTRC'))
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

/** Whether a profile is of grey whose curve gives lightness: L* of CIELAB, by a hundredth (ICC.1:2022 section 8.3.4). */
export function isGreyByLightness(profile: Uint8Array): boolean {
  return asciiAt(profile, 16, 4) === 'GRAY' && asciiAt(profile, 20, 4) === 'Lab '
}

/** L*, 0…1 → light, 0…1 (CIE 15:2004 section 8.2.1). */
const lightOf: Curve = (lightness) => (lightness > 0.08 ? ((lightness + 0.16) / 1.16) ** 3 : lightness / 9.033)

/** Whether a profile's primaries are those of sRGB, so that none of its colours lies beyond. */
export function hasSrgbPrimaries({ toXyz }: MatrixProfile): boolean {
  return isSameMatrix(toXyz, toAdaptedXyz(SRGB))
}

/** Whether a profile is Display P3, curves included. */
export function isDisplayP3({ curves, toXyz }: MatrixProfile): boolean {
  const samples = Array.from({ length: 65 }, (_, index) => index / 64)
  return (
    isSameMatrix(toXyz, toAdaptedXyz(DISPLAY_P3)) &&
    curves.every((curve) => samples.every((sample) => Math.abs(curve(sample) - toLight(sample)) < SAME_LIGHT))
  )
}

function isSameMatrix(a: Matrix, b: Matrix): boolean {
  return a.flat().every((value, index) => Math.abs(value - b.flat()[index]!) < SAME_PRIMARY)
}

function readTags(profile: Uint8Array): Map<string, Tag> {
  const tags = new Map<string, Tag>()
  const count = Math.min(uint32(profile, 128), MOST_TAGS)
  for (let at = 132; at < 132 + count * 12; at += 12) {
    const tag = { start: uint32(profile, at + 4), size: uint32(profile, at + 8) }
    if (tag.start + tag.size <= profile.length) tags.set(asciiAt(profile, at, 4), tag)
  }
  return tags
}

function readXyz(profile: Uint8Array, tag: Tag | undefined): [number, number, number] | undefined {
  if (tag === undefined || tag.size < 20) return undefined
  return [fixed(profile, tag.start + 8), fixed(profile, tag.start + 12), fixed(profile, tag.start + 16)]
}

function readCurve(profile: Uint8Array, tag: Tag | undefined): Curve | undefined {
  if (tag === undefined || tag.size < 12) return undefined
  const type = asciiAt(profile, tag.start, 4)
  if (type === 'curv') return sampledCurve(profile, tag)
  return type === 'para' ? parametricCurve(profile, tag) : undefined
}

function sampledCurve(profile: Uint8Array, { start, size }: Tag): Curve | undefined {
  const count = uint32(profile, start + 8)
  if (count === 0) return (sample) => sample
  if (12 + count * 2 > size) return undefined
  const value = (index: number): number => uint16(profile, start + 12 + index * 2)
  if (count === 1) {
    const exponent = value(0) / 256
    return (sample) => sample ** exponent
  }
  return (sample) => {
    const at = sample * (count - 1)
    const below = Math.min(Math.floor(at), count - 2)
    return (value(below) + (value(below + 1) - value(below)) * (at - below)) / 65_535
  }
}

function parametricCurve(profile: Uint8Array, { start, size }: Tag): Curve | undefined {
  const type = uint16(profile, start + 8)
  const count = PARAMETERS[type]
  if (count === undefined || 12 + count * 4 > size) return undefined
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from({ length: count }, (_, index) =>
    fixed(profile, start + 12 + index * 4),
  )
  if (type === 0) return (sample) => sample ** g
  const power: Curve = (sample) => Math.max(0, a * sample + b) ** g
  if (type === 1) return (sample) => (a * sample + b >= 0 ? power(sample) : 0)
  if (type === 2) return (sample) => (a * sample + b >= 0 ? power(sample) : 0) + c
  return (sample) => (sample >= d ? power(sample) + e : c * sample + f)
}

/** A number with 16 binary places, two's complement. */
const fixed = (profile: Uint8Array, at: number): number => (uint32(profile, at) | 0) / 65_536
