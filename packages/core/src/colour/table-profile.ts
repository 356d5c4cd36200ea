/**
 * Reads ICC profiles whose colours stand in tables: those of printers (CMYK), scanners and some cameras. Source:
 * ICC.1:2022 sections 10.10 to 10.12. Where the standard leaves a choice, or browsers differ from it, they are read as
 * Chromium reads them: the first of `A2B0` and `A2B1` counts, without an adaptation of black, and X, Y, Z are taken as
 * they stand.
 */
import { asciiAt, uint16, uint32 } from '../metadata/bytes.ts'
import type { Curve } from './curve.ts'
import { fixed, readCurve } from './curve.ts'
import { readTags } from './profile-tags.ts'
import type { Tag } from './profile-tags.ts'

/** Samples → numbers of a grid → X, Y, Z or L*, a*, b*, in the order in which they are applied. */
export interface TableProfile {
  /** Samples of a pixel: red, green and blue, or cyan, magenta, yellow and black, of which 1 is all. */
  readonly channels: 3 | 4
  readonly inputs: readonly Curve[]
  readonly grid: Grid
  /** Curves, and three rows of four numbers, between the grid and the outputs. */
  readonly matrix: { readonly curves: readonly Curve[]; readonly rows: readonly (readonly number[])[] } | undefined
  readonly outputs: readonly Curve[]
  /** The outputs are L*, a*, b*; otherwise X, Y, Z. */
  readonly isLab: boolean
}

/**
 * Three numbers, 0…1, at each crossing of lines through the samples' range; those of the last sample lie side by side.
 */
export interface Grid {
  readonly points: readonly number[]
  readonly values: Float32Array
}

const straight: Curve = (sample) => sample

/** Reads the tables of a profile of RGB or CMYK. `undefined` where it has none, or is damaged. */
export function readTableProfile(profile: Uint8Array): TableProfile | undefined {
  const tags = readTags(profile)
  const tag = tags.get('A2B0') ?? tags.get('A2B1')
  const channels = { 'RGB ': 3, CMYK: 4 }[asciiAt(profile, 16, 4)] as 3 | 4 | undefined
  const connection = asciiAt(profile, 20, 4)
  if (tag === undefined || channels === undefined || tag.size < 32) return undefined
  if (connection !== 'Lab ' && connection !== 'XYZ ') return undefined
  if (profile[tag.start + 8] !== channels || profile[tag.start + 9] !== 3) return undefined
  const isLab = connection === 'Lab '
  const type = asciiAt(profile, tag.start, 4)
  const tables =
    type === 'mAB '
      ? readModern(profile, tag, isLab)
      : type === 'mft1' || type === 'mft2'
        ? readOld(profile, tag)
        : undefined
  return tables && { channels, isLab, ...tables }
}

type Tables = Omit<TableProfile, 'channels' | 'isLab'>

/** Reads `lut8Type` and `lut16Type`. Their matrix only counts where the input is X, Y, Z. */
function readOld(profile: Uint8Array, { start, size }: Tag): Tables | undefined {
  const channels = profile[start + 8]!
  const bytes = asciiAt(profile, start, 4) === 'mft1' ? 1 : 2
  const side = profile[start + 10]!
  const [ins, outs] = bytes === 1 ? [256, 256] : [uint16(profile, start + 48), uint16(profile, start + 50)]
  let at = start + (bytes === 1 ? 48 : 52)
  const cells = side ** channels * 3
  if (side < 2 || ins < 2 || outs < 2 || at + (ins * channels + cells + outs * 3) * bytes > start + size)
    return undefined
  const take = (count: number): Float32Array => {
    const values = numbersAt(profile, at, { count, bytes })
    at += count * bytes
    return values
  }
  const inputs = Array.from({ length: channels }, () => sampled(take(ins)))
  const grid = { points: inputs.map(() => side), values: take(cells) }
  return { inputs, grid, matrix: undefined, outputs: Array.from({ length: 3 }, () => sampled(take(outs))) }
}

