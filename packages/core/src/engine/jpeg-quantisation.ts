import { uint16 } from '../metadata/bytes.ts'

/**
 * mozjpeg's own luminance table, in zigzag order at quality 50 (jcparam.c, `std_luminance_quant_tbl[3]`, by N. Robidoux).
 * Hardly any other encoder uses it.
 */
const MOZJPEG_TABLE: readonly number[] = [
  16, 16, 16, 16, 17, 16, 18, 20, 20, 18, 25, 27, 24, 27, 25, 37, 34, 31, 31, 34, 37, 56, 40, 43, 40, 43, 40, 56, 85,
  53, 62, 53, 53, 62, 53, 85, 75, 91, 74, 69, 74, 91, 75, 135, 106, 94, 94, 106, 135, 156, 131, 124, 131, 156, 189, 169,
  169, 189, 238, 226, 238, 311, 311, 418,
]

const [DQT, SOS] = [0xdb, 0xda] as const

/** Whether a JPEG comes from mozjpeg, at any quality: then it has been optimised before. */
export function isFromMozjpeg(jpeg: Uint8Array): boolean {
  const table = luminanceTable(jpeg)
  if (table === undefined) return false
  for (let quality = 1; quality <= 100; quality++) {
    // Steps that do not fit 8 bits are cut off where the file is to be a baseline one.
    if (
      MOZJPEG_TABLE.every(
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
