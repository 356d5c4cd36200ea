import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { codecOf } from '../../formats/index.ts'
import type { InputType } from '../../base/types.ts'

/** Whether browsers show images of a type rotated as EXIF says. */
export const isRotated = (type: InputType | undefined): boolean =>
  type === undefined || codecOf(type).readOrientation !== undefined

/**
 * The pixels of a still image, upright, for sharp to go on with: by sharp's own decoder, or by that of a format that sharp
 * does not know.
 * @param type `undefined` where it is not known; then sharp finds out
 * @throws Error when a format's own decoder fails; sharp reports its failures when the pixels are asked for
 */
export async function openStill(
  data: Uint8Array,
  type: InputType | undefined,
  maxPixels: number | false,
): Promise<Sharp> {
  const decode = type === undefined ? undefined : codecOf(type).decode
  if (decode === undefined) {
    const opened = sharp(data, { failOn: 'error', limitInputPixels: maxPixels })
    return isRotated(type) ? opened.autoOrient() : opened
  }
  const { data: pixels, width, height } = await decode(data)
  return sharp(pixels, { raw: { width, height, channels: 4 }, limitInputPixels: maxPixels })
}
