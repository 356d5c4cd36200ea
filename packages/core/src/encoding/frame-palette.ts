import sharp from 'sharp'
import type { AnimationRequest } from './request.ts'
import type { Effort } from '../base/types.ts'
import { clearTransparency } from './picture.ts'
import { quantisePng } from './quantise.ts'
import { snapPng } from './snap-png.ts'
import { countColours, decodeFrames, worstFrame, worstGuarded } from './frames.ts'
import type { Frames } from './frames.ts'
import { PATIENCE, WINDOWS, searchQuality } from './search.ts'
import type { Curve } from './search.ts'
import { counted } from './counted.ts'

/** Median score for each quality setting of libimagequant. A lower setting takes fewer colours. */
const LIBIMAGEQUANT: Curve = [
  [1, 50],
  [20, 74],
  [40, 82],
  [60, 87],
  [80, 91],
  [100, 97],
]

/** Effort of sharp, where libimagequant's speed is 11 minus the effort. */
const QUANTISER_EFFORT: Readonly<Record<Effort, number>> = { fast: 4, default: 7, max: 10 }

/**
 * The search ends if a passing palette takes at most this factor of a failing one's bytes: another try would save half
 * of the difference at best, and every try compares all frames.
 */
const WORTH_A_TRY = 1.06

/** An animation with few colours, and the score of its worst frame. */
export interface FramePalette {
  readonly frames: Frames
  readonly score: number
}

/**
 * Reduces the colours of an animation, for encoders that may gain from it. Returns `undefined` if no palette keeps the
 * promise, or if the source is of the encoder's type and has few colours already, because then somebody chose them.
 */
export async function searchFewColours(request: AnimationRequest): Promise<FramePalette | undefined> {
  const { original, target, effort, source } = request
  if (source !== undefined && countColours([{ pixels: original.data }]) !== undefined) return undefined
  return searchFramePalette(original, target, effort)
}

/**
 * Searches for one palette for all frames: the fewest colours with which every frame keeps the promise, guards
 * included. It is not dithered, because the noise would flicker in still areas. Returns `undefined` if 256 colours are
 * too few.
 */
export async function searchFramePalette(
  frames: Frames,
  target: number,
  effort: Effort,
): Promise<FramePalette | undefined> {
  const made = new Map<Uint8Array, FramePalette>()
  const found = await searchQuality({
    target,
    min: 1,
    max: 100,
    window: WINDOWS[effort],
    patience: PATIENCE.probe[effort] + 2,
    curve: LIBIMAGEQUANT,
    isSettled: (passing, failing) => passing.length <= failing.length * WORTH_A_TRY,
    encode: async (quality) => {
      const { png, frames: quantised } = await quantise(frames, quality, QUANTISER_EFFORT[effort])
      made.set(png, { frames: quantised, score: worstFrame(frames, quantised, frames.count) })
      return png
    },
    score: async (png) => {
      const { frames: quantised, score } = made.get(png)!
      return score < target ? score : Math.max(1, Math.min(score, worstGuarded(frames, quantised, 'palette')))
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
  const pixels = counted(sharp(data, { raw: tall, limitInputPixels: false }))
  const made = await quantisePng(pixels, { quality, dither: 0, effort }, { compressionLevel: 6 })
  const png = Buffer.from(await snapPng(made, { data, ...tall }))
  const decoded = await decodeFrames(sharp(png, { limitInputPixels: false }))
  return { png, frames: { data: clearTransparency(decoded.data), width, height, count } }
}
