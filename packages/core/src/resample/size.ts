import type { ResolvedResize } from '../base/resize.ts'

/** The size of a picture. */
export interface Size {
  /** Pixels. */
  width: number
  /** Pixels. */
  height: number
}

/**
 * Returns the dimensions of an image after a resize, as far as they are known before decoding. Without `enlarge`
 * nothing is scaled up: `cover` and `thumb` beyond the source give the largest crop of the asked aspect ratio that fits
 * the source. One kind of image only shows when decoded: a `thumb` beyond the source of an object that stands free has
 * exactly the asked dimensions.
 */
export function resizedSize(source: Size, resize: ResolvedResize | null): Size {
  const whole = { width: source.width, height: source.height }
  if (resize === null) return whole
  const size = wantedSize(whole, resize)
  const isReduced = size.width < whole.width || size.height < whole.height
  return resize.reduce === false && isReduced ? whole : size
}

/** The part of resolved operations that decides the size of a result. */
interface Resizing {
  readonly resize: ResolvedResize | null
  /** `rotate` is degrees clockwise. */
  readonly adjust?: { readonly rotate?: number }
}

/** Returns the dimensions of a result, as far as they are known before decoding: resized, and then rotated. */
export function resultSize(source: Size, { resize, adjust }: Resizing): Size {
  return rotatedSize(resizedSize(source, resize), adjust?.rotate)
}

/** Returns the box around a rotated picture, as libvips rounds it. @param degrees clockwise */
export function rotatedSize({ width, height }: Size, degrees: number = 0): Size {
  if (degrees % 180 === 0) return { width, height }
  if (degrees % 90 === 0) return { width: height, height: width }
  const cosine = Math.cos((degrees * Math.PI) / 180)
  const sine = Math.sin((degrees * Math.PI) / 180)
  const across = [0, width * cosine, -height * sine, width * cosine - height * sine]
  const down = [0, width * sine, height * cosine, width * sine + height * cosine]
  return { width: extent(across), height: extent(down) }
}

const extent = (corners: readonly number[]): number => Math.round(Math.max(...corners) - Math.min(...corners))

/** Returns the largest size of a picture inside of both dimensions. */
export function sizeWithin(source: Size, { width, height }: Size, enlarge: boolean): Size {
  const byWidth = width / source.width
  const byHeight = height / source.height
  if (!enlarge && byWidth >= 1 && byHeight >= 1) return { width: source.width, height: source.height }
  const most = enlarge ? { width, height } : source
  return byWidth <= byHeight ? scaled(source, byWidth, { width }, most) : scaled(source, byHeight, { height }, most)
}

function wantedSize(source: Size, resize: ResolvedResize): Size {
  const enlarge = resize.enlarge === true
  if (resize.method === 'scale') {
    const ratio = resize.width === undefined ? resize.height! / source.height : resize.width / source.width
    const most = enlarge ? { width: Infinity, height: Infinity } : source
    return scaled(source, enlarge ? ratio : Math.min(1, ratio), resize, most)
  }
  const box = boxOf(source, resize)
  if (resize.method === 'fit') return sizeWithin(source, box, enlarge)
  if (enlarge || resize.method === 'contain') return box
  if (resize.method === 'fill')
    return { width: Math.min(box.width, source.width), height: Math.min(box.height, source.height) }
  const { width, height } = box
  if (width <= source.width && height <= source.height) return { width, height }
  const ratio = Math.min(source.width / width, source.height / height)
  return { width: clamp(width * ratio, source.width), height: clamp(height * ratio, source.height) }
}

/** Returns the dimensions that are asked for: of an aspect ratio alone, the largest in the picture. */
function boxOf(source: Size, { width, height, aspect }: ResolvedResize): Size {
  if (width !== undefined && height !== undefined) return { width, height }
  if (aspect === undefined) return { width: source.width, height: source.height }
  const isWider = aspect > source.width / source.height
  const across = width ?? (height === undefined ? (isWider ? source.width : source.height * aspect) : height * aspect)
  return {
    width: clamp(across, Infinity),
    height: height ?? clamp(across / aspect, Infinity),
  }
}

/** Scales a size so that the side that was asked for is met exactly, whatever rounding says. */
function scaled(source: Size, ratio: number, { width, height }: Partial<Size>, most: Size): Size {
  return {
    width: Math.min(most.width, width ?? clamp(source.width * ratio, most.width)),
    height: Math.min(most.height, height ?? clamp(source.height * ratio, most.height)),
  }
}

const clamp = (value: number, limit: number): number => Math.min(limit, Math.max(1, Math.round(value)))
