import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { PixpressError } from '../errors.ts'
import { firstLine } from '../probe.ts'
import { resizedSize } from '../size.ts'
import type { Size } from '../size.ts'
import type { ProbeResult } from '../types.ts'
import { decodePixels } from './colour/decode-pixels.ts'
import type { DecodedPixels } from './colour/decode-pixels.ts'
import { colourIn, fillTransparent } from './colour/fill.ts'
import { needsWideGamut, toSrgb } from './colour/gamut.ts'
import { chooseCropFrame, isCrop, isWhole } from './crop/crop-frame.ts'
import type { CropFrame } from './crop/crop-frame.ts'
import { decodeFrames } from './frames.ts'
import type { Frames } from './frames.ts'
import type { Job } from './job.ts'
import { createPicture } from './picture.ts'
import type { Picture } from './picture.ts'
import { dropOpaqueAlpha } from './resample/raster.ts'
import type { Raster } from './resample/raster.ts'
import { shrinkRaster } from './resample/shrink.ts'
import { toBytes } from './resample/transfer.ts'
import { assertWithin, resizeRaster } from './resize-raster.ts'

// Every image is decoded once: libvips' cache of recent operations would only hold on to their pixels.
sharp.cache(false)

/** The longer side of the copies of frames from which the window of an animation is chosen, in pixels. */
const FRAME_SIDE = 256

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

/**
 * The one frame to which all frames of an animation are cropped, chosen from all of them. `undefined` where nothing is
 * cropped.
 * @throws PixpressError `DECODE_FAILED`; `INPUT_TOO_LARGE` for a thumbnail beyond the limit
 */
export async function chooseAnimationCrop(job: Job, probe: ProbeResult): Promise<CropFrame | undefined> {
  const { resize } = job.operations
  if (!isCrop(resize)) return undefined
  const scale = Math.min(1, FRAME_SIDE / Math.max(probe.width, probe.height))
  const width = Math.max(1, Math.round(probe.width * scale))
  const height = Math.max(1, Math.round(probe.height * scale))
  const frames =
    job.composed === undefined
      ? frameRasters({ data: await smallFrames(job, { width, height }), width, height })
      : frameRasters(job.composed.frames).map((frame) => shrinkRaster(frame, { width, height }))
  const frame = chooseCropFrame(frames, probe, resize)
  assertWithin(frame.size, job.limits.maxPixels, job.file)
  return isWhole(frame, probe) ? undefined : frame
}

function smallFrames(job: Job, { width, height }: Size): Promise<Buffer> {
  return openFrames(job)
    .resize({ width, height, fit: 'fill' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer()
    .catch((error: unknown) => {
      throw decodeFailed(job, error)
    })
}

/** Frames of 8 bits with alpha, one behind the other. */
function frameRasters({ data, width, height }: Size & { data: Uint8Array }): Raster[] {
  const bytes = width * height * 4
  return Array.from({ length: data.length / bytes }, (_, index) => ({
    encoding: 'gamma8',
    data: data.subarray(index * bytes, (index + 1) * bytes),
    width,
    height,
    channels: 4,
  }))
}

/**
 * An animation, resized and filled, its frames one below the other; the encoders of animations take it from here, as often
 * as they like. It is cropped as `job.crop` says.
 * @throws Error when the pixels cannot be decoded
 */
export async function openAnimation(job: Job, probe: ProbeResult): Promise<() => Sharp> {
  const { background } = job.operations
  const changed = (frames: Sharp): Sharp => {
    const pipeline = resizedFrames(frames, job, probe)
    return background === null ? pipeline : pipeline.flatten({ background })
  }
  if (job.composed === undefined) return () => changed(openFrames(job))
  const frames = await changedFrames(job.composed.frames, changed)
  return () => openRawFrames(frames)
}

/** Raw frames one by one: libvips would resize them as one tall picture. */
async function changedFrames(frames: Frames, change: (frame: Sharp) => Sharp): Promise<Frames> {
  const { width, height, count } = frames
  const bytes = width * height * 4
  const changed: Frames[] = []
  for (let index = 0; index < count; index++) {
    const data = frames.data.subarray(index * bytes, (index + 1) * bytes)
    const raw = { width, height, channels: 4 as const }
    changed.push(await decodeFrames(change(sharp(data, { raw, limitInputPixels: false }))))
  }
  const [first] = changed
  return { ...first!, data: Buffer.concat(changed.map(({ data }) => data)), count }
}

/** Decoded frames, for encoders of animations. */
export function openRawFrames({ data, width, height, count }: Frames): Sharp {
  const raw = { width, height: height * count, channels: 4 as const, pageHeight: height }
  return sharp(data, { raw, limitInputPixels: false })
}

export function decodeFailed(job: Job, error: unknown): PixpressError {
  return new PixpressError('DECODE_FAILED', `The image cannot be decoded as ${job.type}: ${firstLine(error)}.`, {
    file: job.file,
    cause: error,
  })
}

function openFrames({ source, limits, composed }: Job): Sharp {
  if (composed !== undefined) return openRawFrames(composed.frames)
  return sharp(source, { animated: true, failOn: 'error', limitInputPixels: limits.maxPixels })
}

function resizedFrames(pipeline: Sharp, { operations: { resize }, crop }: Job, probe: ProbeResult): Sharp {
  if (crop !== undefined) return croppedFrames(pipeline, crop)
  if (resize === null || isCrop(resize)) return pipeline
  const { width, height } = resizedSize(probe, resize)
  if (width === probe.width && height === probe.height) return pipeline
  return pipeline.resize({ width, height, fit: 'fill', kernel: 'lanczos3' })
}

function croppedFrames(pipeline: Sharp, { cut, placed, size, ground }: CropFrame): Sharp {
  const { width, height } = placed
  const scaled = pipeline.extract(cut).resize({ width, height, fit: 'fill', kernel: 'lanczos3' })
  if (ground === undefined) return scaled
  return scaled.extend({
    left: placed.left,
    top: placed.top,
    right: size.width - placed.left - width,
    bottom: size.height - placed.top - height,
    background: ground === 'transparent' ? '#0000' : { r: ground[0], g: ground[1], b: ground[2] },
  })
}
