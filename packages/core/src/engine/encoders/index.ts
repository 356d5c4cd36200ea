import type { ImageType } from '../../types.ts'
import { encodeAvif } from './avif.ts'
import type { Encoder } from './encoder.ts'
import { encodeJpeg } from './jpeg.ts'
import { encodeJpegXl } from './jxl.ts'
import { encodePng } from './png.ts'
import { encodeWebp } from './webp.ts'

/** The encoder of every type that can be written. A type without one does not compile. */
export const ENCODERS: Record<ImageType, Encoder> = {
  'image/avif': encodeAvif,
  'image/jxl': encodeJpegXl,
  'image/webp': encodeWebp,
  'image/jpeg': encodeJpeg,
  'image/png': encodePng,
} satisfies Record<ImageType, Encoder>
