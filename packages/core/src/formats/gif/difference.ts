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

/** The area that is drawn where nothing changes. */
const ONE_PIXEL: Area = { left: 0, top: 0, width: 1, height: 1 }

/** The place of a frame, and what is done with it before the next. */
export type Plan = Area & Pick<Difference, 'disposal'>

/** A plan, and what the next frame draws, where that is known. */
type Chosen = Plan & { readonly following?: Area }

/**
 * Yields the frames of an animation with the smallest rectangles that hold what changes, and what is done with each so
 * that the next has the least to draw. Three canvases are held besides the source's.
 * @param plans of an earlier pass over the same file, so that nothing need be compared again
 * @throws Error where pixels cannot be decoded
 */
export function* differences(
  source: Uint8Array,
  { gif, colours, plans }: { gif: Gif; colours: Colours; plans?: readonly Plan[] },
): Generator<Difference, void, void> {
  const { width, frames } = gif
  const canvas = new Canvas(source, gif, colours)
  let stored = canvas.draw()!
  let after = Uint16Array.from(canvas.pixels)
  let next = new Uint16Array(after.length)
  const before = new Uint16Array(after.length)
  // The first one keeps its place, from which some readers tell the size and whether there are clear places.
  let drawn: Area = place(frames[0]!)
  for (const [index, { disposal }] of frames.entries()) {
    const following = canvas.draw()
    if (following === undefined) {
      yield { ...place(drawn), disposal, before, after, stored }
      return
    }
    next.set(canvas.pixels)
    const chosen: Chosen = plans?.[index] ?? disposed({ before, after, next, drawn, width, isFirst: index === 0 })
    yield { ...place(chosen), disposal: chosen.disposal, before, after, stored }
    if (chosen.disposal !== DISPOSAL.previous) before.set(after)
    if (chosen.disposal === DISPOSAL.background) clearArea(before, width, chosen)
    drawn = plans?.[index + 1] ?? chosen.following ?? changesOf(before, next, width).area
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
function disposed({ before, after, next, drawn, width, isFirst }: Step): Chosen {
  const kept = changesOf(after, next, width)
  // Readers disagree about restoring what was before the first frame.
  const restored = isFirst ? undefined : changesOf(before, next, width, kept.count)
  if (restored !== undefined && restored.count < kept.count) {
    return { ...drawn, disposal: DISPOSAL.previous, following: restored.area }
  }
  if (kept.count !== Infinity) return { ...drawn, disposal: NONE, following: kept.area }
  return { ...union(drawn, clearedArea(after, next, width)), disposal: DISPOSAL.background }
}

/** The pixels by which two canvases differ. */
interface Changes {
  /** The number of them; `Infinity` where one is clear that no frame can make so, and from where a bound is reached. */
  readonly count: number
  /** The smallest area with all of them, at least one pixel; of no meaning where they were not counted to the end. */
  readonly area: Area
}

/** @param bound of the number of pixels, from which they are not counted any more */
function changesOf(before: Uint16Array, after: Uint16Array, stride: number, bound = Infinity): Changes {
  let [left, right, top, bottom, count] = [stride, -1, -1, -1, 0]
  for (let y = 0, row = 0; row < after.length && count < bound; y++, row += stride) {
    let first = row
    const end = row + stride
    while (first < end && before[first] === after[first]) first++
    if (first === end) continue
    let last = end - 1
    while (before[last] === after[last]) last--
    for (let at = first; at <= last; at++) {
      if (before[at] === after[at]) continue
      if (after[at] === CLEAR) return { count: Infinity, area: ONE_PIXEL }
      count++
    }
    if (top === -1) top = y
    bottom = y
    left = Math.min(left, first - row)
    right = Math.max(right, last - row)
  }
  if (count >= bound) return { count: Infinity, area: ONE_PIXEL }
  return { count, area: top === -1 ? ONE_PIXEL : { left, top, width: right - left + 1, height: bottom - top + 1 } }
}

/** Returns the smallest area with all pixels that become clear. */
function clearedArea(after: Uint16Array, next: Uint16Array, stride: number): Area {
  let [left, right, top, bottom] = [stride, -1, -1, -1]
  for (let y = 0, row = 0; row < next.length; y++, row += stride) {
    for (let x = 0; x < stride; x++) {
      if (next[row + x] !== CLEAR || after[row + x] === CLEAR) continue
      if (top === -1) top = y
      bottom = y
      left = Math.min(left, x)
      right = Math.max(right, x)
    }
  }
  return { left, top, width: right - left + 1, height: bottom - top + 1 }
}

function union(one: Area, other: Area): Area {
  const left = Math.min(one.left, other.left)
  const top = Math.min(one.top, other.top)
  const right = Math.max(one.left + one.width, other.left + other.width)
  const bottom = Math.max(one.top + one.height, other.top + other.height)
  return { left, top, width: right - left, height: bottom - top }
}
