import type { Frames, Timing } from './frames.ts'

/** One frame in so many is sampled, but at least the second number of frames. */
const ONE_IN = 8
const FEWEST = 6

/** One pixel in so many is compared to measure how far frames differ. */
const PIXELS_APART = 61

/** Some frames of an animation, with their own timing. */
export interface FrameSample {
  readonly frames: Frames
  readonly timing: Timing
}

/**
 * Selects one frame in eight and at least six: the first frame, the frames that differ most from the one before,
 * because encoders that store differences lose most there, and as many that are spread evenly. It selects all frames if
 * there are no more.
 */
export function sampleFrames(frames: Frames, timing: Timing): FrameSample {
  const most = Math.max(FEWEST, Math.ceil(frames.count / ONE_IN))
  if (frames.count <= most) return { frames, timing }
  const chosen = chosenFrames(frames, most)
  const bytes = frames.width * frames.height * 4
  const data = Buffer.concat(chosen.map((index) => frames.data.subarray(index * bytes, (index + 1) * bytes)))
  const { width, height } = frames
  const { delays, plays } = timing
  const own = delays.length === frames.count ? chosen.map((index) => delays[index]!) : []
  return { frames: { data, width, height, count: chosen.length }, timing: { delays: own, plays } }
}

function chosenFrames(frames: Frames, most: number): number[] {
  const byDifference = Array.from({ length: frames.count }, (_, index) => ({ index, by: differenceTo(frames, index) }))
  byDifference.sort((one, other) => other.by - one.by || one.index - other.index)
  const chosen = new Set([0])
  for (const { index } of byDifference) if (chosen.size < most >> 1) chosen.add(index)
  const spread = Array.from({ length: most }, (_, at) => Math.floor(((at + 1) * frames.count) / (most + 1)))
  for (const index of spread) if (chosen.size < most) chosen.add(index)
  for (let index = 1; chosen.size < most; index++) chosen.add(index)
  return [...chosen].sort((one, other) => one - other)
}

/** Sums how far a frame differs from the one before, over sampled pixels. */
function differenceTo({ data, width, height }: Frames, index: number): number {
  if (index === 0) return 0
  const bytes = width * height * 4
  let sum = 0
  for (let at = index * bytes; at < (index + 1) * bytes; at += 4 * PIXELS_APART) {
    for (let channel = at; channel < at + 4; channel++) sum += Math.abs(data[channel]! - data[channel - bytes]!)
  }
  return sum
}
