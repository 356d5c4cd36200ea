import type { Pixels } from '../../../packages/core/src/quality/metric/ssimulacra2.ts'

/** The pixels of a picture, as the browser decodes it: upright, in sRGB, with alpha. */
export interface Picture extends Pixels {
  readonly channels: 4
}

/** Decodes a file. Throws where the browser cannot read it. */
export async function decode(file: Blob): Promise<Picture> {
  const bitmap = await createImageBitmap(file, { premultiplyAlpha: 'none' })
  const { width, height } = bitmap
  const context = contextOf(width, height)
  context.drawImage(bitmap, 0, 0)
  bitmap.close()
  const { data } = context.getImageData(0, 0, width, height)
  return { data: new Uint8Array(data.buffer), width, height, channels: 4 }
}

/** Encodes pixels by the browser's own encoder; `undefined` where it has none of that type. */
export async function encodeByBrowser(picture: Picture, type: string, quality?: number): Promise<Blob | undefined> {
  const { width, height } = picture
  const context = contextOf(width, height)
  context.putImageData(imageDataOf(picture), 0, 0)
  const blob = await context.canvas.convertToBlob({ type, ...(quality !== undefined && { quality }) })
  return blob.type === type ? blob : undefined
}

/** The same pixels, as the platform holds them. */
export function imageDataOf({ data, width, height }: Pixels): ImageData {
  const own = new Uint8ClampedArray(width * height * 4)
  own.set(data)
  return new ImageData(own, width, height)
}

function contextOf(width: number, height: number): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  if (context === null) throw new Error('This browser has no canvas outside of the page.')
  return context
}
