import sharp from 'sharp'
import type { Sharp } from 'sharp'
import type { InputType } from '../types.ts'
import { decodeJxl } from './jxl/codec.ts'

/**
 * The pixels of a still image, upright, for sharp to go on with. sharp's own decoders are used for every type but JPEG
 * XL, which it does not know.
 * @throws Error when JPEG XL data cannot be decoded; sharp reports its own failures when the pixels are asked for
 */
export async function openStill(
  data: Uint8Array,
  type: InputType | undefined,
  maxPixels: number | false,
): Promise<Sharp> {
  if (type !== 'image/jxl') return sharp(data, { failOn: 'error', limitInputPixels: maxPixels }).autoOrient()
  const { data: pixels, width, height } = await decodeJxl(data)
  return sharp(pixels, { raw: { width, height, channels: 4 }, limitInputPixels: maxPixels })
}
