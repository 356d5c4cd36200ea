import { PixpressError } from '../base/errors.ts'
import { resizedSize } from '../resample/size.ts'
import type { Size } from '../resample/size.ts'
import { chooseCropFrame, isCrop, isWhole } from './crop-frame.ts'
import type { CropFrame } from './crop-frame.ts'
import { strategyWindow } from './strategy-window.ts'
import { downscale } from '../resample/downscale.ts'
import { cropRaster, extendRaster, withAlpha } from '../resample/raster.ts'
import type { Raster } from '../resample/raster.ts'
import { rescale } from '../resample/rescale.ts'
import { lightTable, WHITE } from '../resample/transfer.ts'
import type { ResolvedResize } from '../base/resize.ts'

/** A raster that was resized, and maybe cropped. */
export interface ResizedRaster {
  /** The very raster that was given where nothing changes. */
  raster: Raster
  /** How it was cropped; `undefined` if it was not. */
  crop: CropFrame | undefined
}

/**
 * Resizes a picture.
 * @throws PixpressError `INPUT_TOO_LARGE` for a result of more than `maxPixels`, because of what is added
 */
export async function resizeRaster(
  raster: Raster,
  resize: ResolvedResize | null,
  maxPixels: number,
  file: string | undefined,
): Promise<ResizedRaster> {
  if (!isCrop(resize)) return { raster: await downscale(raster, resizedSize(raster, resize)), crop: undefined }
  const { position } = resize
  const window = typeof position === 'string' ? await strategyWindow(raster, resize, position) : undefined
  const crop = chooseCropFrame([raster], raster, resize, window)
  assertWithin(crop.size, maxPixels, file)
  return isWhole(crop, raster) ? { raster, crop: undefined } : { raster: await cropTo(raster, crop), crop }
}

/** A picture cut, scaled and placed on its background, as a frame says. */
export async function cropTo(raster: Raster, { cut, placed, size, background, kernel }: CropFrame): Promise<Raster> {
  const part = cropRaster(raster, cut)
  const isEnlarged = placed.width > part.width || placed.height > part.height
  const scaled =
    kernel !== undefined || isEnlarged ? await rescale(part, placed, kernel) : await downscale(part, placed)
  if (background === undefined) return scaled
  const letsThrough = Array.isArray(background) && background[3] < 255
  const base = letsThrough ? withAlpha(scaled) : scaled
  return extendRaster(base, samplesOf(background, base), { ...placed, ...size })
}

/** @throws PixpressError `INPUT_TOO_LARGE` */
export function assertWithin({ width, height }: Size, maxPixels: number, file: string | undefined): void {
  if (width * height <= maxPixels) return
  const pixels = `${width}×${height} = ${width * height} pixels`
  throw new PixpressError('INPUT_TOO_LARGE', `The result would be ${pixels}; the limit is ${maxPixels}.`, { file })
}

function samplesOf(
  background: NonNullable<CropFrame['background']>,
  { encoding, channels }: Raster,
): readonly number[] {
  if (background === 'transparent') return [0, 0, 0, 0]
  // A background that is not given is transparent where the picture can be, else black.
  if (background === 'clear') return channels === 4 ? [0, 0, 0, 0] : [0, 0, 0]
  const [red, green, blue, alpha = 255] = background
  const colour = [red, green, blue]
  if (encoding === 'gamma8') return [...colour, alpha]
  const light = lightTable('gamma8')
  return [...colour.map((byte) => (encoding === 'linear16' ? light[byte]! : byte * 257)), (alpha / 255) * WHITE]
}
