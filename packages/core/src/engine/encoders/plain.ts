import { PixpressError } from '../../errors.ts'
import type { ImageType, ResolvedEncoderSettings } from '../../types.ts'
import { encodeJxl } from '../jxl/codec.ts'
import { fromPicture } from '../picture.ts'
import type { Picture } from '../picture.ts'
import { SEQUENTIAL_MOZJPEG } from './jpeg.ts'
import { quantisePng } from './quantise.ts'

/**
 * The picture in one type with the settings that were given for it, or `undefined` where none were.
 * @throws PixpressError `ENCODE_FAILED` when libjxl fails
 */
export async function encodePlain(
  picture: Picture,
  type: ImageType,
  settings: ResolvedEncoderSettings | null,
): Promise<Uint8Array | undefined> {
  if (settings?.[type] === undefined) return undefined
  if (type === 'image/jxl') return jpegXl(picture, settings[type]!)
  if (type === 'image/jpeg') {
    const { progressive, ...rest } = settings[type]!
    const pixels = picture.grey ? fromPicture(picture).toColourspace('b-w') : fromPicture(picture)
    return pixels.jpeg({ ...(progressive ? { mozjpeg: true } : SEQUENTIAL_MOZJPEG), ...rest }).toBuffer()
  }
  if (type === 'image/webp') return fromPicture(picture).webp(settings[type]!).toBuffer()
  if (type === 'image/avif') {
    const { lossless, ...rest } = settings[type]!
    const depth = lossless ? 8 : 10
    return fromPicture(picture)
      .avif({ ...rest, lossless, bitdepth: depth })
      .toBuffer()
  }
  const { colours, dither } = settings[type]!
  if (colours === undefined) return fromPicture(picture).png({ compressionLevel: 9 }).toBuffer()
  return quantisePng(fromPicture(picture), { colours, dither, effort: 10 }, { compressionLevel: 9 })
}

async function jpegXl(
  picture: Picture,
  { quality, effort, lossless }: NonNullable<ResolvedEncoderSettings['image/jxl']>,
): Promise<Uint8Array> {
  const data = await fromPicture(picture).ensureAlpha().raw({ depth: 'uchar' }).toBuffer()
  const { width, height } = picture
  try {
    return await encodeJxl({ data, width, height }, { effort, quality: lossless ? 'lossless' : quality })
  } catch (error) {
    throw new PixpressError('ENCODE_FAILED', 'The JPEG XL encoder failed.', { cause: error })
  }
}
