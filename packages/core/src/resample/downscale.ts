import sharp from 'sharp'
import type { Size } from './size.ts'
import { hasFinePattern } from './fine-pattern.ts'
import { lightLoss } from './light-loss.ts'
import type { GammaRaster, LinearRaster, Raster } from './raster.ts'
import { openRaster, wordsOf } from './raster.ts'
import { shrinkRaster } from './shrink.ts'
import { WHITE } from './transfer.ts'
import { withoutUndershoot } from './undershoot.ts'

/**
 * Part of the 16-bit range that opaque takes while alpha is resampled: kernels overshoot at edges, and where alpha was
 * cut off but the colours multiplied by it were not, edges would shine.
 */
const OPAQUE = 49_152

/**
 * Scales a raster down with a Lanczos kernel, or itself where it has the size already. Fine patterns keep their
 * brightness: black and white checks of one pixel become a grey of 188, as from afar, not 128.
 *
 * Averaging light takes libvips four times as long as averaging samples. So opaque 8-bit samples are averaged as they
 * are, and what each block of pixels lost in brightness by that is added. This is for blocks of at least two pixels a
 * side; between half and full size, where a kernel keeps most of a pattern, light is averaged if the picture has a
 * pattern in which it shows.
 */
export async function downscale(source: Raster, size: Size): Promise<Raster> {
  if (source.width === size.width && source.height === size.height) return source
  if (source.channels === 4) return averageOfTransparentLight(source, size)
  if (source.encoding !== 'gamma8') return averageOfLight(source, size)
  const opaque = { ...source, channels: 3 as const }
  const isHalved = source.width >= size.width * 2 || source.height >= size.height * 2
  if (!isHalved) return hasFinePattern(source) ? averageOfLight(source, size) : averageOfSamples(source, size)
  const averaged = await averageOfSamples(source, size)
  return { ...averaged, data: brightened(averaged.data, lightLoss(opaque, size)) }
}

function brightened(pixels: Uint8Array, loss: Uint8Array): Buffer {
  const data = Buffer.allocUnsafe(pixels.length)
  for (let at = 0; at < data.length; at++) data[at] = Math.min(255, pixels[at]! + loss[at]!)
  return data
}

async function averageOfSamples(source: GammaRaster, size: Size): Promise<GammaRaster> {
  const data = await openRaster(source).resize(lanczos(size)).raw().toBuffer()
  return { ...source, data, ...size }
}

async function averageOfLight(source: Raster, size: Size): Promise<LinearRaster> {
  const shrunk = shrinkRaster(source, sizeForKernel(source, size))
  const data = await resampled({ ...shrunk, channels: 3 }, size)
  withoutUndershoot(data, shrunk, size)
  return { ...shrunk, data, ...size }
}

/** Colours count by their alpha, so that those under transparency do not show. */
async function averageOfTransparentLight(source: Raster, size: Size): Promise<LinearRaster> {
  const shrunk = shrinkRaster(source, sizeForKernel(source, size))
  const pixels = shrunk.width * shrunk.height
  const weighted = new Uint16Array(pixels * 3)
  const alphas = new Uint16Array(pixels)
  for (let pixel = 0; pixel < pixels; pixel++) {
    const weight = (shrunk.data[pixel * 4 + 3]! / WHITE) * OPAQUE
    alphas[pixel] = weight + 0.5
    for (let channel = 0; channel < 3; channel++)
      weighted[pixel * 3 + channel] = (shrunk.data[pixel * 4 + channel]! * weight) / WHITE + 0.5
  }
  const colours = await resampled({ ...shrunk, data: weighted, channels: 3 }, size)
  const weights = await resampled({ ...shrunk, data: alphas, channels: 1 }, size)
  for (let at = 0; at < colours.length; at++) {
    const weight = weights[Math.floor(at / 3)]!
    colours[at] = weight === 0 ? 0 : Math.min(WHITE, (colours[at]! * WHITE) / weight + 0.5)
  }
  withoutUndershoot(colours, shrunk, size)
  const data = new Uint16Array(size.width * size.height * 4)
  for (let pixel = 0; pixel < weights.length; pixel++) {
    const weight = weights[pixel]!
    if (weight === 0) continue
    for (let channel = 0; channel < 3; channel++) data[pixel * 4 + channel] = colours[pixel * 3 + channel]!
    data[pixel * 4 + 3] = Math.min(WHITE, (weight * WHITE) / OPAQUE + 0.5)
  }
  return { ...shrunk, data, ...size }
}

/** Block means come first where they leave at least a factor of two for the kernel, as in libvips itself. */
function sizeForKernel(source: Size, size: Size): Size {
  const across = Math.max(1, Math.floor(source.width / size.width / 2))
  const down = Math.max(1, Math.floor(source.height / size.height / 2))
  return { width: Math.ceil(source.width / across), height: Math.ceil(source.height / down) }
}

async function resampled(
  { data, width, height, channels }: Size & { data: Uint16Array; channels: 1 | 3 },
  size: Size,
): Promise<Uint16Array> {
  const words = await sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
    .resize(lanczos(size))
    .toColourspace(channels === 1 ? 'grey16' : 'rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer()
  return wordsOf(words)
}

const lanczos = ({ width, height }: Size): Size & { fit: 'fill'; kernel: 'lanczos3' } => ({
  width,
  height,
  fit: 'fill',
  kernel: 'lanczos3',
})