/** Reads `lutAToBType`: curves, grid, curves, matrix, curves. Those between grid and outputs may be missing. */
function readModern(profile: Uint8Array, tag: Tag, isLab: boolean): Tables | undefined {
  const { start, size } = tag
  const channels = profile[start + 8]!
  const offset = (index: number): number => uint32(profile, start + 12 + index * 4)
  const [last, rows, middle, table, first] = [0, 1, 2, 3, 4].map(offset) as [number, number, number, number, number]
  // Browsers take profiles with a grid only: without one there would be no more than primaries and curves.
  if (last === 0 || table === 0 || first === 0 || table + 20 > size) return undefined
  const inputs = readCurves(profile, tag, { offset: first, count: channels })
  const outputs = readCurves(profile, tag, { offset: last, count: 3 })
  const grid = readGrid(profile, start + table, { channels, end: start + size })
  const matrix = middle === 0 || rows === 0 ? undefined : readMatrix(profile, tag, { middle, rows, isLab })
  const isWhole = middle === 0 || rows === 0 || matrix !== undefined
  if (inputs === undefined || outputs === undefined || grid === undefined || !isWhole) return undefined
  return { inputs, grid, matrix, outputs }
}

function readGrid(
  profile: Uint8Array,
  at: number,
  { channels, end }: { channels: number; end: number },
): Grid | undefined {
  const points = [...profile.subarray(at, at + channels)]
  const bytes = profile[at + 16]!
  const count = points.reduce((product, each) => product * each, 3)
  if (points.some((each) => each < 2) || (bytes !== 1 && bytes !== 2) || at + 20 + count * bytes > end) return undefined
  return { points, values: numbersAt(profile, at + 20, { count, bytes }) }
}

/** The number of X, Y, Z that 65,535 stands for: what is above 1 gets through the matrix only. */
const MOST_XYZ = 65_535 / 32_768

function readMatrix(
  profile: Uint8Array,
  tag: Tag,
  { middle, rows, isLab }: { middle: number; rows: number; isLab: boolean },
): TableProfile['matrix'] {
  const curves = readCurves(profile, tag, { offset: middle, count: 3 })
  if (curves === undefined || rows + 48 > tag.size) return undefined
  const number = (index: number): number => fixed(profile, tag.start + rows + index * 4) * (isLab ? 1 : MOST_XYZ)
  return { curves, rows: [0, 1, 2].map((row) => [...[0, 1, 2].map((at) => number(row * 3 + at)), number(9 + row)]) }
}

/** Curves that stand one behind the other, each at a multiple of 4 bytes. */
function readCurves(
  profile: Uint8Array,
  { start, size }: Tag,
  { offset, count }: { offset: number; count: number },
): Curve[] | undefined {
  const curves: Curve[] = []
  for (let at = start + offset; curves.length < count;) {
    const read = readCurve(profile, { start: at, size: start + size - at })
    if (read === undefined) return undefined
    curves.push(read.curve)
    at += (read.bytes + 3) & ~3
  }
  return curves
}

/** Reads whole numbers of 1 or 2 bytes as shares of the largest. */
function numbersAt(profile: Uint8Array, at: number, { count, bytes }: { count: number; bytes: number }): Float32Array {
  return Float32Array.from({ length: count }, (_, index) =>
    bytes === 1 ? profile[at + index]! / 255 : uint16(profile, at + index * 2) / 65_535,
  )
}

/** Returns a curve through points at equal distances. */
function sampled(values: Float32Array): Curve {
  const top = values.length - 1
  if (values.every((value, index) => value === Math.fround(index / top))) return straight
  return (sample) => {
    const at = Math.min(1, Math.max(0, sample)) * top
    const below = Math.min(Math.floor(at), top - 1)
    return values[below]! + (values[below + 1]! - values[below]!) * (at - below)
  }
}
