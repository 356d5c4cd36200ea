import type { Curve } from '../../encoding/search.ts'

/** Quality settings that give the same bytes as the one below: libaom has 64 levels. Measured; a test holds them. */
const REPEATED: ReadonlySet<number> = new Set([
  2, 4, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 36, 38, 41, 43, 46, 48, 51, 53, 57, 61, 65, 69, 73, 77,
  81, 85, 89, 93, 97,
])

/**
 * The quality settings that differ, from 1 to 99. A search goes by their places, so that it never encodes the same
 * twice.
 */
export const AVIF_SETTINGS: readonly number[] = Array.from({ length: 99 }, (_, at) => at + 1).filter(
  (quality) => !REPEATED.has(quality),
)

/** Returns the place of the lowest setting that is no lower. */
export const avifStep = (quality: number): number => AVIF_SETTINGS.findIndex((each) => each >= quality)

/**
 * Median SSIMULACRA2 per quality setting of libaom at effort 1 with 10 bits, over 44 photographs. A search only starts
 * from it; what it returns is measured on the image itself.
 */
export const AVIF_PHOTOGRAPH: Curve = [
  [20, 29.5],
  [30, 42.9],
  [40, 56.5],
  [50, 69.6],
  [58, 75.9],
  [66, 81.5],
  [74, 85.8],
  [82, 89],
  [90, 92.7],
  [96, 95.4],
]

/** The same over drawings, logos and screenshots. */
export const AVIF_DRAWING: Curve = [
  [20, 58],
  [30, 69.3],
  [40, 77.1],
  [50, 82.6],
  [58, 85.1],
  [66, 86.8],
  [74, 89.1],
  [82, 90.9],
  [90, 93.3],
  [96, 96],
]

/**
 * The same at effort 3 with 8 bits and `tune: 'ssim'`, over 20 crops of drawings and screenshots that are mostly of one
 * colour.
 */
export const AVIF_FLAT: Curve = [
  [20, 66.6],
  [30, 75],
  [40, 81.5],
  [50, 86.4],
  [58, 89.6],
  [66, 91.7],
  [74, 92.7],
  [82, 93.7],
  [90, 95.1],
  [96, 95.6],
]
