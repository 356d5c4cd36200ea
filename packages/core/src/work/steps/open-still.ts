import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { codecOf } from '../../formats/index.ts'
import type { InputType } from '../../base/types.ts'
import { turnUpright } from '../../encoding/turned.ts'
import { readOrientation } from './metadata.ts'

/**
 * Opens the upright pixels of a still image in sharp, with sharp's own decoder or with that of a format that sharp does
 * not know.
 * @param type `undefined` if it is not known; then sharp detects it
 * @param maxPixels limit of pixels; `false` for none
 * @throws Error if a format's own decoder fails; sharp reports its failures when the pixels are read
 */
export async function openStill(
  data: Uint8Array,
  type: InputType | undefined,
  maxPixels: number | false,
): Promise<Sharp> {
  const decode = type === undefined ? undefined : codecOf(type).decode
  if (decode === undefined) {
    const opened = sharp(data, { failOn: 'error', limitInputPixels: maxPixels })
    return turnUpright(opened, type === undefined ? 1 : readOrientation(data, type))
  }
  const { data: pixels, width, height } = await decode(data)
  return sharp(pixels, { raw: { width, height, channels: 4 }, limitInputPixels: maxPixels })
}
