import { resizedSize } from '../resample/size.ts'
import type { Size } from '../resample/size.ts'
import type { Raster, Rectangle } from '../resample/raster.ts'
import { toBytes } from '../resample/transfer.ts'
import { coverWindow } from './cover-window.ts'
import { findCutout } from './cutout.ts'
import { placedFrame, windowSize } from './placed-frame.ts'
import type { CropFrame } from './placed-frame.ts'
import { createSaliencyMap, meanSaliency } from './saliency.ts'
import { thumbFrame } from './thumb-frame.ts'
import type { ResolvedResize } from '../base/resize.ts'

export type { CropFrame } from './placed-frame.ts'

/** A resize that takes a frame: one that crops, or more than scaling down. */
export type CropOptions = ResolvedResize

/** Tells whether a resize takes a frame. */
export function isCrop(resize: ResolvedResize | null): resize is CropOptions {
  if (resize === null) return false
  const { method, kernel, enlarge } = resize
  const scalesDown = method === 'scale' || method === 'fit'
  return !scalesDown || kernel !== undefined || enlarge === true
}

/** Tells whether the window is the most striking one, for which the picture has to be looked at. */
const isChosen = ({ method, position }: CropOptions): boolean =>
  method === 'thumb' || (method === 'cover' && position === undefined)

/** Tells whether a picture stays as it is in a frame. */
export function isWhole({ cut, placed, size }: CropFrame, picture: Size): boolean {
  return [cut, placed, size].every(({ width, height }) => width === picture.width && height === picture.height)
}

/**
 * Chooses the frame of a picture, or one for all frames of an animation. `thumb` takes a free-standing object on a
 * plain background whole, at exactly the asked size; everything else gets the most striking window, never scaled up.
 * @param frames - of one size, at least one; may be smaller than the picture
 * @param picture - its size, which the result is for
 * @param window - the part that is used, where a strategy of sharp's has chosen it
 */
export function chooseCropFrame(
  frames: readonly Raster[],
  picture: Size,
  resize: CropOptions,
  window?: Rectangle,
): CropFrame {
  if (!isChosen(resize)) return placedFrame(picture, resize, window)
  const cutout =
    resize.method === 'thumb' ? findCutout(frames.map((frame) => ({ ...frame, data: toBytes(frame) }))) : undefined
  if (cutout !== undefined && resize.width !== undefined && resize.height !== undefined) {
    const size = { width: resize.width, height: resize.height }
    const { cut, placed } = thumbFrame(enlarged(cutout.box, frames[0]!, picture), picture, size)
    const isFilled = placed.width === size.width && placed.height === size.height
    return { cut, placed, size, background: isFilled ? undefined : cutout.background }
  }
  const size = resizedSize(picture, resize)
  const map = meanSaliency(frames.map(createSaliencyMap))
  const cut = coverWindow(map, picture, windowSize(picture, size))
  const { kernel } = resize
  const placed = { left: 0, top: 0, ...size }
  return { cut, placed, size, background: undefined, ...(kernel !== undefined && { kernel }) }
}

/** A box in a small copy of a picture → the pixels of the picture that may belong to it. */
function enlarged(box: Rectangle, from: Size, to: Size): Rectangle {
  const left = Math.floor((box.left * to.width) / from.width)
  const top = Math.floor((box.top * to.height) / from.height)
  const right = Math.min(to.width, Math.ceil(((box.left + box.width) * to.width) / from.width))
  const bottom = Math.min(to.height, Math.ceil(((box.top + box.height) * to.height) / from.height))
  return { left, top, width: right - left, height: bottom - top }
}
