import type { Curve } from '../../encoding/search.ts'

/**
 * Median SSIMULACRA2 per quality setting of libaom at effort 3 with 10 bits, over 53 photographs, graphics, gradients and screenshots. A search only starts
 * from it; what it returns is measured on the image itself.
 */
export const AVIF_EFFORT_3_10_BIT: Curve = [
  [16, 35.25],
  [21, 41.25],
  [26, 48.85],
  [31, 54.08],
  [36, 60.38],
  [41, 65.69],
  [46, 71.16],
  [51, 74.98],
  [56, 79.11],
  [61, 81.6],
  [66, 83.99],
  [71, 86.4],
  [76, 88.08],
  [81, 89.5],
  [86, 91.47],
  [91, 94.01],
  [96, 96.01],
]
