import { samplesOfColour } from '../colour/background.ts'
import type { Rectangle } from '../resample/raster.ts'
import { resizedSize, sizeWithin } from '../resample/size.ts'
import type { Size } from '../resample/size.ts'
import type { Kernel } from '../base/types.ts'
import type { Background } from './plain-background.ts'
import type { Point, ResolvedResize } from '../base/resize.ts'

/** How a picture, and every frame of an animation alike, is cut, scaled down and placed. */
export interface CropFrame {
  /** The part of the picture that is used. */
  readonly cut: Rectangle
  /** Where that part is in the result, scaled down or in its own size. */
  readonly placed: Rectangle
  /** The size of the result. */
  readonly size: Size
  /** The surroundings of that part in the result; `undefined` where it takes all of it. */
  readonly background:
    | Background
    | 'clear'
    | readonly [red: number, green: number, blue: number, alpha: number]
    | undefined
  /** How the part is resampled, where that is asked for. */
  readonly kernel?: Kernel
}

const CENTRE: Point = [0.5, 0.5]

/**
 * Makes the frame of a picture whose resize says all of it: what the window of `cover` is centred on, the background of
 * `contain`, the stretch of `fill`, and how pixels are resampled.
 * @param window of `cover`, where it is chosen already
 */
export function placedFrame(picture: Size, resize: ResolvedResize, window?: Rectangle): CropFrame {
  const size = resizedSize(picture, resize)
  const whole: Rectangle = { left: 0, top: 0, width: picture.width, height: picture.height }
  const filled = { placed: { left: 0, top: 0, ...size }, size, background: undefined, ...kernelOf(resize) }
  if (resize.method === 'cover') return { cut: window ?? windowAround(picture, size, pointOf(resize)), ...filled }
  if (resize.method !== 'contain') return { cut: whole, ...filled }
  const inner = sizeWithin(picture, size, resize.enlarge === true)
  const [x, y] = pointOf(resize)
  const left = Math.floor((size.width - inner.width) * x)
  const top = Math.floor((size.height - inner.height) * y)
  const isFilled = inner.width === size.width && inner.height === size.height
  const background = isFilled || resize.background === undefined ? undefined : samplesOfColour(resize.background)
  return {
    cut: whole,
    placed: { left, top, ...inner },
    size,
    background: background ?? (isFilled ? undefined : 'clear'),
    ...kernelOf(resize),
  }
}

/** The size of the window that `cover` cuts out of a picture. */
export function windowSize(picture: Size, size: Size): Size {
  const scale = Math.min(picture.width / size.width, picture.height / size.height)
  return {
    width: Math.min(picture.width, Math.max(1, Math.round(size.width * scale))),
    height: Math.min(picture.height, Math.max(1, Math.round(size.height * scale))),
  }
}

const pointOf = ({ position }: ResolvedResize): Point => (typeof position === 'object' ? position : CENTRE)

const kernelOf = ({ kernel }: ResolvedResize): Pick<CropFrame, 'kernel'> => (kernel === undefined ? {} : { kernel })

/** A window with a point in its middle, as far as the picture reaches: so sides and corners are kept exactly. */
function windowAround(picture: Size, size: Size, [x, y]: Point): Rectangle {
  const window = windowSize(picture, size)
  return {
    left: offset(picture.width, window.width, x),
    top: offset(picture.height, window.height, y),
    ...window,
  }
}

const offset = (length: number, part: number, share: number): number =>
  Math.min(length - part, Math.max(0, Math.round(length * share - part / 2)))
