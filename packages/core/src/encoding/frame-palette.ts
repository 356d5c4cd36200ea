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

/** Median score at libimagequant's quality, at whose lower end it takes fewer colours. */
const LIBIMAGEQUANT: Curve = [
  [1, 50],
  [20, 74],
  [40, 82],
  [60, 87],
  [80, 91],
  [100, 97],
]

/** Of sharp: libimagequant's speed is 11 less this. */
const QUANTISER_EFFORT: Readonly<Record<Effort, number>> = { fast: 4, default: 7, max: 10 }

/**
 * A palette that keeps the promise by up to so many times the bytes of one that does not ends the search: the next would save half of that
 * at best, and each try compares every frame.
 */
const WORTH_A_TRY = 1.06

/** An animation in few colours, and the score of its worst frame. */
export interface FramePalette {
  readonly frames: Frames
  readonly score: number
}

/**
 * The animation in few colours, for encoders that may gain by it. `undefined` for a source of their own type that has few
 * colours already, as somebody chose them.
 */
export async function searchFewColours(request: AnimationRequest): Promise<FramePalette | undefined> {
  const { original, target, effort, source } = request
  if (source !== undefined && countColours([{ pixels: original.data }]) !== undefined) return undefined
  return searchFramePalette(original, target, effort)
}

/**
 * One palette for all frames, of the fewest colours with which each keeps the promise, guards included. Without dithering, whose noise would
 * flicker where nothing moves. `undefined` where 256 colours are too few.
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
