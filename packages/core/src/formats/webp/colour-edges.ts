import type { Picture } from '../../encoding/picture.ts'

/** Levels of 255 that red or blue, less green, differ by within a square of 2×2 pixels that holds an edge. */
const EDGE = 24

/** Share of squares with an edge from which a picture has many. */
const MANY = 0.03

/**
 * Whether a picture has many edges between colours, as drawings and bright objects do. Halved chroma blurs those, so that
 * careful conversion ("sharp YUV") mostly saves bytes of a WebP at the same score: from 2 % more to 39 % fewer in 14 files.
 * In 17 files with fewer edges it came to between 2 % fewer and 6 % more, in twice the time.
 */
export function hasColourEdges({ data, width, height, channels, grey }: Picture): boolean {
  if (grey) return false
  let edges = 0
  for (let top = 0; top + 1 < height; top += 2) {
    for (let left = 0; left + 1 < width; left += 2) {
      const first = (top * width + left) * channels
      const below = first + width * channels
      if (
        spread(data, first, first + channels, below, below + channels, 0) > EDGE ||
        spread(data, first, first + channels, below, below + channels, 2) > EDGE
      ) {
        edges++
      }
    }
  }
  return edges > MANY * (width >> 1) * (height >> 1)
}

/** Of one channel less green, over four pixels. */
function spread(data: Uint8Array, one: number, two: number, three: number, four: number, channel: number): number {
  const first = data[one + channel]! - data[one + 1]!
  const second = data[two + channel]! - data[two + 1]!
  const third = data[three + channel]! - data[three + 1]!
  const fourth = data[four + channel]! - data[four + 1]!
  return Math.max(first, second, third, fourth) - Math.min(first, second, third, fourth)
}
