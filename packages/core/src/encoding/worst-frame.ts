/** The judgement on an animation: that on its worst frame. */
import { countScore, timePhase } from '../base/counters.ts'
import { createGuards, keptPromise } from '../quality/guards/index.ts'
import type { ResultKind } from '../quality/guards/index.ts'
import { enlargeTwice, isJudgedTwice } from '../quality/guards/twice.ts'
import { ssimulacra2 } from '../quality/metric/ssimulacra2.ts'
import type { Pixels } from '../quality/metric/ssimulacra2.ts'
import type { FrameSource } from './frame-source.ts'
import { shownAt } from './frames.ts'
import type { Timing } from './frames.ts'

/** A judgement on all frames of a result. */
export interface Judgement {
  /** The lowest score of all frames. */
  readonly score: number
  /**
   * The highest promise that every frame keeps by the guards, of small frames by the score at twice their size as well;
   * as `judgePixels` of stills. It has no meaning where the score misses the target.
   */
  readonly kept: number
}

/** The demands on a result. */
export interface Demands {
  readonly kind: ResultKind
  /** The score to reach: a guard takes about as long as a score, and has nothing to say of what is refused already. */
  readonly target: number
  /** Times of the original's frames: equal frames may then be one that is shown longer, as libwebp writes them. */
  readonly timing?: Timing | undefined
  /** A promise below which it is all the same how little is kept. Default: the lowest is looked for. */
  readonly enough?: number
}

/** Frames of the original from one to another. */
interface Span {
  readonly from: number
  readonly to: number
}

/**
 * Returns the lowest score of all frames. A result that does not show the original's frames at their times scores below
 * every target.
 */
export async function worstFrame(original: FrameSource, written: FrameSource, timing?: Timing): Promise<number> {
  const shown = shownFrames(original, written, timing)
  if (shown === undefined) return -Infinity
  return lowest({ original, written, shown }, { from: 0, to: original.count }, scoreFrame)
}

/**
 * Scores all frames and holds them to the guards, so many after the other as are held at once: then both judge pixels
 * that have been decoded once.
 */
export async function judgeFrames(original: FrameSource, written: FrameSource, demands: Demands): Promise<Judgement> {
  const { kind, target, timing, enough = -Infinity } = demands
  const shown = shownFrames(original, written, timing)
  if (shown === undefined) return { score: -Infinity, kept: -Infinity }
  const compared = { original, written, shown }
  const guard = (before: Pixels, after: Pixels): number => guardFrame(before, after, kind)
  let [score, kept] = [100, 100]
  for (let from = 0; from < original.count; from += original.atOnce) {
    const span = { from, to: Math.min(original.count, from + original.atOnce) }
    score = Math.min(score, await lowest(compared, span, scoreFrame))
    if (score >= target && kept >= enough) kept = Math.min(kept, await lowest(compared, span, guard, enough))
  }
  return { score, kept }
}

/** Tells whether two animations show the same pixels, so that what is known of one holds for the other. */
export async function areAlike(one: FrameSource, other: FrameSource): Promise<boolean> {
  if (one.count !== other.count || one.width !== other.width || one.height !== other.height) return false
  for (let index = 0; index < one.count; index++) {
    if (Buffer.compare(await one.frame(index), await other.frame(index)) !== 0) return false
  }
  return true
}

interface Compared {
  readonly original: FrameSource
  readonly written: FrameSource
  /** The frame that is shown at the time of each frame of the original. */
  readonly shown: readonly number[]
}

/** @param enough a judgement below which no further frame is looked at */
async function lowest(
  { original, written, shown }: Compared,
  { from, to }: Span,
  judge: (before: Pixels, after: Pixels) => number,
  enough = -Infinity,
): Promise<number> {
  let worst = 100
  for (let index = from; index < to && worst >= enough; index++) {
    const before = await pixelsOf(original, index)
    const after = await pixelsOf(written, shown[index]!)
    if (Buffer.compare(before.data, after.data) !== 0) worst = Math.min(worst, judge(before, after))
  }
  return worst
}

function guardFrame(before: Pixels, after: Pixels, kind: ResultKind): number {
  const guards = createGuards(before)
  try {
    const kept = timePhase('score', () => keptPromise(guards.measure(after, kind), kind))
    return isJudgedTwice(before) ? Math.min(kept, scoreFrame(enlargeTwice(before), enlargeTwice(after))) : kept
  } finally {
    guards.dispose()
  }
}

const scoreFrame = (before: Pixels, after: Pixels): number =>
  countScore(before.width * before.height, () => ssimulacra2(before, after))

async function pixelsOf(source: FrameSource, index: number): Promise<Pixels> {
  return { data: await source.frame(index), width: source.width, height: source.height, channels: 4 }
}

/** Returns the frame that is shown at the time of each frame of the original; `undefined` where it is not the same. */
function shownFrames(original: FrameSource, written: FrameSource, timing?: Timing): readonly number[] | undefined {
  if (written.width !== original.width || written.height !== original.height) return undefined
  if (written.count !== original.count) return shownInstead(written, timing)
  return Array.from({ length: original.count }, (_, index) => index)
}

/** The same where there are fewer frames; `undefined` where the times do not meet. */
function shownInstead({ delays, count }: FrameSource, timing: Timing | undefined): readonly number[] | undefined {
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
