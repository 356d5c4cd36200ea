import type { Sharp } from 'sharp'
import type { AnimationRequest } from './request.ts'
import type { Effort } from '../base/types.ts'
import { quantisePng } from './quantise.ts'
import { snapPng } from './snap-png.ts'
import { copyFrames, whileHeld } from './frame-source.ts'
import type { FrameSource } from './frame-source.ts'
import { surveyFrames } from './frame-survey.ts'
import { openRawFrames } from './frames.ts'
import { openIndexedFrames } from './indexed-frames.ts'
import { PATIENCE, WINDOWS, searchQuality } from './search.ts'
import type { Curve } from './search.ts'
import { judgeFrames } from './worst-frame.ts'

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
  readonly frames: FrameSource
  readonly score: number
}

/** The animation that a palette is made for, and what it has to keep. */
type Paletted = Pick<AnimationRequest, 'open' | 'original' | 'target' | 'effort'>

/**
 * Reduces the colours of an animation, for encoders that may gain from it. Returns `undefined` if no palette keeps the
 * promise, or if the source is of the encoder's type and has few colours already, because then somebody chose them.
 */
export async function searchFewColours(request: AnimationRequest): Promise<FramePalette | undefined> {
  const { original, source } = request
  if (source !== undefined && (await surveyFrames(original)).paletted) return undefined
  return searchFramePalette(request)
}

/**
 * Searches for one palette for all frames: the fewest colours with which every frame keeps the promise, guards
 * included. It is not dithered, because the noise would flicker in still areas. Returns `undefined` if 256 colours are
 * too few.
 */
export async function searchFramePalette(request: Paletted): Promise<FramePalette | undefined> {
  const { original, target, effort } = request
  const scores = new Map<Uint8Array, number>()
  let opened: { readonly png: Uint8Array; readonly frames: FrameSource } | undefined
  // Frames are held for one palette at a time.
  const framesOf = async (png: Uint8Array): Promise<FrameSource> => {
    if (opened?.png !== png) {
      opened = undefined
      opened = { png, frames: await openIndexedFrames(png, original) }
    }
    return opened.frames
  }
  const found = await searchQuality({
    target,
    min: 1,
    max: 100,
    window: WINDOWS[effort],
    patience: PATIENCE.probe[effort] + 2,
    curve: LIBIMAGEQUANT,
    isSettled: (passing, failing) => passing.length <= failing.length * WORTH_A_TRY,
    encode: (quality) => quantise(request, quality),
    score: async (png) => {
      const frames = await framesOf(png)
      const { score, kept } = await judgeFrames(original, frames, { kind: 'palette', target })
      scores.set(png, score)
      return score < target ? score : Math.max(1, Math.min(score, kept))
    },
  })
  if (found.score < target) return undefined
  return { frames: await framesOf(found.data), score: scores.get(found.data)! }
}

/** Opens frames in few colours as the input of an encoder. */
export async function openFewColours({ frames }: FramePalette): Promise<Sharp> {
  return openRawFrames(await copyFrames(frames))
}

/** Returns a PNG of all frames one below the other. Pixels are decoded anew, as libvips holds a copy of its own. */
async function quantise({ open, original, effort }: Paletted, quality: number): Promise<Uint8Array> {
  const made = await quantisePng(
    open().toColourspace('srgb').ensureAlpha(),
    { quality, dither: 0, effort: QUANTISER_EFFORT[effort] },
    { compressionLevel: 6 },
  )
  return whileHeld(original, async ({ data, width, height, count }) =>
    Buffer.from(await snapPng(made, { data, width, height: height * count, channels: 4 })),
  )
}
