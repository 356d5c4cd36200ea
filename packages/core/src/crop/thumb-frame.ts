import type { Size } from '../resample/size.ts'
import type { Rectangle } from '../resample/raster.ts'

/** Air around the object, as a part of its longer side, on each side. */
const AIR = 0.05

/** How to cut, scale and place a picture so that its object fills a thumbnail. */
export interface ThumbFrame {
  /** The part of the picture that is used. */
  readonly cut: Rectangle
  /** Where that part goes in the thumbnail, scaled down or as it is. The rest of the thumbnail is background. */
  readonly placed: Rectangle
}

/**
 * Finds the smallest rectangle of the target's shape that holds an object with some air, and is no smaller than the
 * target, so that nothing is scaled up. It is centred on the object, then slid to stay inside the picture; where it is
 * larger than the picture, it sticks out.
 */
export function thumbFrame(box: Rectangle, picture: Size, target: Size): ThumbFrame {
  const air = Math.max(box.width, box.height) * AIR * 2
  const scale = Math.max(1, (box.width + air) / target.width, (box.height + air) / target.height)
  const across = alongAxis({ start: box.left, length: box.width }, picture.width, target.width, scale)
  const down = alongAxis({ start: box.top, length: box.height }, picture.height, target.height, scale)
  return {
    cut: { left: across.cut, top: down.cut, width: across.cutLength, height: down.cutLength },
    placed: { left: across.placed, top: down.placed, width: across.placedLength, height: down.placedLength },
  }
}

interface AxisFrame {
  cut: number
  cutLength: number
  placed: number
  placedLength: number
}

/** One side of a rectangle. */
interface Side {
  readonly start: number
  readonly length: number
}

function alongAxis(box: Side, picture: number, target: number, scale: number): AxisFrame {
  const length = Math.round(target * scale)
  const centred = Math.round(box.start + (box.length - length) / 2)
  // Between these, a frame smaller than the picture stays inside it, and a larger one holds all of it.
  const ends = [0, picture - length] as const
  const start = Math.min(Math.max(centred, Math.min(...ends)), Math.max(...ends))
  const cut = Math.max(0, start)
  const cutLength = Math.min(picture, start + length) - cut
  const placed = Math.round((cut - start) / scale)
  const placedLength = Math.min(target - placed, Math.max(1, Math.round(cutLength / scale)))
  return { cut, cutLength, placed, placedLength }
}
