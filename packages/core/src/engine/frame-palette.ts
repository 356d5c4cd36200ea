import sharp from 'sharp'
import type { Effort } from '../types.ts'
import { clearTransparency } from './encoders/clear-transparency.ts'
import { shiftPenalty } from './encoders/colour-shift.ts'
import { PATIENCE, WINDOWS } from './encoders/encoder.ts'
import { LIBIMAGEQUANT, QUANTISER_EFFORT } from './encoders/palette.ts'
import { quantisePng } from './encoders/quantise.ts'
import { decodeFrames, worstFrame } from './frames.ts'
import type { Frames } from './frames.ts'
import { searchQuality } from './search.ts'

/** An animation in few colours, and the score of its worst frame. */
export interface FramePalette {
  readonly frames: Frames
  readonly score: number
}

/**
 * One palette for all frames, of the fewest colours with which each keeps the promise. Without dithering, whose noise would
 * change from frame to frame where nothing moves. `undefined` where 256 colours are too few.
 */
export async function searchFramePalette(
  frames: Frames,
  target: number,
  effort: Effort,
): Promise<FramePalette | undefined> {
  const sheet = { ...frames, height: frames.height * frames.count, channels: 4 as const }
  const made = new Map<Uint8Array, FramePalette>()
  const found = await searchQuality({
    target,
    min: 1,
    max: 100,
    window: WINDOWS[effort],
    patience: PATIENCE.probe[effort] + 2,
    curve: LIBIMAGEQUANT,
    encode: async (quality) => {
      const { png, frames: quantised } = await quantise(frames, quality, QUANTISER_EFFORT[effort])
      made.set(png, { frames: quantised, score: worstFrame(frames, quantised, frames.count) })
      return png
    },
    score: async (png) => {
      const { frames: quantised, score } = made.get(png)!
      return score - shiftPenalty(sheet, quantised.data, target)
    },
  })
  return found.score < target ? undefined : made.get(found.data)
}

async function quantise(
  { data, width, height, count }: Frames,
  quality: number,
  effort: number,
): Promise<{ png: Buffer; frames: Frames }> {
  const tall = { width, height: height * count, channels: 4 as const }
  const pixels = sharp(data, { raw: tall, limitInputPixels: false })
  const png = await quantisePng(pixels, { quality, dither: 0, effort }, { compressionLevel: 6 })
  const decoded = await decodeFrames(sharp(png, { limitInputPixels: false }))
  return { png, frames: { data: clearTransparency(decoded.data), width, height, count } }
}
