import type { Curve } from '../../encoding/search.ts'

/**
 * Median SSIMULACRA2 per quality setting of libjxl at effort 5, over 53 photographs, graphics, gradients and
 * screenshots. A search only starts from it; what it returns is measured on the image itself.
 */
export const JXL_EFFORT_5: Curve = [
  [10, 31.38],
  [20, 50.96],
  [30, 55.04],
  [40, 57.69],
  [50, 60.82],
  [60, 70.08],
  [70, 75.33],
  [78, 80.53],
  [84, 83.43],
  [89, 87.03],
  [93, 90.3],
  [96, 92.77],
  [99, 95.79],
]
