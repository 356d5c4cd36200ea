import type { Size } from '../resample/size.ts'
import type { Rectangle } from '../resample/raster.ts'
import type { SaliencyMap } from './saliency.ts'

/**
 * Share of the best window's saliency that a window may lack and still be as good. The middle one of those is taken, so
 * that what strikes has room on both sides.
 */
const AS_GOOD = 0.02

/**
 * Where to cut a window out of a picture so that it holds the most saliency. The window is as wide or as high as the
 * picture, so it can only slide one way, and running sums along that way are all it takes. Without anything striking it
 * is the centre.
 * @param picture - its size in pixels; the map may be smaller
 */
export function coverWindow(map: SaliencyMap, picture: Size, window: Size): Rectangle {
  const slidesAcross = picture.width - window.width >= picture.height - window.height
  const length = slidesAcross ? picture.width : picture.height
  const room = slidesAcross ? length - window.width : length - window.height
  const sums = runningSums(map, slidesAcross)
  const cellsPerPixel = (sums.length - 1) / length
  const held = (offset: number): number =>
    sumUpTo(sums, (offset + length - room) * cellsPerPixel) - sumUpTo(sums, offset * cellsPerPixel)
  const offset = middleOfBest(held, room)
  return { left: slidesAcross ? offset : 0, top: slidesAcross ? 0 : offset, ...window }
}

function middleOfBest(held: (offset: number) => number, room: number): number {
  let best = 0
  for (let offset = 1; offset <= room; offset++) if (held(offset) > held(best)) best = offset
  const enough = held(best) * (1 - AS_GOOD)
  let first = best
  let last = best
  while (first > 0 && held(first - 1) >= enough) first--
  while (last < room && held(last + 1) >= enough) last++
  return (first + last) >> 1
}

/** Saliency of all columns, or rows, in front of each. */
function runningSums({ values, width, height }: SaliencyMap, across: boolean): Float64Array {
  const sums = new Float64Array((across ? width : height) + 1)
  for (let index = 0; index < values.length; index++) {
    const at = (across ? index % width : Math.floor(index / width)) + 1
    sums[at] = sums[at]! + values[index]!
  }
  for (let at = 1; at < sums.length; at++) sums[at] = sums[at]! + sums[at - 1]!
  return sums
}

/** A running sum at a place between two cells, where a cell is taken as even. */
function sumUpTo(sums: Float64Array, place: number): number {
  const below = Math.min(Math.floor(place), sums.length - 2)
  return sums[below]! + (sums[below + 1]! - sums[below]!) * (place - below)
}
