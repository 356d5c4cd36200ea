import type { ResizeOptions } from '../types.ts'

export interface Size {
  /** Pixels. */
  width: number
  /** Pixels. */
  height: number
}

/**
 * The dimensions of an image after a resize, as far as they are known before decoding. Nothing is scaled up: `cover` and
 * `thumb` beyond the source give the largest crop of the asked aspect ratio that fits the source. One kind of image only
 * shows when decoded: a `thumb` beyond the source of an object that stands free has exactly the asked dimensions.
 */
export function resizedSize(source: Size, resize: ResizeOptions | null): Size {
  if (resize === null) return { width: source.width, height: source.height }
  if (resize.method === 'scale') {
    return resize.width !== undefined
      ? scaled(source, Math.min(1, resize.width / source.width), resize.width, undefined)
      : scaled(source, Math.min(1, resize.height / source.height), undefined, resize.height)
  }
  const { width, height } = resize
  if (resize.method === 'fit') {
    const byWidth = width / source.width
    const byHeight = height / source.height
    if (byWidth >= 1 && byHeight >= 1) return { width: source.width, height: source.height }
    return byWidth <= byHeight ? scaled(source, byWidth, width, undefined) : scaled(source, byHeight, undefined, height)
  }
  if (width <= source.width && height <= source.height) return { width, height }
  const ratio = Math.min(source.width / width, source.height / height)
  return { width: clamp(width * ratio, source.width), height: clamp(height * ratio, source.height) }
}

/** The side that was asked for is met exactly, whatever rounding says. */
function scaled(source: Size, ratio: number, width: number | undefined, height: number | undefined): Size {
  return {
    width: Math.min(source.width, width ?? clamp(source.width * ratio, source.width)),
    height: Math.min(source.height, height ?? clamp(source.height * ratio, source.height)),
  }
}

const clamp = (value: number, limit: number): number => Math.min(limit, Math.max(1, Math.round(value)))
