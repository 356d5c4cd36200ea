/** One width of a picture, in pixels, and about how many bytes it takes there. */
export interface WidthBytes {
  readonly width: number
  readonly bytes: number
}

/**
 * The growth of a picture's bytes with its width: the narrowest width first, its own last. The bytes are those of one
 * quick encoder, and so tell one width from another rather than what a result will take.
 */
export type ByteCurve = readonly WidthBytes[]

/**
 * Raised whenever another curve is measured of the same picture: a part of the identity under which curves are cached.
 */
export const CURVE_REVISION = 1

/** The power of the width by which bytes grow, where one width alone tells nothing. Photographs measure 1.4 to 1.8. */
const USUAL_POWER = 1.6

/** Returns the bytes at a width: between measured widths, and beyond them, they follow a power of the width. */
export function bytesAtWidth(curve: ByteCurve, width: number): number {
  const above = curve.findIndex((point) => point.width >= width)
  const at = above === -1 ? curve.length - 1 : Math.max(1, above)
  const upper = curve[at] ?? curve[0]!
  return upper.bytes * (width / upper.width) ** powerBelow(curve, at)
}

/** Returns the width, not a whole one, at which the bytes are so many. */
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
