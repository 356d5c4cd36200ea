import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { createGuards, keptPromise } from '../quality/guards/index.ts'
import type { ResultKind } from '../quality/guards/index.ts'
import { enlargeTwice, isJudgedTwice } from '../quality/guards/twice.ts'
import { ssimulacra2 } from '../quality/metric/ssimulacra2.ts'
import type { Pixels } from '../quality/metric/ssimulacra2.ts'
import { counted } from './counted.ts'
import { countScore, timePhase } from '../base/counters.ts'

/** The frames of an animation as they are seen: interleaved RGBA of 8 bits, one below the other. */
export interface Frames {
  readonly data: Buffer
  readonly width: number
  readonly height: number
  readonly count: number
  /** Milliseconds of each frame, where they are known. */
  readonly delays?: readonly number[]
}

/** How long each frame is shown, and how often all of them. */
export interface Timing {
  /** Seconds, as a fraction, of each frame. */
  readonly delays: readonly (readonly [numerator: number, denominator: number])[]
  /** How often all of them are shown; 0 for ever. */
  readonly plays: number
}

/** The longest that sharp lets a frame be shown, in milliseconds. */
const LONGEST = 65_535

/** Milliseconds of each frame and the loop count, as sharp takes them. A denominator of 0 stands for 100, as in PNG. */
export function shownAt({ delays, plays }: Timing): { delay?: number[]; loop: number } {
  const delay = delays.map(([numerator, denominator]) =>
    Math.min(LONGEST, Math.round((1000 * numerator) / (denominator === 0 ? 100 : denominator))),
  )
  return delay.length === 0 ? { loop: plays } : { delay, loop: plays }
}

/** Decoded frames as the input of an encoder. */
export function openRawFrames({ data, width, height, count }: Frames): Sharp {
  const raw = { width, height: height * count, channels: 4 as const, pageHeight: height }
  return counted(sharp(data, { raw, limitInputPixels: false }))
}

/** The frames of a file that sharp reads, with their times. */
export async function decodeAnimation(data: Uint8Array): Promise<Frames> {
  const opened = sharp(data, { animated: true, limitInputPixels: false })
  const { delay } = await opened.metadata()
  const frames = await decodeFrames(opened)
  return delay === undefined ? frames : { ...frames, delays: delay }
}

export async function decodeFrames(pipeline: Sharp): Promise<Frames> {
  const { data, info } = await pipeline
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const height = info.pageHeight ?? info.height
  return { data, width: info.width, height, count: Math.max(1, Math.round(info.height / height)) }
}

/** How frames are compared. */
interface FrameComparison {
  /** Times of the original's frames: equal frames may then be one frame that is shown longer, as libwebp writes them. */
  readonly timing?: Timing | undefined
  /** The score of one frame; by default SSIMULACRA 2. */
  readonly judge?: (before: Pixels, after: Pixels) => number
}

/**
 * The lowest score of some frames, spread evenly. A result that does not show the original's frames at their times
 * scores below every target.
 * @param compared how many frames are scored
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
 * The highest promise that every frame keeps by the guards, of small frames by the score at twice their size as well; as
 * `judgePixels` of stills.
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

/** The frame that is shown at the time of each frame of the original; `undefined` where the times do not meet. */
function shownInstead({ delays, count }: Frames, timing: Timing | undefined): readonly number[] | undefined {
  const times = timing === undefined ? [] : (shownAt(timing).delay ?? [])
  if (delays?.length !== count || times.length <= count) return undefined
  const shown: number[] = []
  let frame = 0
  let left = seenFor(delays[0]!)
  for (const time of times.map(seenFor)) {
    // Formats round times, so that a frame ends where less than half of the next one is left.
    if (left < time / 2) left += seenFor(delays[++frame] ?? 0)
    if (frame === count) return undefined
    shown.push(frame)
    left -= time
  }
  return frame === count - 1 ? shown : undefined
}

/** Browsers show a frame of up to 10 ms for 100 ms, and encoders write that. */
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

/** The colour of a pixel as one number, red in the highest bits, alpha in the lowest. */
export const colourAt = (pixels: Uint8Array, at: number): number =>
  ((pixels[at]! << 24) | (pixels[at + 1]! << 16) | (pixels[at + 2]! << 8) | pixels[at + 3]!) >>> 0

/** How often each colour occurs; `undefined` when there are more than 256. */
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
