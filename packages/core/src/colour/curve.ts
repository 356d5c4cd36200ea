/** The curves of ICC profiles. Source: ICC.1:2022 sections 10.6 (`curv`) and 10.18 (`para`). */
import { asciiAt, uint16, uint32 } from '../metadata/bytes.ts'
import type { Tag } from './profile-tags.ts'

/** Sample, 0…1 → light, 0…1. */
export type Curve = (sample: number) => number

/** A curve, and the bytes that it takes. */
interface ReadCurve {
  readonly curve: Curve
  readonly bytes: number
}

/** Parameters of each type of parametric curve. */
const PARAMETERS: readonly number[] = [1, 3, 4, 5, 7]

/** Reads a curve; `undefined` where there is none, and where it is damaged. */
export function readCurve(profile: Uint8Array, tag: Tag | undefined): ReadCurve | undefined {
  if (tag === undefined || tag.size < 12 || tag.start + 12 > profile.length) return undefined
  const type = asciiAt(profile, tag.start, 4)
  if (type === 'curv') return sampledCurve(profile, tag)
  return type === 'para' ? parametricCurve(profile, tag) : undefined
}

function sampledCurve(profile: Uint8Array, { start, size }: Tag): ReadCurve | undefined {
  const count = uint32(profile, start + 8)
  const bytes = 12 + count * 2
  if (count === 0) return { curve: (sample) => sample, bytes }
  if (bytes > size) return undefined
  const value = (index: number): number => uint16(profile, start + 12 + index * 2)
  if (count === 1) {
    const exponent = value(0) / 256
    return { curve: (sample) => sample ** exponent, bytes }
  }
  const curve: Curve = (sample) => {
    const at = Math.min(1, Math.max(0, sample)) * (count - 1)
    const below = Math.min(Math.floor(at), count - 2)
    return (value(below) + (value(below + 1) - value(below)) * (at - below)) / 65_535
  }
  return { curve, bytes }
}

function parametricCurve(profile: Uint8Array, { start, size }: Tag): ReadCurve | undefined {
  const type = uint16(profile, start + 8)
  const count = PARAMETERS[type]
  if (count === undefined || 12 + count * 4 > size) return undefined
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from({ length: count }, (_, index) =>
    fixed(profile, start + 12 + index * 4),
  )
  const power: Curve = (sample) => Math.max(0, a * sample + b) ** g
  const curves: readonly Curve[] = [
    (sample) => sample ** g,
    (sample) => (a * sample + b >= 0 ? power(sample) : 0),
    (sample) => (a * sample + b >= 0 ? power(sample) : 0) + c,
    (sample) => (sample >= d ? power(sample) + e : c * sample + f),
  ]
  return { curve: curves[Math.min(type, 3)]!, bytes: 12 + count * 4 }
}

/** Reads a number with 16 binary places, two's complement. */
export const fixed = (profile: Uint8Array, at: number): number => (uint32(profile, at) | 0) / 65_536
