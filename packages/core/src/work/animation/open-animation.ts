import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { resizedSize, rotatedSize } from '../../resample/size.ts'
import type { Size } from '../../resample/size.ts'
import type { ProbeResult } from '../../base/types.ts'
import { adjustPixels } from '../../operations/adjust.ts'
import type { AdjustablePixels } from '../../operations/adjustment.ts'
import { chooseCropFrame, isCrop, isWhole } from '../../crop/crop-frame.ts'
import type { CropFrame } from '../../crop/crop-frame.ts'
import type { ComposedAnimation } from '../../encoding/codec.ts'
import { decodeFailed } from '../steps/job.ts'
import { openGifFrames } from '../../formats/gif/compose.ts'
import { openWebpFrames } from '../../formats/webp/animation-frames.ts'
import { heldFrames, readInPieces, sizeOfAnimation } from '../../encoding/frame-source.ts'
import type { FrameSource } from '../../encoding/frame-source.ts'
import { decodeFrames, openRawFrames } from '../../encoding/frames.ts'
import type { Frames, Part } from '../../encoding/frames.ts'
import type { Job } from '../steps/job.ts'
import { downscale } from '../../resample/downscale.ts'
import { dropOpaqueAlpha, withAlpha } from '../../resample/raster.ts'
import type { Raster } from '../../resample/raster.ts'
import { shrinkRaster } from '../../resample/shrink.ts'
import { toBytes } from '../../resample/transfer.ts'
import { assertWithin, cropTo } from '../../crop/resize-raster.ts'
import { counted } from '../../encoding/counted.ts'

/** Longer side, in pixels, of the small frames from which the window of a crop is chosen. */
const FRAME_SIDE = 256

/** An animation's work, and what is found out before its encoders begin. */
export interface AnimationJob extends Job {
  /** The frame to which every picture of the animation is cropped. */
  crop?: CropFrame | undefined
  /** The decoded frames, for a format that sharp does not read. */
  composed?: ComposedAnimation | undefined
}

/** An animation for its encoders, which may open it repeatedly. */
export interface OpenedAnimation {
  /** Opens the frames, resized and flattened, stacked from top to bottom. */
  readonly open: () => Sharp
  /** The same frames decoded, a few at a time. */
  readonly original: FrameSource
  /** `true` if it brings the timing of its source along. */
  readonly timed: boolean
}

/**
 * Opens an animation for its encoders, cropped to `job.crop`.
 * @throws Error if the pixels cannot be decoded
 */
export async function openAnimation(job: AnimationJob, probe: ProbeResult): Promise<OpenedAnimation> {
  const { background, adjust } = job.operations
  const size = newSize(job, probe)
  const frames =
    size === undefined && adjust === undefined ? job.composed?.frames : await madeFrames(job, size ?? probe)
  // Frames that are adjusted were flattened before, as a still picture is.
  const flat = background !== null && adjust === undefined ? background : undefined
  const open = (part?: Part): Sharp => {
    const opened = frames === undefined ? openSource(job, part) : openRawFrames(frames, part)
    return flat === undefined ? opened : opened.flatten({ background: flat })
  }
  const original =
    flat === undefined
      ? await decodedFrames(job, frames)
      : readInPieces(frames ?? (await sizeOfAnimation(job.source)), (part) => decodeFrames(open(part)))
  return { open: () => open(), original, timed: frames === undefined }
}

/**
 * Chooses the one frame to which all pictures of an animation are cropped, from all of them. Returns `undefined` if
 * nothing is cropped.
 * @throws PixpressError `DECODE_FAILED`; `INPUT_TOO_LARGE` for a thumbnail beyond the limit
 */
export async function chooseAnimationCrop(job: AnimationJob, probe: ProbeResult): Promise<CropFrame | undefined> {
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

/**
 * Decodes the first picture of an animation alone, cropped and resized like all of them.
 * @throws Error if it cannot be decoded
 */
export async function firstFrame(job: AnimationJob, probe: ProbeResult): Promise<Raster> {
  const crop = await chooseAnimationCrop(job, probe)
  const frames = job.composed?.frames ?? (await decodeFrames(openSource(job, { page: 0, pages: 1 })))
  const frame = dropOpaqueAlpha(
    frameRasters({ ...frames, data: frames.data.subarray(0, probe.width * probe.height * 4) })[0]!,
  )
  return crop === undefined ? downscale(frame, newSize(job, probe) ?? probe) : cropTo(frame, crop)
}

function smallFrames(job: AnimationJob, { width, height }: Size): Promise<Buffer> {
  return openSource(job)
    .resize({ width, height, fit: 'fill' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer()
    .catch((error: unknown) => {
      throw decodeFailed(job, error)
    })
}

/** Returns the size of the resized frames; `undefined` if it stays the same. */
function newSize({ operations: { resize }, crop }: AnimationJob, probe: ProbeResult): Size | undefined {
  if (crop !== undefined) return crop.size
  if (isCrop(resize)) return undefined
  const size = resizedSize(probe, resize)
  return size.width === probe.width && size.height === probe.height ? undefined : size
}

/**
 * Frames resized in linear light and adjusted as still pictures are, a few at a time, as all of them would not fit into
 * memory. The frames that they become are held once.
 */
async function madeFrames(job: AnimationJob, { width, height }: Size): Promise<Frames> {
  const size = rotatedSize({ width, height }, job.operations.adjust?.rotate)
  const source = await decodedFrames(job)
  const bytes = size.width * size.height * 4
  const data = Buffer.allocUnsafe(bytes * source.count)
  for (let index = 0; index < source.count; index++) {
    const [frame] = frameRasters({ width: source.width, height: source.height, data: await source.frame(index) })
    data.set(await madeFrame(job, frame!, { width, height }), bytes * index)
  }
  return { data, ...size, count: source.count }
}

async function madeFrame(job: AnimationJob, frame: Raster, size: Size): Promise<Uint8Array> {
  const { adjust, background } = job.operations
  const upright = dropOpaqueAlpha(frame)
  const resized = job.crop === undefined ? await downscale(upright, size) : await cropTo(upright, job.crop)
  const { width, height } = resized
  const made = { data: toBytes(withAlpha(resized)), width, height, channels: 4 as const }
  return adjust === undefined ? made.data : (await adjustPixels(await flattened(made, background), adjust)).data
}

async function flattened(pixels: AdjustablePixels, background: string | null): Promise<AdjustablePixels> {
  if (background === null) return pixels
  const { data, width, height, channels } = pixels
  const image = sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
  return { ...pixels, data: await image.flatten({ background }).ensureAlpha().raw().toBuffer() }
}

/** Opens the frames as they are, or those that they became. */
async function decodedFrames(job: AnimationJob, made = job.composed?.frames): Promise<FrameSource> {
  if (made !== undefined) return heldFrames(made)
  const size = await sizeOfAnimation(job.source)
  const decoded = readInPieces(size, (part) => decodeFrames(openSource(job, part)))
  if (job.type === 'image/webp') return openWebpFrames(job.source, decoded)
  return job.type === 'image/gif' ? openGifFrames(job.source, decoded) : decoded
}

/** Splits stacked frames of 8 bits with alpha. */
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

/** @param part of the frames; all of them by default */
function openSource({ source, limits, composed }: AnimationJob, part?: Part): Sharp {
  if (composed !== undefined) return openRawFrames(composed.frames, part)
  const frames = part ?? { animated: true }
  return counted(sharp(source, { ...frames, failOn: 'error', limitInputPixels: limits.maxPixels }))
}
