/** One width of a picture, in pixels, and the approximate bytes at this width. */
export interface WidthBytes {
  readonly width: number
  readonly bytes: number
}

/**
 * The growth of a picture's bytes with its width, from the narrowest width to the picture's own. The bytes are those of
 * one quick encoder: they compare widths, but do not predict the size of a result.
 */
export type ByteCurve = readonly WidthBytes[]

/**
 * Version of the measurement, which is a part of the identity under which curves are cached. It is raised whenever
 * another curve is measured for the same picture.
 */
export const CURVE_REVISION = 1

/** Power of the width by which bytes grow, if only one width is known. Photographs measure 1.4 to 1.8. */
const USUAL_POWER = 1.6

/** Returns the bytes at a width: between measured widths, and beyond them, they follow a power of the width. */
export function bytesAtWidth(curve: ByteCurve, width: number): number {
  const above = curve.findIndex((point) => point.width >= width)
  const at = above === -1 ? curve.length - 1 : Math.max(1, above)
  const upper = curve[at] ?? curve[0]!
  return upper.bytes * (width / upper.width) ** powerBelow(curve, at)
}

/** Returns the width at which the picture has so many bytes. It is not rounded to an integer. */
export function widthAtBytes(curve: ByteCurve, bytes: number): number {
  const above = curve.findIndex((point) => point.bytes >= bytes)
  const at = above === -1 ? curve.length - 1 : Math.max(1, above)
  const upper = curve[at] ?? curve[0]!
  return upper.width * (bytes / upper.bytes) ** (1 / powerBelow(curve, at))
}

function powerBelow(curve: ByteCurve, at: number): number {
  const [lower, upper] = [curve[at - 1], curve[at]]
  if (lower === undefined || upper === undefined) return USUAL_POWER
  return Math.log(upper.bytes / lower.bytes) / Math.log(upper.width / lower.width)
}
