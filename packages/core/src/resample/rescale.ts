import type { Kernel } from '../base/types.ts'
import { openRaster } from './raster.ts'
import type { GammaRaster, Raster } from './raster.ts'
import type { Size } from './size.ts'
import { toBytes } from './transfer.ts'

/**
 * Scales a raster to any size by one of sharp's kernels, on 8-bit samples as they are stored: what `kernel` asks for,
 * and what makes pictures larger, where averages of light have nothing to average.
 */
export async function rescale(source: Raster, size: Size, kernel: Kernel = 'lanczos3'): Promise<GammaRaster> {
  const gamma: GammaRaster = { ...source, encoding: 'gamma8', data: toBytes(source) }
  if (source.width === size.width && source.height === size.height) return gamma
  const { width, height } = size
  const data = await openRaster(gamma).resize({ width, height, fit: 'fill', kernel }).raw().toBuffer()
  return { ...gamma, data, width, height }
}
