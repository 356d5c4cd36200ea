import sharp from 'sharp'
import { openRaster } from '../resample/raster.ts'
import type { Raster, Rectangle } from '../resample/raster.ts'
import { resizedSize } from '../resample/size.ts'
import { toBytes } from '../resample/transfer.ts'
import { windowSize } from './placed-frame.ts'
import type { ResolvedResize, Strategy } from '../base/resize.ts'

/**
 * Finds the window of `cover` that a strategy of sharp's chooses; its pixels are resampled like those of any other
 * window.
 */
export async function strategyWindow(raster: Raster, resize: ResolvedResize, strategy: Strategy): Promise<Rectangle> {
  const size = resizedSize(raster, resize)
  const window = windowSize(raster, size)
  const gamma = { ...raster, encoding: 'gamma8' as const, data: toBytes(raster) }
  const { info } = await openRaster(gamma)
    .resize({ ...size, fit: 'cover', position: sharp.strategy[strategy] })
    .raw()
    .toBuffer({ resolveWithObject: true })
  // How far the scaled picture is pushed to the left and the top, below zero; absent where nothing is cut.
  const left = Math.round((-(info.cropOffsetLeft ?? 0) * window.width) / size.width)
  const top = Math.round((-(info.cropOffsetTop ?? 0) * window.height) / size.height)
  return {
    left: Math.min(raster.width - window.width, Math.max(0, left)),
    top: Math.min(raster.height - window.height, Math.max(0, top)),
    ...window,
  }
}
