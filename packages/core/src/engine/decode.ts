import sharp from 'sharp'
import type { ResizeOptions as SharpResize, Sharp } from 'sharp'
import { PixpressError } from '../errors.ts'
import { firstLine } from '../probe.ts'
import { resizedSize } from '../size.ts'
import type { ProbeResult } from '../types.ts'
import type { Job } from './job.ts'
import { createPicture } from './picture.ts'
import type { Picture } from './picture.ts'

// Every image is decoded once: libvips' cache of recent operations would only hold on to their pixels.
sharp.cache(false)

/**
 * Source bytes → upright, resized, filled sRGB pixels. The order is the interface's: orientation, colour, resize,
 * background fill.
 * @throws PixpressError `DECODE_FAILED`
 */
export async function decodePicture(job: Job, probe: ProbeResult): Promise<Picture> {
  const pipeline = resized(open(job, false).autoOrient(), job, probe).toColourspace('srgb')
  const filled =
    job.operations.background === null ? pipeline : pipeline.flatten({ background: job.operations.background })
  const { data, info } = await filled
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => {
      throw decodeFailed(job, error)
    })
  if (info.channels !== 3 && info.channels !== 4) {
    throw new PixpressError('INTERNAL', `Decoding gave ${info.channels} channels; expected 3 or 4.`, { file: job.file })
  }
  return createPicture({ data, width: info.width, height: info.height, channels: info.channels })
}

/** An animation, resized and filled, its frames one below the other; the encoders of animations take it from here. */
export function openAnimation(job: Job, probe: ProbeResult): Sharp {
  const pipeline = resized(open(job, true), job, probe)
  return job.operations.background === null ? pipeline : pipeline.flatten({ background: job.operations.background })
}

export function decodeFailed(job: Job, error: unknown): PixpressError {
  return new PixpressError('DECODE_FAILED', `The image cannot be decoded as ${job.type}: ${firstLine(error)}.`, {
    file: job.file,
    cause: error,
  })
}

function open({ source, limits }: Job, animated: boolean): Sharp {
  return sharp(source, { animated, failOn: 'error', limitInputPixels: limits.maxPixels })
}

function resized(pipeline: Sharp, { operations: { resize } }: Job, probe: ProbeResult): Sharp {
  if (resize === null) return pipeline
  const size = resizedSize(probe, resize)
  if (size.width === probe.width && size.height === probe.height) return pipeline
  const crops = resize.method === 'cover' || resize.method === 'thumb'
  const how: SharpResize = crops
    ? { fit: 'cover', position: probe.frames > 1 ? 'centre' : sharp.strategy.attention }
    : { fit: 'fill' }
  return pipeline.resize({ ...size, ...how, kernel: 'lanczos3' })
}
