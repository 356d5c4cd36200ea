/** Quantised DCT coefficients of a JPEG file, as ITU-T T.81 arranges them. */

/** Coefficients of a block of 8 × 8 samples. */
export const BLOCK = 64

/** Row and column of each coefficient in the order of the file (T.81 figure A.6): `row * 8 + column`. */
export const ZIGZAG: Uint8Array = zigzag()

function zigzag(): Uint8Array {
  const order = new Uint8Array(BLOCK)
  let at = 0
  for (let diagonal = 0; diagonal < 15; diagonal++) {
    for (let step = Math.max(0, diagonal - 7); step <= Math.min(7, diagonal); step++) {
      const isUpwards = diagonal % 2 === 0
      const column = isUpwards ? step : diagonal - step
      order[at++] = (diagonal - column) * 8 + column
    }
  }
  return order
}

/** A component of a frame header (ITU-T T.81 annex B.2.2), with the size of its grid of blocks. */
export interface Component {
  readonly id: number
  /** Sampling factors, 1 to 4. */
  readonly across: number
  readonly down: number
  /** Number of its quantisation table, 0 to 3. */
  readonly table: number
  /** Blocks that hold a part of the picture. */
  readonly blocksWide: number
  readonly blocksHigh: number
  /** Blocks in a row of `coefficients`, which is filled up to whole MCUs. */
  readonly stride: number
  /** Block by block, row by row; the 64 of a block in the order of the file. */
  readonly coefficients: Int16Array
}

/** The part of a frame header that decides which blocks can be moved. */
export interface FrameHeader {
  readonly width: number
  readonly height: number
  /** One component, whose MCUs have one block, whatever its sampling factors. */
  readonly isGrey: boolean
  /** The largest sampling factors of the components. */
  readonly mostAcross: number
  readonly mostDown: number
}

/** A frame header with the size of its grid of MCUs. */
export interface Frame extends FrameHeader {
  readonly isProgressive: boolean
  readonly mcusWide: number
  readonly mcusHigh: number
  readonly components: readonly Component[]
}

/** The quantised coefficients of a JPEG. */
export interface Coefficients {
  readonly frame: Frame
  /** Steps of the quantisation tables by number, in the order of the file. */
  readonly tables: readonly (Uint16Array | undefined)[]
}

/** Returns the samples of a component along one side: ⌈side × factor / largest factor⌉, in blocks. */
export const blocksAlong = (side: number, factor: number, most: number): number =>
  Math.ceil(Math.ceil((side * factor) / most) / 8)
