import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { createGuards, keptPromise } from '../quality/guards/index.ts'
import type { ResultKind } from '../quality/guards/index.ts'
import { enlargeTwice, isJudgedTwice } from '../quality/guards/twice.ts'
import { ssimulacra2 } from '../quality/metric/ssimulacra2.ts'
import type { Pixels } from '../quality/metric/ssimulacra2.ts'
import { counted } from './counted.ts'
import { countScore, timePhase } from '../base/counters.ts'

/** The frames of an animation as they are shown: interleaved RGBA of 8 bits, stacked from top to bottom. */
export interface Frames {
  readonly data: Buffer
  readonly width: number
  readonly height: number
  readonly count: number
  /** Milliseconds of each frame, if they are known. */
  readonly delays?: readonly number[]
}

/** Durations of the frames, and the number of loops. */
export interface Timing {
  /** Seconds of each frame, as a fraction. */
  readonly delays: readonly (readonly [numerator: number, denominator: number])[]
  /** Number of times that the animation is played; 0 for endless. */
  readonly plays: number
}

/** Longest duration of a frame in sharp, in milliseconds. */
const LONGEST = 65_535

/**
 * Returns the milliseconds of each frame and the number of loops in sharp's form. A denominator of 0 stands for 100, as
 * in PNG.
 */
export function shownAt({ delays, plays }: Timing): { delay?: number[]; loop: number } {
  const delay = delays.map(([numerator, denominator]) =>
    Math.min(LONGEST, Math.round((1000 * numerator) / (denominator === 0 ? 100 : denominator))),
  )
  return delay.length === 0 ? { loop: plays } : { delay, loop: plays }
}

/** Opens decoded frames in sharp, as the input of an encoder. */
export function openRawFrames({ data, width, height, count }: Frames): Sharp {
  const raw = { width, height: height * count, channels: 4 as const, pageHeight: height }
  return counted(sharp(data, { raw, limitInputPixels: false }))
}

/** Decodes the frames of a file that sharp reads, with their durations. */
export async function decodeAnimation(data: Uint8Array): Promise<Frames> {
  const opened = sharp(data, { animated: true, limitInputPixels: false })
  const { delay } = await opened.metadata()
  const frames = await decodeFrames(opened)
  return delay === undefined ? frames : { ...frames, delays: delay }
}

/** Decodes the frames of an opened file to 8-bit sRGB with alpha. */
export async function decodeFrames(pipeline: Sharp): Promise<Frames> {
  const { data, info } = await pipeline
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const height = info.pageHeight ?? info.height
  return { data, width: info.width, height, count: Math.max(1, Math.round(info.height / height)) }
}

/** Options of `worstFrame`. */
interface FrameComparison {
  /**
   * Durations of the original's frames. If they are given, equal frames may be one frame that is shown longer, as
   * libwebp writes them.
   */
  readonly timing?: Timing | undefined
  /** Scores one frame. Default: SSIMULACRA2. */
  readonly judge?: (before: Pixels, after: Pixels) => number
}

/**
 * Returns the lowest score of some frames, which are spread evenly. It is `-Infinity` if the animation does not show
 * the original's frames at their times.
 * @param compared number of frames that are scored
 */
export function worstFrame(
  original: Frames,
  written: Frames,
  compared: number,
  { timing, judge = scoreFrame }: FrameComparison = {},
): number {
  const shown = written.count === original.count ? undefined : shownInstead(written, timing)
  if (written.count !== original.count && shown === undefined) return -Infinity
  if (written.width !== original.width || written.height !== original.height) return -Infinity
  let worst = 100
  const step = Math.max(1, original.count / compared)
  for (let at = 0; Math.floor(at) < original.count; at += step) {
    const index = Math.floor(at)
    const a = frameOf(original, index)
    const b = frameOf(written, shown?.[index] ?? index)
    if (!a.data.equals(b.data)) worst = Math.min(worst, judge(a, b))
  }
  return worst
}

const scoreFrame = (before: Pixels, after: Pixels): number =>
  countScore(before.width * before.height, () => ssimulacra2(before, after))

/**
 * Returns the highest promise that every frame keeps by the guards and, if frames are small, by their score at twice
 * the size. It corresponds to `judgePixels` for stills.
 */
export function worstGuarded(original: Frames, written: Frames, kind: ResultKind, timing?: Timing): number {
  const judge = (before: Pixels, after: Pixels): number => {
    const guards = createGuards(before)
    try {
      const kept = timePhase('score', () => keptPromise(guards.measure(after, kind), kind))
      return isJudgedTwice(before) ? Math.min(kept, scoreFrame(enlargeTwice(before), enlargeTwice(after))) : kept
    } finally {
      guards.dispose()
    }
  }
  return worstFrame(original, written, original.count, { timing, judge })
}

/** Returns the frame that is shown at the time of each frame of the original; `undefined` if the times do not match. */
function shownInstead({ delays, count }: Frames, timing: Timing | undefined): readonly number[] | undefined {
  const times = timing === undefined ? [] : (shownAt(timing).delay ?? [])
  if (delays?.length !== count || times.length <= count) return undefined
  const shown: number[] = []
  let frame = 0
  let left = seenFor(delays[0]!)
  for (const time of times.map(seenFor)) {
    // Formats round times, so a frame ends if less than half of the next one is left.
    if (left < time / 2) left += seenFor(delays[++frame] ?? 0)
    if (frame === count) return undefined
    shown.push(frame)
    left -= time
  }
  return frame === count - 1 ? shown : undefined
}

/** Returns the shown duration: browsers show a frame of up to 10 ms for 100 ms, and encoders write that. */
const seenFor = (delay: number): number => (delay <= 10 ? 100 : delay)

function frameOf(frames: Frames, index: number): { data: Buffer; width: number; height: number; channels: 4 } {
  const bytes = frames.width * frames.height * 4
  return {
    data: frames.data.subarray(index * bytes, (index + 1) * bytes),
    width: frames.width,
    height: frames.height,
    channels: 4,
  }
}

/** Returns the colour of a pixel as one number, with red in the highest bits and alpha in the lowest. */
export const colourAt = (pixels: Uint8Array, at: number): number =>
  ((pixels[at]! << 24) | (pixels[at + 1]! << 16) | (pixels[at + 2]! << 8) | pixels[at + 3]!) >>> 0

/** Counts the pixels of each colour; `undefined` if there are more than 256 colours. */
export function countColours(frames: readonly { readonly pixels: Uint8Array }[]): Map<number, number> | undefined {
  const counts = new Map<number, number>()
  for (const { pixels } of frames) {
    for (let at = 0; at < pixels.length; at += 4) {
      const colour = colourAt(pixels, at)
      counts.set(colour, (counts.get(colour) ?? 0) + 1)
      if (counts.size > 256) return undefined
    }
  }
  return counts
}
