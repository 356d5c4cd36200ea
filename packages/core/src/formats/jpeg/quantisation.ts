import { hasAscii, uint16 } from '../../metadata/bytes.ts'

/**
 * Luminance tables at quality 50, in zigzag order, that pixpress asks mozjpeg for: 5 (Klein, Silverstein and Carney
 * 1992) and 8 (Peterson, Ahumada and Watson 1993). Hardly anybody else does.
 */
const TABLES: readonly (readonly number[])[] = [
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
const QUALITIES = { lowest: 2, highest: 98 } as const

/** The place of what names a JFIF header, the first segment where there is one (ITU-T T.871 section 10.1). */
const JFIF_AT = 6

const [DQT, SOS] = [0xdb, 0xda] as const

/** The frames of sequential and progressive files, in front of which libjpeg and its kin write their tables. */
const SOF: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2])

/**
 * Tells whether a JPEG has our quantisation tables, at any of our qualities, and no JFIF header, which our results
 * never have. Other programs that ask mozjpeg for these tables leave the header in: so do JPEG files of Astro's
 * starters.
 */
export function isOurJpeg(jpeg: Uint8Array): boolean {
  if (hasAscii(jpeg, JFIF_AT, 'JFIF\0')) return false
  const table = luminanceTable(jpeg)
  return table !== undefined && TABLES.some((own) => isScaled(own, table))
}

/** Tells whether a table is one of ours at some quality. */
function isScaled(own: readonly number[], table: readonly number[]): boolean {
  for (let quality: number = QUALITIES.lowest; quality <= QUALITIES.highest; quality++) {
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

/** Number of the lowest frequencies, in zigzag order, by which tables are compared: the others seldom have values. */
const LOWEST_STEPS = 15

/**
 * Returns the setting of quality at which table 5 has the steps of a JPEG's luminance on average, in the lowest
 * frequencies; `undefined` for a JPEG without a table.
 */
export function settingOfTable(jpeg: Uint8Array): number | undefined {
  const table = luminanceTable(jpeg)
  if (table === undefined) return undefined
  const sum = sumOf(table)
  const distance = (quality: number): number => Math.abs(sumOf(TABLES[0]!.map((step) => scaled(step, quality))) - sum)
  let nearest: number = QUALITIES.lowest
  for (let quality = nearest + 1; quality <= 100; quality++) {
    if (distance(quality) < distance(nearest)) nearest = quality
  }
  return nearest
}

const sumOf = (table: readonly number[]): number => table.slice(0, LOWEST_STEPS).reduce((sum, step) => sum + step, 0)

/** Scales a step like `jpeg_quality_scaling` and `jpeg_add_quant_table` of libjpeg's jcparam.c. */
function scaled(step: number, quality: number): number {
  const percent = quality < 50 ? Math.floor(5000 / quality) : 200 - quality * 2
  return Math.max(1, Math.floor((step * percent + 50) / 100))
}

/**
 * Finds table 0 in the segments in front of the frame, in zigzag order (ITU-T T.81 annex B.2.4.1). Photoshop writes its
 * tables after the frame, and at some settings they equal ours.
 */
function luminanceTable(jpeg: Uint8Array): readonly number[] | undefined {
  for (let at = 2; at + 4 <= jpeg.length && jpeg[at] === 0xff && jpeg[at + 1] !== SOS && !SOF.has(jpeg[at + 1]!);) {
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
