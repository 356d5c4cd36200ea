import { PixpressError } from '../errors.ts'
import { resizedSize } from '../resample/size.ts'
import type { Size } from '../resample/size.ts'
import type { ResizeOptions } from '../types.ts'
import { chooseCropFrame, isCrop, isWhole } from './crop/crop-frame.ts'
import type { CropFrame } from './crop/crop-frame.ts'
import type { Background } from './crop/plain-background.ts'
import { downscale } from '../resample/downscale.ts'
import { cropRaster, extendRaster } from '../resample/raster.ts'
import type { Raster } from '../resample/raster.ts'
import { lightTable, WHITE } from '../resample/transfer.ts'

export interface ResizedRaster {
  /** The very raster that was given where nothing changes. */
  raster: Raster
  /** How it was cropped; `undefined` if it was not. */
  crop: CropFrame | undefined
}

/**
 * Resizes a picture.
 * @throws PixpressError `INPUT_TOO_LARGE` for a thumbnail of more than `maxPixels`, because of the background that is added
 */
export async function resizeRaster(
  raster: Raster,
  resize: ResizeOptions | null,
  maxPixels: number,
  file: string | undefined,
): Promise<ResizedRaster> {
  if (!isCrop(resize)) return { raster: await downscale(raster, resizedSize(raster, resize)), crop: undefined }
  const crop = chooseCropFrame([raster], raster, resize)
  assertWithin(crop.size, maxPixels, file)
  return isWhole(crop, raster) ? { raster, crop: undefined } : { raster: await cropTo(raster, crop), crop }
}

/** A picture cut, scaled and placed on its background, as a frame says. */
export async function cropTo(raster: Raster, { cut, placed, size, background }: CropFrame): Promise<Raster> {
  const scaled = await downscale(cropRaster(raster, cut), placed)
  return background === undefined ? scaled : extendRaster(scaled, samplesOf(background, scaled), { ...placed, ...size })
}

/** @throws PixpressError `INPUT_TOO_LARGE` */
export function assertWithin({ width, height }: Size, maxPixels: number, file: string | undefined): void {
  if (width * height <= maxPixels) return
  const pixels = `${width}×${height} = ${width * height} pixels`
  throw new PixpressError('INPUT_TOO_LARGE', `The thumbnail would be ${pixels}; the limit is ${maxPixels}.`, { file })
}

function samplesOf(background: Background, { encoding }: Raster): readonly number[] {
  if (background === 'transparent') return [0, 0, 0, 0]
  if (encoding === 'gamma8') return [...background, 255]
  const light = lightTable('gamma8')
  return [...background.map((byte) => (encoding === 'linear16' ? light[byte]! : byte * 257)), WHITE]
}
