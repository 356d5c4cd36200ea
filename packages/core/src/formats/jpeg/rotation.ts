/**
 * Rotating and mirroring coefficients: what EXIF orientations mean, and which pictures have blocks that can be moved.
 */
import { BLOCK, ZIGZAG, blocksAlong } from './coefficients.ts'
import type { Coefficients, Component, FrameHeader } from './coefficients.ts'

/** A rotation or reflection: rows and columns of the stored picture reversed, and then exchanged. */
export interface Rotation {
  readonly reversesColumns: boolean
  readonly reversesRows: boolean
  readonly exchanges: boolean
}

/** The rotation that makes a picture upright, by EXIF orientation (Exif 2.32 section 4.6.4). */
const ROTATIONS: Readonly<Record<number, Rotation>> = {
  2: { reversesColumns: true, reversesRows: false, exchanges: false },
  3: { reversesColumns: true, reversesRows: true, exchanges: false },
  4: { reversesColumns: false, reversesRows: true, exchanges: false },
  5: { reversesColumns: false, reversesRows: false, exchanges: true },
  6: { reversesColumns: false, reversesRows: true, exchanges: true },
  7: { reversesColumns: true, reversesRows: true, exchanges: true },
  8: { reversesColumns: true, reversesRows: false, exchanges: true },
}

/**
 * Returns the rotation that makes a picture upright. `undefined` where none is needed or the blocks cannot be moved:
 * the padding of the last MCUs of a row or column would come before the picture.
 */
export function rotationOf(frame: FrameHeader, orientation: number): Rotation | undefined {
  const { width, height, isGrey, mostAcross, mostDown } = frame
  const rotation = ROTATIONS[orientation]
  const isWide = width % (8 * (isGrey ? 1 : mostAcross)) === 0
  const isHigh = height % (8 * (isGrey ? 1 : mostDown)) === 0
  if (rotation === undefined) return undefined
  return (rotation.reversesColumns && !isWide) || (rotation.reversesRows && !isHigh) ? undefined : rotation
}

/** A component as it is written. */
export interface RotatedComponent {
  readonly id: number
  readonly across: number
  readonly down: number
  readonly table: number
  readonly blocksWide: number
  readonly blocksHigh: number
  /** Copies a block, in the order of the file. */
  copy(x: number, y: number, into: Int16Array): void
}

/** The coefficients of a picture after its rotation. */
export interface RotatedCoefficients {
  readonly width: number
  readonly height: number
  readonly components: readonly RotatedComponent[]
  readonly tables: readonly (Uint16Array | undefined)[]
}

/**
 * Returns the coefficients of the rotated picture. They are moved while they are read, as they take twice the bytes of
 * the pixels.
 */
export function rotated({ frame, tables }: Coefficients, rotation: Rotation): RotatedCoefficients {
  const { sources, signs } = coefficientMap(rotation)
  const swap = (one: number, other: number): [number, number] => (rotation.exchanges ? [other, one] : [one, other])
  const [width, height] = swap(frame.width, frame.height)
  const components = frame.components.map((each) => {
    const [across, down] = frame.isGrey ? [1, 1] : swap(each.across, each.down)
    const [mostAcross, mostDown] = frame.isGrey ? [1, 1] : swap(frame.mostAcross, frame.mostDown)
    return {
      id: each.id,
      table: each.table,
      across,
      down,
      blocksWide: blocksAlong(width, across, mostAcross),
      blocksHigh: blocksAlong(height, down, mostDown),
      copy(x: number, y: number, into: Int16Array) {
        const at = offsetOf(each, rotation, x, y)
        for (let k = 0; k < BLOCK; k++) into[k] = each.coefficients[at + sources[k]!]! * signs[k]!
      },
    }
  })
  return { width, height, components, tables: tables.map((steps) => steps?.map((_, k) => steps[sources[k]!]!)) }
}

/** Where the block begins that is at a place of the rotated picture. */
function offsetOf({ blocksWide, blocksHigh, stride }: Component, rotation: Rotation, x: number, y: number): number {
  const column = rotation.exchanges ? y : x
  const row = rotation.exchanges ? x : y
  const storedColumn = rotation.reversesColumns ? blocksWide - 1 - column : column
  const storedRow = rotation.reversesRows ? blocksHigh - 1 - row : row
  return (storedRow * stride + storedColumn) * BLOCK
}

/**
 * Maps each place of a coefficient in a rotated block to its place in the stored one and the factor that it is given.
 * Reversed columns negate odd horizontal frequencies, as cosines do; exchanged rows and columns transpose the block.
 */
function coefficientMap(rotation: Rotation): { sources: Uint8Array; signs: Int8Array } {
  const places = new Uint8Array(BLOCK)
  ZIGZAG.forEach((natural, k) => (places[natural] = k))
  const sources = new Uint8Array(BLOCK)
  const signs = new Int8Array(BLOCK)
  ZIGZAG.forEach((natural, k) => {
    const [row, column] = rotation.exchanges ? [natural & 7, natural >> 3] : [natural >> 3, natural & 7]
    sources[k] = places[row * 8 + column]!
    signs[k] = (rotation.reversesColumns && column % 2 === 1) !== (rotation.reversesRows && row % 2 === 1) ? -1 : 1
  })
  return { sources, signs }
}
