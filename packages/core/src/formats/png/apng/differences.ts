import { ALPHA_BITS, isClear, pixelWords } from '../../../encoding/frames.ts'
import type { FrameSource } from '../../../encoding/frame-source.ts'
import { BLEND, DISPOSE } from './read.ts'

/** The place of a frame on the canvas, and the way it is put there. */
export interface PlannedFrame {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly dispose: number
  readonly blend: number
}

/** A frame as it is going to be written, before its pixels are compressed. */
export interface CutFrame extends PlannedFrame {
  /** Interleaved RGBA. Transparent pixels are transparent black. */
  readonly pixels: Uint8Array
}

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** The pixel that a frame must have even if nothing changes. */
const ONE_PIXEL: Readonly<Box> = { left: 0, top: 0, right: 1, bottom: 1 }

/** The share of all canvases that frames may cover where each stands on an empty one: more gains nothing. */
const MOST_COVERED = 0.8

/**
 * Plans all frames in each of the ways that may be the smallest, in one pass over them. Each frame has the smallest
 * region that holds its changes, put in its place; or the same over the canvas with unchanged pixels transparent, which
 * compresses better where much of the region stays as it is; or it is drawn by itself on an empty canvas, which is
 * small where a drawing moves over a transparent background. That is left out where most of the canvas is covered.
 */
export async function planFrames(source: FrameSource): Promise<PlannedFrame[][]> {
  const { width, height, count } = source
  const [inPlace, over, alone]: [PlannedFrame[], PlannedFrame[], PlannedFrame[]] = [[], [], []]
  const whole = { left: 0, top: 0, right: width, bottom: height }
  let covered = 0
  for await (const { now, before, index } of pairsOf(source)) {
    const box = index === 0 ? whole : (boxOf(width, height, (at) => !same(now[at]!, before[at]!)) ?? ONE_PIXEL)
    const mayBeOver = index > 0 && everyChangeIsOpaque({ now, before }, width, box)
    inPlace.push({ ...regionOf(box), dispose: DISPOSE.none, blend: BLEND.source })
    over.push({ ...regionOf(box), dispose: DISPOSE.none, blend: mayBeOver ? BLEND.over : BLEND.source })
    const drawn = boxOf(width, height, (at) => !isClear(now[at]!)) ?? ONE_PIXEL
    covered += (drawn.right - drawn.left) * (drawn.bottom - drawn.top)
    // The first frame is also the default image, and must cover the canvas.
    alone.push({ ...regionOf(index === 0 ? whole : drawn), dispose: DISPOSE.background, blend: BLEND.source })
  }
  return covered > width * height * count * MOST_COVERED ? [inPlace, over] : [inPlace, over, alone]
}

/**
 * Goes over the frames once and cuts each as every plan has it.
 * @param take gets a frame and the number of its plan; the pixels are valid until it returns
 */
export async function cutFrames(
  source: FrameSource,
  plans: readonly (readonly PlannedFrame[])[],
  take: (frame: CutFrame, plan: number) => void | Promise<void>,
): Promise<void> {
  const room = new Uint32Array(source.width * source.height)
  for await (const { now, before, index } of pairsOf(source)) {
    for (const [plan, frames] of plans.entries()) {
      const frame = frames[index]!
      const below = frame.blend === BLEND.over ? before : undefined
      await take({ ...frame, pixels: cut(now, source.width, { frame, below, room }) }, plan)
    }
  }
}

interface Pair {
  readonly now: Uint32Array
  readonly before: Uint32Array
}

/** Yields each frame with a copy of the one before it; of no meaning before the first. */
async function* pairsOf(source: FrameSource): AsyncGenerator<Pair & { index: number }, void, void> {
  const before = new Uint32Array(source.width * source.height)
  for (let index = 0; index < source.count; index++) {
    const now = pixelWords(await source.frame(index))
    yield { now, before, index }
    before.set(now)
  }
}

/** Colours of transparent pixels play no part. */
const same = (one: number, other: number): boolean => one === other || ((one | other) & ALPHA_BITS) === 0

function regionOf({ left, top, right, bottom }: Readonly<Box>): {
  left: number
  top: number
  width: number
  height: number
} {
  return { left, top, width: right - left, height: bottom - top }
}

/** Returns the smallest box with all pixels that are in. Rows are looked at from both ends, where they may widen it. */
function boxOf(width: number, height: number, isIn: (at: number) => boolean): Box | undefined {
  const end = width * height
  let first = 0
  while (first < end && !isIn(first)) first++
  if (first === end) return undefined
  let last = end - 1
  while (!isIn(last)) last--
  const [top, bottom] = [Math.floor(first / width), Math.floor(last / width) + 1]
  let [left, right] = [first % width, (first % width) + 1]
  for (let row = top * width; row < bottom * width; row += width) {
    for (let x = 0; x < left; x++) if (isIn(row + x)) left = x
    for (let x = width - 1; x >= right; x--) if (isIn(row + x)) right = x + 1
  }
  return { left, top, right, bottom }
}

/** Tells whether every change is opaque: over the canvas, any other pixel would mix with the ones below. */
function everyChangeIsOpaque({ now, before }: Pair, width: number, box: Readonly<Box>): boolean {
  for (let y = box.top; y < box.bottom; y++) {
    for (let at = y * width + box.left; at < y * width + box.right; at++) {
      const colour = now[at]!
      if ((colour & ALPHA_BITS) !== ALPHA_BITS && !same(colour, before[at]!)) return false
    }
  }
  return true
}

/** @param options `below`: what is on the canvas, for a frame that is put over it; `room` for the pixels */
function cut(
  now: Uint32Array,
  stride: number,
  { frame, below, room }: { frame: PlannedFrame; below: Uint32Array | undefined; room: Uint32Array },
): Uint8Array {
  const { left, top, width, height } = frame
  let to = 0
  for (let y = top; y < top + height; y++) {
    for (let at = y * stride + left; at < y * stride + left + width; at++, to++) {
      const colour = now[at]!
      room[to] = isClear(colour) || (below !== undefined && same(colour, below[at]!)) ? 0 : colour
    }
  }
  return new Uint8Array(room.buffer, 0, to * 4)
}
