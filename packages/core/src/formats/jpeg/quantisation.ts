import { uint16 } from '../../metadata/bytes.ts'

/** mozjpeg's default luminance table, in zigzag order at quality 50 (jcparam.c, `std_luminance_quant_tbl[3]`, by N. Robidoux). */
const MOZJPEG_TABLE: readonly number[] = [
  16, 16, 16, 16, 17, 16, 18, 20, 20, 18, 25, 27, 24, 27, 25, 37, 34, 31, 31, 34, 37, 56, 40, 43, 40, 43, 40, 56, 85,
  53, 62, 53, 53, 62, 53, 85, 75, 91, 74, 69, 74, 91, 75, 135, 106, 94, 94, 106, 135, 156, 131, 124, 131, 156, 189, 169,
  169, 189, 238, 226, 238, 311, 311, 418,
]

/**
 * Those that pixpress asks mozjpeg for: 5 (Klein, Silverstein and Carney 1992) and 8 (Peterson, Ahumada and Watson 1993). Hardly
 * anybody else does.
 */
const OUR_TABLES: readonly (readonly number[])[] = [
  [
    10, 12, 12, 14, 18, 14, 19, 21, 21, 19, 26, 28, 25, 28, 26, 38, 35, 32, 32, 35, 38, 57, 41, 44, 41, 44, 41, 57, 86,
    54, 63, 54, 54, 63, 54, 86, 76, 92, 75, 70, 75, 92, 76, 136, 107, 95, 95, 107, 136, 157, 132, 125, 132, 157, 190,
    170, 170, 190, 239, 227, 239, 312, 312, 419,
  ],
  [
    14, 10, 10, 11, 11, 11, 14, 11, 11, 14, 19, 12, 15, 12, 19, 25, 15, 18, 18, 15, 25, 34, 20, 21, 24, 21, 20, 34, 45,
    26, 25, 28, 28, 25, 26, 45, 33, 31, 33, 36, 33, 31, 33, 38, 39, 43, 43, 39, 38, 47, 51, 54, 51, 47, 59, 64, 64, 59,
    74, 77, 74, 91, 91, 108,
  ],
]

/** The quality settings that pixpress uses. At 1 and at 100 all steps of every table are the same, 255 or 1. */
const OUR_QUALITIES = [2, 98] as const
const ALL_QUALITIES = [1, 100] as const

const [DQT, SOS] = [0xdb, 0xda] as const

/** Whose tables a JPEG has, at any quality: mozjpeg's were optimised before, ours keep a promise. */
export function makerOf(jpeg: Uint8Array): 'pixpress' | 'mozjpeg' | 'other' {
  const table = luminanceTable(jpeg)
  if (table === undefined) return 'other'
  if (OUR_TABLES.some((own) => isScaled(own, table, OUR_QUALITIES))) return 'pixpress'
  return isScaled(MOZJPEG_TABLE, table, ALL_QUALITIES) ? 'mozjpeg' : 'other'
}

/** Whether a table is another one at some quality. */
function isScaled(
  own: readonly number[],
  table: readonly number[],
  [lowest, highest]: readonly [number, number],
): boolean {
  for (let quality = lowest; quality <= highest; quality++) {
    // In a baseline file, steps that do not fit 8 bits are 255.
    if (
      own.every(
        (step, index) =>
          table[index] === scaled(step, quality) || (table[index] === 255 && scaled(step, quality) > 255),
      )
    )
      return true
  }
  return false
}

/** `jpeg_quality_scaling` and `jpeg_add_quant_table` of libjpeg's jcparam.c. */
function scaled(step: number, quality: number): number {
  const percent = quality < 50 ? Math.floor(5000 / quality) : 200 - quality * 2
  return Math.max(1, Math.floor((step * percent + 50) / 100))
}

/** Table 0 of the segments in front of the scan, in zigzag order (ITU-T T.81 annex B.2.4.1). */
function luminanceTable(jpeg: Uint8Array): readonly number[] | undefined {
  for (let at = 2; at + 4 <= jpeg.length && jpeg[at] === 0xff && jpeg[at + 1] !== SOS;) {
    const end = Math.min(jpeg.length, at + 2 + uint16(jpeg, at + 2))
    for (let table = at + 4; jpeg[at + 1] === DQT && table < end;) {
      const bytes = jpeg[table]! >> 4 === 0 ? 1 : 2
      const next = table + 1 + 64 * bytes
      if (next > end) return undefined
      if ((jpeg[table]! & 15) === 0) {
        const steps = jpeg.subarray(table + 1, next)
        return Array.from({ length: 64 }, (_, index) => (bytes === 1 ? steps[index]! : uint16(steps, index * 2)))
      }
      table = next
    }
    at = end
  }
  return undefined
}
