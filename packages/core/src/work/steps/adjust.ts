import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { PixpressError } from '../../base/errors.ts'
import type { Size } from '../../resample/size.ts'
import type { Job } from './job.ts'
import type { ResolvedAdjustments } from '../../operations/adjust.ts'

/** 8-bit pixels of sRGB, interleaved, alpha not premultiplied. */
export interface AdjustablePixels extends Size {
  readonly data: Buffer
  readonly channels: 3 | 4
}

/**
 * Applies adjustments in sharp's own order, whatever order they are given in: greyscale, mirroring, rotation, median, blur, hue
 * with saturation and brightness, normalizing, tint, negative.
 */
export async function adjustPixels(pixels: AdjustablePixels, adjust: ResolvedAdjustments): Promise<AdjustablePixels> {
  const { grayscale, ...others } = adjust
  const grey = grayscale === true ? await withoutColour(pixels) : pixels
  if (Object.keys(others).length === 0) return grey
  const { data, info } = await adjusted(open(grey), others)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  if (channels !== 3 && channels !== 4) throw new Error(`adjusting gave ${channels} channels instead of 3 or 4`)
  return { data, width, height, channels }
}

function adjusted(image: Sharp, adjust: ResolvedAdjustments): Sharp {
  const { rotate, flip, flop, tint, hue, saturation, brightness, blur, median, normalize, invert, background } = adjust
  if (flip === true) image.flip()
  if (flop === true) image.flop()
  if (rotate !== undefined) image.rotate(rotate, background === undefined ? {} : { background })
  if (median !== undefined) image.median(median)
  if (blur !== undefined) image.blur(blur)
  if (hue !== undefined || saturation !== undefined || brightness !== undefined) {
    image.modulate({ hue: hue ?? 0, saturation: saturation ?? 1, brightness: brightness ?? 1 })
  }
  if (normalize === true) image.normalize()
  if (tint !== undefined) image.tint(tint)
  if (invert === true) image.negate()
  return image.toColourspace('srgb')
}

/** sharp's greyscale has one channel as raw pixels, and no alpha. */
async function withoutColour(pixels: AdjustablePixels): Promise<AdjustablePixels> {
  const { data: from, channels } = pixels
  const greys = await open(pixels).removeAlpha().grayscale().raw().toBuffer()
  const data = Buffer.from(from)
  for (let at = 0, pixel = 0; at < data.length; at += channels, pixel++) {
    data[at] = greys[pixel]!
    data[at + 1] = greys[pixel]!
    data[at + 2] = greys[pixel]!
  }
  return { ...pixels, data }
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
