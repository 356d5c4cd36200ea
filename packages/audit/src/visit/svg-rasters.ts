import type { SvgRasters } from './facts.ts'

/** A `data:` URL of an image of pixels, in an attribute or a style. Line breaks may stand in it. */
const RASTER = /data:image\/(png|jpe?g|gif|webp|avif|bmp|jxl)\b[^,"'()<>]*,[^"'()<>]*/gi

/** Finds the images of pixels in an SVG, each as often as it occurs. Returns `undefined` if there are none. */
export function rastersIn(svg: Uint8Array): SvgRasters | undefined {
  const found = [...Buffer.from(svg).toString('utf8').matchAll(RASTER)]
  if (found.length === 0) return undefined
  const types = found.map(([, type]) => type!.toLowerCase().replace('jpg', 'jpeg')).toSorted()
  return { count: found.length, bytes: found.reduce((sum, [url]) => sum + url.length, 0), types: [...new Set(types)] }
}
