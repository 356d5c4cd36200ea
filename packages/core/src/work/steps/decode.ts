import sharp from 'sharp'
import { codecOf } from '../../formats/index.ts'
import type { ProbeResult } from '../../base/types.ts'
import type { DecodedPixels } from './decode-pixels.ts'
import { needsWideGamut, toSrgb } from '../../colour/gamut.ts'
import type { AdjustablePixels } from '../../operations/adjustment.ts'
import { applyToPixels, askedOf } from '../../operations/index.ts'
import type { CropFrame } from '../../crop/crop-frame.ts'
import { mayKeepType } from './job.ts'
import type { Job } from './job.ts'
import { createPicture } from '../../encoding/picture.ts'
import type { Picture } from '../../encoding/picture.ts'
import type { Raster } from '../../resample/raster.ts'
import { toBytes } from '../../resample/transfer.ts'
import { assertWithin } from '../../crop/resize-raster.ts'
import { openPixels } from './source-pixels.ts'
import type { SourcePixels } from './source-pixels.ts'

// Every image is decoded once, so libvips' cache of recent operations would only keep pixels in memory.
sharp.cache(false)

/** The decoded, resized and flattened pixels of a source. */
export interface DecodedPicture {
  picture: Picture
  /** `true` if the requested resize changed anything. */
  resized: boolean
  /** The crop that was applied; `undefined` if there was none. */
  crop: CropFrame | undefined
}

/**
 * Decodes a source to upright, resized, flattened pixels in sRGB, or in Display P3 if sRGB would look different. The
 * order is that of the remote interface: orientation, colour, resize, background. Adjustments come last.
 * @throws PixpressError `DECODE_FAILED`; `INPUT_TOO_LARGE` for a result beyond the limit
 */
export async function decodePicture(job: Job, probe: ProbeResult): Promise<DecodedPicture> {
  const source = await openPixels(job, probe)
  const { raster, space } = shown(source.raster, source.space, job)
  const inColour = carriesGainMap(job)
  const made = JSON.stringify([space, ...askedOf('pixels', job.operations), ...(inColour ? ['in colour'] : [])])
  const shared = pictures.get(source) ?? new Map<string, Picture>()
  pictures.set(source, shared)
  const isNear = source.isNear === true && !source.resized
  const picture = shared.get(made) ?? {
    ...createPicture(await applyToPixels(pixelsOf(raster), job.operations, space), space),
    ...(isNear && { isNear: true as const }),
    ...(job.type === 'image/jpeg' && !source.resized && { fromJpeg: true as const }),
    // libvips takes a grey picture with a gain map for a damaged one.
    ...(inColour && { grey: false }),
  }
  shared.set(made, picture)
  assertWithin(picture, job.limits.maxPixels, job.file)
  return { picture, resized: source.resized, crop: source.crop }
}

/** Tells whether a result in the source's format has its gain map. */
function carriesGainMap({ source, type, operations }: Job): boolean {
  const { extras, gainMaps } = codecOf(type)
  const isKept = gainMaps !== undefined && operations.gainMap !== false && mayKeepType({ type, operations })
  return isKept && extras?.(source).gainMap?.file !== undefined
}

/** Pictures made from pixels that jobs share, so that those jobs also share the data that is prepared for a picture. */
const pictures = new WeakMap<SourcePixels, Map<string, Picture>>()

const pixelsOf = (raster: Raster): AdjustablePixels => {
  const { width, height, channels } = raster
  return { data: toBytes(raster), width, height, channels }
}

/** Keeps Display P3 if it makes a visible difference and every requested type supports it. */
function shown(
  raster: Raster,
  space: DecodedPixels['space'],
  { type, operations: { types, adjust } }: Job,
): { raster: Raster; space: DecodedPixels['space'] } {
  if (space === 'srgb') return { raster, space }
  // sharp's adjustments and their colours are defined in sRGB.
  const canHaveP3 = adjust === undefined && (types ?? [type]).every((each) => codecOf(each).inDisplayP3 !== undefined)
  const isKept = canHaveP3 && needsWideGamut(raster)
  return isKept ? { raster, space } : { raster: toSrgb(raster), space: 'srgb' }
}
