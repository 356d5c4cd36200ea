/** The places of frames that have to be drawn, where each frame is drawn over what the one before left. */
import { CLEAR, Canvas, clearArea } from './canvas.ts'
import type { Area, Colours, Drawn } from './canvas.ts'
import { DISPOSAL } from './read.ts'
import type { Gif } from './read.ts'

/** A frame as it is to be stored. */
export interface Difference extends Area {
  readonly disposal: number
  /** The canvas before the frame is drawn, in numbers of colours; valid until the next frame is asked for. */
  readonly before: Uint16Array
  /** The canvas that the frame is to show. */
  readonly after: Uint16Array
  /** The frame as the source has it. */
  readonly stored: Drawn
}

const NONE = 0
const NOTHING: Area = { left: 0, top: 0, width: 0, height: 0 }

/**
 * Yields the frames of an animation with the smallest rectangles that hold what changes, and what is done with each so
 * that the next has the least to draw. Three canvases are held besides the source's.
 * @throws Error where pixels cannot be decoded
 */
export function* differences(source: Uint8Array, gif: Gif, colours: Colours): Generator<Difference, void, void> {
  const { width, frames } = gif
  const canvas = new Canvas(source, gif, colours)
  let stored = canvas.draw()!
  let after = Uint16Array.from(canvas.pixels)
  let next = new Uint16Array(after.length)
  const before = new Uint16Array(after.length)
  for (const [index, frame] of frames.entries()) {
    // The first one keeps its place, from which some readers tell the size and whether there are clear places.
    const changed = index === 0 ? frame : changedArea(before, after, width)
    const drawn = changed.width === 0 ? { left: 0, top: 0, width: 1, height: 1 } : changed
    const following = canvas.draw()
    if (following === undefined) {
      yield { ...place(drawn), disposal: frame.disposal, before, after, stored }
      return
    }
    next.set(canvas.pixels)
    const { disposal, area } = disposed({ before, after, next, drawn, width, isFirst: index === 0 })
    yield { ...place(area), disposal, before, after, stored }
    if (disposal !== DISPOSAL.previous) before.set(after)
    if (disposal === DISPOSAL.background) clearArea(before, width, area)
    ;[after, next, stored] = [next, after, following]
  }
}

const place = ({ left, top, width, height }: Area): Area => ({ left, top, width, height })

interface Step {
  readonly before: Uint16Array
  readonly after: Uint16Array
  readonly next: Uint16Array
  readonly drawn: Area
  readonly width: number
  readonly isFirst: boolean
}

/** Chooses the disposal that leaves the fewest pixels to be drawn by the next frame. */
function disposed({ before, after, next, drawn, width, isFirst }: Step): { disposal: number; area: Area } {
  const kept = pixelsToDraw(after, next)
  // Readers disagree about restoring what was before the first frame.
  const restored = isFirst ? Infinity : pixelsToDraw(before, next)
  if (restored < kept) return { disposal: DISPOSAL.previous, area: drawn }
  if (kept !== Infinity) return { disposal: NONE, area: drawn }
  return { disposal: DISPOSAL.background, area: union(drawn, clearedArea(after, next, width)) }
}

/** Counts the pixels that differ; `Infinity` where one is clear that no frame can make so. */
function pixelsToDraw(before: Uint16Array, after: Uint16Array): number {
  let count = 0
  for (let at = 0; at < after.length; at++) {
    if (before[at] === after[at]) continue
    if (after[at] === CLEAR) return Infinity
    count++
  }
  return count
}

/** Returns the smallest area with all pixels that differ; of no width where there are none. */
function changedArea(before: Uint16Array, after: Uint16Array, stride: number): Area {
  let [left, right, top, bottom] = [stride, -1, -1, -1]
  for (let y = 0, row = 0; row < after.length; y++, row += stride) {
    let first = row
    const end = row + stride
    while (first < end && before[first] === after[first]) first++
    if (first === end) continue
    let last = end - 1
    while (before[last] === after[last]) last--
    if (top === -1) top = y
    bottom = y
    left = Math.min(left, first - row)
    right = Math.max(right, last - row)
  }
  return top === -1 ? NOTHING : { left, top, width: right - left + 1, height: bottom - top + 1 }
}

/** Returns the smallest area with all pixels that become clear. */
function clearedArea(after: Uint16Array, next: Uint16Array, stride: number): Area {
  const cleared = after.map((number, at) => (number !== CLEAR && next[at] === CLEAR ? 1 : 0))
  return changedArea(new Uint16Array(cleared.length), cleared, stride)
}

function union(one: Area, other: Area): Area {
  const left = Math.min(one.left, other.left)
  const top = Math.min(one.top, other.top)
  const right = Math.max(one.left + one.width, other.left + other.width)
  const bottom = Math.max(one.top + one.height, other.top + other.height)
  return { left, top, width: right - left, height: bottom - top }
}
