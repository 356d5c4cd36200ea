import type { InputType } from '../base/types.ts'

/** A PNG with fewer pixels is never taken for a photograph, because even a small drawing needs many bytes per pixel. */
const LEAST_PIXELS = 128 * 128

/**
 * A PNG with at least so many bytes per pixel is taken for a photograph. Measured on results of this project:
 * photographs 400 to 600 pixels wide took 0.35 to 0.67; drawings, charts and screenshots took at most 0.11.
 */
const PHOTO_BYTES_PER_PIXEL = 0.25

/** Returns `true` if an image looks like a photograph that is delivered as PNG. */
export function isPhotoAsPng({ type, bytes, width, height }: Delivered): boolean {
  const pixels = width * height
  return type === 'image/png' && pixels >= LEAST_PIXELS && bytes / pixels >= PHOTO_BYTES_PER_PIXEL
}

interface Delivered {
  readonly type: InputType
  readonly bytes: number
  readonly width: number
  readonly height: number
}
