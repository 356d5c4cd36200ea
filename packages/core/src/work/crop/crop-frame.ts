import { resizedSize } from '../../resample/size.ts'
import type { Size } from '../../resample/size.ts'
import type { ResizeOptions } from '../../types.ts'
import type { Raster, Rectangle } from '../../resample/raster.ts'
import { toBytes } from '../../resample/transfer.ts'
import { coverWindow } from './cover-window.ts'
import { findCutout } from './cutout.ts'
import type { Background } from './plain-background.ts'
import { createSaliencyMap, meanSaliency } from './saliency.ts'
import { thumbFrame } from './thumb-frame.ts'

/** A resize that crops. */
export type CropOptions = ResizeOptions & { method: 'cover' | 'thumb' }

/** How a picture, and every frame of an animation alike, is cut, scaled down and placed. */
export interface CropFrame {
  /** The part of the picture that is used. */
  readonly cut: Rectangle
  /** Where that part is in the result, scaled down or in its own size. */
  readonly placed: Rectangle
  /** Of the result. */
  readonly size: Size
  /** What surrounds that part in the result; `undefined` where it takes all of it. */
  readonly background: Background | undefined
}

export function isCrop(resize: ResizeOptions | null): resize is CropOptions {
  return resize?.method === 'cover' || resize?.method === 'thumb'
}

/** Whether a picture stays as it is in a frame. */
export function isWhole({ cut, placed, size }: CropFrame, picture: Size): boolean {
  return [cut, placed, size].every(({ width, height }) => width === picture.width && height === picture.height)
}

/**
 * Chooses the frame of a picture, or one for all frames of an animation. `thumb` takes a free-standing object on a plain
 * background whole, at exactly the asked size; everything else gets the most striking window, never scaled up.
 * @param frames - of one size, at least one; may be smaller than the picture
 * @param picture - its size, which the result is for
 */
export function chooseCropFrame(frames: readonly Raster[], picture: Size, resize: CropOptions): CropFrame {
  const cutout =
    resize.method === 'thumb' ? findCutout(frames.map((frame) => ({ ...frame, data: toBytes(frame) }))) : undefined
  if (cutout !== undefined) {
    const size = { width: resize.width, height: resize.height }
    const { cut, placed } = thumbFrame(enlarged(cutout.box, frames[0]!, picture), picture, size)
    const isFilled = placed.width === size.width && placed.height === size.height
    return { cut, placed, size, background: isFilled ? undefined : cutout.background }
  }
  const size = resizedSize(picture, resize)
  const scale = Math.min(picture.width / size.width, picture.height / size.height)
  const window = { width: Math.round(size.width * scale), height: Math.round(size.height * scale) }
  const map = meanSaliency(frames.map(createSaliencyMap))
  return { cut: coverWindow(map, picture, window), placed: { left: 0, top: 0, ...size }, size, background: undefined }
}

/** A box in a small copy of a picture → the pixels of the picture that may belong to it. */
function enlarged(box: Rectangle, from: Size, to: Size): Rectangle {
  const left = Math.floor((box.left * to.width) / from.width)
  const top = Math.floor((box.top * to.height) / from.height)
  const right = Math.min(to.width, Math.ceil(((box.left + box.width) * to.width) / from.width))
  const bottom = Math.min(to.height, Math.ceil(((box.top + box.height) * to.height) / from.height))
  return { left, top, width: right - left, height: bottom - top }
}
