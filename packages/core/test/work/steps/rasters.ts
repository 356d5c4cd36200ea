import type { GammaRaster } from '../../../src/resample/raster.ts'

/** A raster whose pixels are given by their place. */
export function draw(
  width: number,
  height: number,
  pixel: (x: number, y: number) => readonly number[],
): GammaRaster & { data: Buffer } {
  const channels = pixel(0, 0).length === 4 ? 4 : 3
  const data = Buffer.alloc(width * height * channels)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data.set(pixel(x, y), (y * width + x) * channels)
  return { encoding: 'gamma8', data, width, height, channels }
}

export const flat = (width: number, height: number, colour: readonly number[]): GammaRaster & { data: Buffer } =>
  draw(width, height, () => colour)

/** Black and white squares. */
export const checks = (width: number, height: number, side = 1): GammaRaster & { data: Buffer } =>
  draw(width, height, (x, y) => ((Math.floor(x / side) + Math.floor(y / side)) % 2 === 0 ? [0, 0, 0] : [255, 255, 255]))
