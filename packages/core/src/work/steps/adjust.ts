import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { PixpressError } from '../../base/errors.ts'
import type { Job } from './job.ts'
import { appliedBy } from '../../operations/adjust.ts'
import type { ResolvedAdjustments } from '../../operations/adjust.ts'
import type { AdjustablePixels } from '../../operations/adjustment.ts'

/**
 * Applies adjustments in sharp's own order, whatever order they are given in: greyscale, mirroring, rotation, median,
 * blur, hue with saturation and brightness, normalizing, tint, negative. Those that are not sharp's come before it or
 * after it.
 */
export async function adjustPixels(pixels: AdjustablePixels, adjust: ResolvedAdjustments): Promise<AdjustablePixels> {
  const { before, sharp: calls, after } = appliedBy(adjust)
  let adjusted = pixels
  for (const apply of before) adjusted = await apply(adjusted)
  if (calls.length > 0) adjusted = await throughSharp(adjusted, calls)
  for (const apply of after) adjusted = await apply(adjusted)
  return adjusted
}

async function throughSharp(
  pixels: AdjustablePixels,
  calls: readonly ((image: Sharp) => void)[],
): Promise<AdjustablePixels> {
  const image = open(pixels)
  for (const call of calls) call(image)
  const { data, info } = await image.toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  if (channels !== 3 && channels !== 4) throw new Error(`adjusting gave ${channels} channels instead of 3 or 4`)
  return { data, width, height, channels }
}

function open({ data, width, height, channels }: AdjustablePixels): Sharp {
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
}

/** Whether adjustments leave corners that something shows through. */
export function leavesClearCorners(adjust: ResolvedAdjustments | undefined): boolean {
  return adjust?.background !== undefined && adjust.background.length > 7
}

/** @throws PixpressError `UNSUPPORTED_OPERATION` for what would change from frame to frame of an animation */
export function refuseForAnimation({ operations: { resize, adjust }, file }: Job): void {
  if (adjust?.normalize === true) {
    const message = 'An animation cannot be normalized: each frame would be stretched otherwise.'
    throw new PixpressError('UNSUPPORTED_OPERATION', message, { file })
  }
  if (typeof resize?.position === 'string') {
    const message = `An animation cannot be cropped by '${resize.position}', which looks at one picture: give a point or a side as 'position'.`
    throw new PixpressError('UNSUPPORTED_OPERATION', message, { file })
  }
}
