import sharp from 'sharp'
import { decode } from './decode.ts'
import type { DecodedImage } from './decode.ts'

/** Pixels of the longer side of the small copies that are compared: finer noise is not what a person looks at. */
const SMALL = 48

/** Proportions may differ by what rounding to whole pixels makes of small images. */
const PROPORTION_TOLERANCE = 0.05

/**
 * Measures how different two images look, whatever their sizes and formats: the mean absolute difference, 0 to 255, of
 * small copies on a white and on a black ground (so that lost transparency shows), of the first, the middle and the
 * last frame. `Infinity` when the proportions or the numbers of frames differ.
 */
export async function perceptualDistance(a: Uint8Array, b: Uint8Array): Promise<number> {
  const [first, second] = await Promise.all([decode(a), decode(b)])
  if (first.frames !== second.frames) return Infinity
  const proportion = (first.width * second.height) / (first.height * second.width)
  const onePixel = 1 / Math.min(first.width, first.height, second.width, second.height)
  if (Math.abs(Math.log(proportion)) > Math.max(PROPORTION_TOLERANCE, onePixel)) return Infinity
  const scale = Math.min(1, SMALL / Math.max(first.width, first.height))
  const size = {
    width: Math.max(1, Math.round(first.width * scale)),
    height: Math.max(1, Math.round(first.height * scale)),
  }
  const frames = new Set([0, Math.floor((first.frames - 1) / 2), first.frames - 1])
  let worst = 0
  for (const frame of frames) {
    for (const background of ['white', 'black']) {
      const [left, right] = await Promise.all([
        smallCopy(first, frame, size, background),
        smallCopy(second, frame, size, background),
      ])
      worst = Math.max(worst, meanDifference(left, right))
    }
  }
  return worst
}

/**
 * @param tolerance largest `perceptualDistance`; default 4, which good compression stays well below
 * @throws Error when the images look different
 */
export async function expectSimilar(actual: Uint8Array, expected: Uint8Array, tolerance = 4): Promise<void> {
  const distance = await perceptualDistance(actual, expected)
  if (distance > tolerance) {
    const [a, b] = await Promise.all([decode(actual), decode(expected)])
    throw new Error(
      `The images look different: distance ${distance.toFixed(2)}, at most ${tolerance} expected (${described(a)} and ${described(b)}).`,
    )
  }
}

function smallCopy(
  { pixels, width, height }: DecodedImage,
  frame: number,
  size: { width: number; height: number },
  background: string,
): Promise<Buffer> {
  const bytes = width * height * 4
  const picture = pixels.subarray(frame * bytes, (frame + 1) * bytes)
  return sharp(picture, { raw: { width, height, channels: 4 } })
    .flatten({ background })
    .resize({ ...size, fit: 'fill', kernel: 'cubic' })
    .blur(0.7)
    .raw()
    .toBuffer()
}

function meanDifference(a: Buffer, b: Buffer): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += Math.abs(a[at]! - b[at]!)
  return sum / a.length
}

function described({ type, width, height, frames }: DecodedImage): string {
  return `${type} ${width}×${height}${frames > 1 ? ` × ${frames}` : ''}`
}
