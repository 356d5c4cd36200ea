import { copyFrames, heldFrames } from './frame-source.ts'
import type { FrameSource } from './frame-source.ts'
import { surveyFrames } from './frame-survey.ts'
import type { Frames, Timing } from './frames.ts'

/** One frame in so many is sampled, but at least the second number of frames. */
const ONE_IN = 8
const FEWEST = 6

/** Some frames of an animation, with the times of those alone. */
export interface FrameSample {
  readonly source: FrameSource
  readonly timing: Timing
  /** The same frames in memory; absent where they are all that there are. */
  readonly held?: Frames
}

/**
 * Returns one frame in eight, and at least six: the first, those that differ most from the one before, where encoders
 * that store differences lose most, and as many spread evenly. All of them where there are no more.
 */
export async function sampleFrames(source: FrameSource, timing: Timing): Promise<FrameSample> {
  const most = Math.max(FEWEST, Math.ceil(source.count / ONE_IN))
  if (source.count <= most) return { source, timing }
  const { differences } = await surveyFrames(source)
  const chosen = chosenFrames(differences, most)
  const held = await copyFrames(source, chosen)
  const { delays, plays } = timing
  const own = delays.length === source.count ? chosen.map((index) => delays[index]!) : []
  return { source: heldFrames(held), timing: { delays: own, plays }, held }
}

function chosenFrames(differences: readonly number[], most: number): number[] {
  const byDifference = differences.map((by, index) => ({ index, by }))
  byDifference.sort((one, other) => other.by - one.by || one.index - other.index)
  const chosen = new Set([0])
  for (const { index } of byDifference) if (chosen.size < most >> 1) chosen.add(index)
  const { length } = differences
  const spread = Array.from({ length: most }, (_, at) => Math.floor(((at + 1) * length) / (most + 1)))
  for (const index of spread) if (chosen.size < most) chosen.add(index)
  for (let index = 1; chosen.size < most; index++) chosen.add(index)
  return [...chosen].sort((one, other) => one - other)
}
