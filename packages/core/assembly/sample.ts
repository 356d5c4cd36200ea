// Which rows tell the score of a picture about: at the two finest scales one group of rows in so many, at coarser ones all. Groups of
// so few rows lie all over the picture, and each is judged as it is in all of it, with the rows above and below that the blur looks at.

import { RADIUS } from './alike'

/** Scales that are sampled: the others have a twentieth of the pixels. */
const SAMPLED_SCALES: i32 = 2
/** Rows of a group at the first scale; half as many at the second. */
const GROUP_ROWS: i32 = 16

/** One group in so many is in the sample; 1 where all are. */
let share: i32 = 1
/** Whether nothing else is judged. */
let isAlone: bool = false

/** Takes one group of rows in `k` for the sample, from the next image on; with `alone` no other row is judged. */
export function setSample(k: i32, alone: bool): void {
  share = k
  isAlone = alone && k > 1
}

/** Rows of a group at a scale. */
@inline
function groupRows(s: i32): i32 {
  return GROUP_ROWS >> s
}

/** Rows from one group of a sample to the next. */
@inline
function periodOf(s: i32, k: i32): i32 {
  return groupRows(s) * k
}

/** Where row `y` is in its period, whose first rows are a group and the `above` rows over it. */
@inline
function phaseOf(s: i32, y: i32, k: i32, above: i32): i32 {
  return y + periodOf(s, k) / 2 + above
}

@inline
export function isSampled(s: i32, y: i32): bool {
  return share == 1 || s >= SAMPLED_SCALES || phaseOf(s, y, share, 0) % periodOf(s, share) < groupRows(s)
}

@inline
export function isJudged(s: i32, y: i32): bool {
  return !isAlone || isSampled(s, y)
}

/** Whether the blur of a row that is judged looks at row `y`. */
@inline
export function isNeeded(s: i32, y: i32): bool {
  if (!isAlone || s >= SAMPLED_SCALES) return true
  return phaseOf(s, y, share, RADIUS) % periodOf(s, share) < groupRows(s) + 2 * RADIUS
}

/** Rows of a scale that are held of a sample of one group in `k`, with so many above and below each group. */
export function heldRows(s: i32, height: i32, k: i32, around: i32): i32 {
  if (k == 1 || s >= SAMPLED_SCALES) return height
  return (phaseOf(s, height - 1, k, around) / periodOf(s, k) + 1) * (groupRows(s) + 2 * around)
}

/** Where among these a row is that is held. */
@inline
export function heldRow(s: i32, y: i32, k: i32, around: i32): i32 {
  if (k == 1 || s >= SAMPLED_SCALES) return y
  const phase = phaseOf(s, y, k, around)
  const period = periodOf(s, k)
  return (phase / period) * (groupRows(s) + 2 * around) + (phase % period)
}

/** Rows in the sample of the `height` of a scale. */
export function sampledRows(s: i32, height: i32): i32 {
  let rows = 0
  for (let y = 0; y < height; y++) rows += <i32>isSampled(s, y)
  return rows
}
