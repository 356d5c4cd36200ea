import { BitReader } from './bit-reader.ts'
import { BLOCK } from './coefficients.ts'
import type { Component, Frame } from './coefficients.ts'
import { BlockDecoder } from './decode-blocks.ts'
import type { Band, ScanTables } from './decode-blocks.ts'

/** A component with its tables in one scan. */
export interface ScanComponent extends ScanTables {
  readonly component: Component
}

/** A scan header with its frame and tables. */
export interface Scan {
  readonly frame: Frame
  readonly components: readonly ScanComponent[]
  readonly band: Band
  /** MCUs between restart markers; 0 where there are none. */
  readonly restartInterval: number
}

/**
 * Reads the coefficients that one scan carries (ITU-T T.81 annex A.2 for their order).
 * @returns whether the data is whole: exactly what the scan needs
 */
export function readScan(data: Uint8Array, start: number, end: number, scan: Scan): boolean {
  const bits = new BitReader(data, start, end)
  const { frame, components, band, restartInterval } = scan
  const decoder = new BlockDecoder(bits, band, frame.isProgressive)
  const [only] = components
  // A scan of one component has no more blocks than the picture needs, one per MCU.
  const isSingle = components.length === 1
  const wide = isSingle ? only!.component.blocksWide : frame.mcusWide
  const high = isSingle ? only!.component.blocksHigh : frame.mcusHigh
  const readMcu = isSingle ? readBlock : readBlocks
  let count = 0
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      if (restartInterval > 0 && count > 0 && count % restartInterval === 0) {
        if (!bits.restart((count / restartInterval - 1) & 7)) return false
        decoder.restart()
      }
      if (!readMcu(decoder, scan, x, y)) return false
      count++
    }
    if (bits.isOverrun) return false
  }
  return bits.isAtEnd()
}

function readBlock(decoder: BlockDecoder, { components }: Scan, x: number, y: number): boolean {
  const only = components[0]!
  const { stride, coefficients } = only.component
  return decoder.decode(0, only, coefficients, (y * stride + x) * BLOCK)
}

function readBlocks(decoder: BlockDecoder, { components }: Scan, x: number, y: number): boolean {
  for (let index = 0; index < components.length; index++) {
    const each = components[index]!
    const { across, down, stride, coefficients } = each.component
    for (let row = y * down; row < (y + 1) * down; row++) {
      for (let column = x * across; column < (x + 1) * across; column++) {
        const at = (row * stride + column) * BLOCK
        if (!decoder.decode(index, each, coefficients, at)) return false
      }
    }
  }
  return true
}
