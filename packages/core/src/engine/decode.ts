import sharp from 'sharp'
import { PixpressError } from '../errors.ts'
import { firstLine } from '../probe.ts'
import type { ProbeResult } from '../types.ts'
import { decodePixels } from './colour/decode-pixels.ts'
import type { DecodedPixels } from './colour/decode-pixels.ts'
import { colourIn, fillTransparent } from './colour/fill.ts'
import { needsWideGamut, toSrgb } from './colour/gamut.ts'
import type { CropFrame } from './crop/crop-frame.ts'
import type { Job } from './job.ts'
import { createPicture } from './picture.ts'
import type { Picture } from './picture.ts'
import { dropOpaqueAlpha } from './resample/raster.ts'
import type { Raster } from './resample/raster.ts'
import { shrinkRaster } from './resample/shrink.ts'
import { toBytes } from './resample/transfer.ts'
import { resizeRaster } from './resize-raster.ts'

// Every image is decoded once: libvips' cache of recent operations would only hold on to their pixels.
sharp.cache(false)

export interface DecodedPicture {
  picture: Picture
  /** Whether the resize that was asked for changed anything. */
  resized: boolean
  /** How it was cropped; `undefined` if it was not. */
  crop: CropFrame | undefined
}

/**
 * Source bytes → upright, resized, filled pixels in sRGB, or in Display P3 where sRGB would look different. The order is
 * the interface's: orientation, colour, resize, background fill.
 * @throws PixpressError `DECODE_FAILED`; `INPUT_TOO_LARGE` for a thumbnail beyond the limit
 */
export async function decodePicture(job: Job, probe: ProbeResult): Promise<DecodedPicture> {
  const { resize, background } = job.operations
  const decoded = await decodePixels(job.source, probe, job.limits.maxPixels).catch((error: unknown) => {
    throw decodeFailed(job, error)
  })
  const upright = dropOpaqueAlpha(decoded.raster)
  const resized = await resizeRaster(upright, resize, job.limits.maxPixels, job.file)
  const { raster, space } = shown(resized.raster, decoded.space, job)
  const { width, height, channels } = raster
  const data = toBytes(raster)
  const picture =
    channels === 4 && background !== null
      ? { data: fillTransparent(data, colourIn(space, background)), width, height, channels: 3 as const }
      : { data, width, height, channels }
  return {
    picture: createPicture(picture, space),
    resized: resized.raster !== upright,
    crop: resized.crop,
  }
}

/** Display P3 is kept where it shows, unless a type is wanted that cannot be told of it: JPEG XL, by its encoder here. */
function shown(
  raster: Raster,
  space: DecodedPixels['space'],
  { operations: { types } }: Job,
): { raster: Raster; space: DecodedPixels['space'] } {
  if (space === 'srgb') return { raster, space }
  // In blocks of one pixel, shrinking does nothing but turn samples into light.
  const light = raster.encoding === 'linear16' ? raster : shrinkRaster(raster, raster)
  const isKept = types?.includes('image/jxl') !== true && needsWideGamut(light)
  return isKept ? { raster, space } : { raster: toSrgb(light), space: 'srgb' }
}

export function decodeFailed(job: Job, error: unknown): PixpressError {
  return new PixpressError('DECODE_FAILED', `The image cannot be decoded as ${job.type}: ${firstLine(error)}.`, {
    file: job.file,
    cause: error,
  })
}
