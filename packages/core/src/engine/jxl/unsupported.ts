import { readJxlHeader } from './header.ts'
import { MOST_DECODED_PIXELS } from './limits.ts'

/** The kind of a JPEG XL image that cannot be worked on, with its article; `undefined` when it can. */
export function unsupportedJxl(source: Uint8Array): string | undefined {
  const header = readJxlHeader(source)
  // The decoder would give its first frame.
  if (header?.animated) return 'an animated JPEG XL image'
  // The decoder leaves the black ink out.
  if (header?.cmyk) return 'a JPEG XL image in CMYK'
  if (header !== undefined && header.width * header.height > MOST_DECODED_PIXELS) {
    return `a JPEG XL image of more than ${MOST_DECODED_PIXELS / 1_000_000} megapixels`
  }
  return undefined
}
