import { switched } from './adjustment.ts'
import type { Adjustment, AdjustablePixels } from './adjustment.ts'

/** Takes the colours away. */
export const grayscale: Adjustment<boolean, true> = {
  ...switched('takes the colours away'),
  place: 11,
  // sharp does it first as well.
  apply: { before: withoutColour },
}

/** sharp's greyscale has one channel as raw pixels, and no alpha. */
async function withoutColour(pixels: AdjustablePixels): Promise<AdjustablePixels> {
  const { default: sharp } = await import('sharp')
  const { data: from, width, height, channels } = pixels
  const raw = { width, height, channels }
  const greys = await sharp(from, { raw, limitInputPixels: false }).removeAlpha().grayscale().raw().toBuffer()
  const data = Buffer.from(from)
  for (let at = 0, pixel = 0; at < data.length; at += channels, pixel++) {
    data[at] = greys[pixel]!
    data[at + 1] = greys[pixel]!
    data[at + 2] = greys[pixel]!
  }
  return { ...pixels, data }
}
