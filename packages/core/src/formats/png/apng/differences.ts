import type { Frames } from '../../../encoding/frames.ts'
import { BLEND, DISPOSE } from './read.ts'

/** A frame as it is going to be written, before its pixels are compressed. */
export interface PlannedFrame {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly dispose: number
  readonly blend: number
  /** Interleaved RGBA. Transparent pixels are transparent black. */
  readonly pixels: Uint8Array
}

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/**
 * Plans each frame by its changes: the smallest region that holds all of them, put in its place, or over the canvas
 * with unchanged pixels transparent, which compresses better where much of the region stays as it is.
 */
export function plannedByChanges(frames: Frames, blend: 'source' | 'over'): PlannedFrame[] {
  const { width, height, count } = frames
  return Array.from({ length: count }, (_, index) => {
    const now = frameAt(frames, index)
    if (index === 0) return cut(now, width, { left: 0, top: 0, right: width, bottom: height }, undefined)
    const before = frameAt(frames, index - 1)
    // A frame must have a pixel even if nothing changes.
    const box = boxOf(width, height, (at) => !same(now, before, at)) ?? { left: 0, top: 0, right: 1, bottom: 1 }
    const isOver = blend === 'over' && everyChangeIsOpaque(now, before, width, box)
    return cut(now, width, box, isOver ? before : undefined)
  })
}

/**
 * Plans each frame by itself on an empty canvas: that is small where a drawing moves over a transparent background.
 * `undefined` where most of the canvas is covered anyway.
 */
export function plannedAlone(frames: Frames): PlannedFrame[] | undefined {
  const { width, height, count } = frames
  const boxes = Array.from({ length: count }, (_, index) => {
    const now = frameAt(frames, index)
    return boxOf(width, height, (at) => now[at + 3] !== 0) ?? { left: 0, top: 0, right: 1, bottom: 1 }
  })
  const covered = boxes.reduce((sum, box) => sum + (box.right - box.left) * (box.bottom - box.top), 0)
  if (covered > width * height * count * 0.8) return undefined
  return boxes.map((box, index) => {
    // The first frame is also the default image, and must cover the canvas.
    const whole = index === 0 ? { left: 0, top: 0, right: width, bottom: height } : box
    return { ...cut(frameAt(frames, index), width, whole, undefined), dispose: DISPOSE.background }
  })
}

function frameAt({ data, width, height }: Frames, index: number): Uint8Array {
  const size = width * height * 4
  return data.subarray(index * size, (index + 1) * size)
}

/** Colours of transparent pixels play no part. */
function same(a: Uint8Array, b: Uint8Array, at: number): boolean {
  const alpha = a[at + 3]
  if (alpha !== b[at + 3]) return false
  return alpha === 0 || (a[at] === b[at] && a[at + 1] === b[at + 1] && a[at + 2] === b[at + 2])
}

function boxOf(width: number, height: number, isIn: (at: number) => boolean): Box | undefined {
  let box: Box | undefined
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!isIn((y * width + x) * 4)) continue
      if (box === undefined) box = { left: x, top: y, right: x + 1, bottom: y + 1 }
      if (x < box.left) box.left = x
      if (x >= box.right) box.right = x + 1
      box.bottom = y + 1
    }
  }
  return box
}

/** Tells whether every change is opaque: over the canvas, any other pixel would mix with the ones below. */
function everyChangeIsOpaque(now: Uint8Array, before: Uint8Array, width: number, box: Box): boolean {
  for (let y = box.top; y < box.bottom; y++) {
    for (let x = box.left; x < box.right; x++) {
      const at = (y * width + x) * 4
      if (now[at + 3] !== 255 && !same(now, before, at)) return false
    }
  }
  return true
}

/** @param below what is on the canvas, for a frame that is put over it */
function cut(now: Uint8Array, width: number, box: Box, below: Uint8Array | undefined): PlannedFrame {
  const [columns, rows] = [box.right - box.left, box.bottom - box.top]
  const pixels = new Uint8Array(columns * rows * 4)
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const from = ((box.top + y) * width + box.left + x) * 4
      if (now[from + 3] === 0 || (below !== undefined && same(now, below, from))) continue
      pixels.set(now.subarray(from, from + 4), (y * columns + x) * 4)
    }
  }
  return {
    left: box.left,
    top: box.top,
    width: columns,
    height: rows,
    dispose: DISPOSE.none,
    blend: below === undefined ? BLEND.source : BLEND.over,
    pixels,
  }
}
