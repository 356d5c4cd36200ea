import { toSrgb } from '../colour/gamut.ts'
import type { Picture } from '../encoding/picture.ts'
import { withAlpha } from '../resample/raster.ts'
import { shrinkRaster } from '../resample/shrink.ts'
import type { Size } from '../resample/size.ts'
import { toBytes } from '../resample/transfer.ts'

/** A picture made small: interleaved RGBA of 8 bits in sRGB. */
export interface Samples extends Size {
  readonly data: Uint8Array
  /** Some pixel is not opaque. */
  readonly hasAlpha: boolean
}

/** Pixels of the longer side of what placeholders are made of: what ThumbHash takes at most. */
const SIDE = 100

/** Returns a picture as placeholders see it: means in light of its blocks of pixels, at most 100 of them a side. */
export function samplesOf(picture: Pick<Picture, 'data' | 'width' | 'height' | 'channels' | 'space'>): Samples {
  const { data, channels, space } = picture
  const size = within(picture, SIDE)
  const { width, height } = picture
  const small = shrinkRaster({ encoding: 'gamma8', data, width, height, channels }, size)
  const shown = withAlpha(space === 'display-p3' ? toSrgb(small) : small)
  return { ...size, data: toBytes(shown), hasAlpha: channels === 4 }
}

/** Returns a size within a square, in its own proportions as far as whole pixels go; never larger. */
export function within({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
