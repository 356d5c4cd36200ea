import type { Pixels } from '../metric/ssimulacra2.ts'
import type { Place } from './limits.ts'
import { startsOf } from './thin-lines.ts'

/**
 * The largest errors of a block codec's alpha where the source is clear or opaque, in levels of 255. `inside` holds for
 * pixels with no other alpha within `REACH` pixels, `rim` for the others. `veil` is the mean of a window that is all
 * inside, which is how a plain area is seen, and `haze` that of the clear and opaque pixels of any window, for icons
 * that have no inside. Seven pictures were looked at on white, black and blue at 400 %: at twice the `rim`, too,
 * nothing was seen. Veils of one level over an area, boxes and bodies of 253 and less are refused.
 */
const LIMITS = { inside: 2, rim: 4, veil: 0.5, haze: 0.9 } as const
const REACH = 4
/** Pixels on each side of a window; windows begin at each half of it, and the last one ends at the border. */
const SIDE = 8
/** The share of a window that is clear or opaque, from which on its `haze` counts. */
const ENOUGH = 1 / 4

const isEnd = (alpha: number): boolean => alpha === 0 || alpha === 255

/**
 * Returns the largest error of alpha at clear and opaque pixels as a share of its limit, and where it is.
 * @param before alpha of each pixel of the source
 * @param after alpha of each pixel of the result
 */
export function worstAlphaEnd(
  before: Uint8Array,
  after: Uint8Array,
  { width, height }: Pick<Pixels, 'width' | 'height'>,
): { share: number; place: Place } {
  const worst = { share: 0, place: { x: 0, y: 0 } }
  const look = (share: number, x: number, y: number): void => {
    if (share > worst.share) Object.assign(worst, { share, place: { x, y } })
  }
  const inside = insideOf(before, width, height)
  for (const [at, alpha] of before.entries()) {
    if (!isEnd(alpha) || alpha === after[at]) continue
    const limit = inside[at] === 1 ? LIMITS.inside : LIMITS.rim
    look(Math.abs(after[at]! - alpha) / limit, at % width, Math.floor(at / width))
  }
  if (worst.share === 0) return worst
  const [wide, high] = [Math.min(SIDE, width), Math.min(SIDE, height)]
  for (const top of startsOf(height, high, SIDE / 2)) {
    for (const left of startsOf(width, wide, SIDE / 2)) {
      let [sum, ends, insides] = [0, 0, 0]
      for (let y = top; y < top + high; y++) {
        for (let at = y * width + left; at < y * width + left + wide; at++) {
          if (!isEnd(before[at]!)) continue
          ends++
          insides += inside[at]!
          sum += Math.abs(after[at]! - before[at]!)
        }
      }
      if (ends >= ENOUGH * wide * high) look(sum / ends / LIMITS.haze, left, top)
      if (insides === wide * high) look(sum / insides / LIMITS.veil, left, top)
    }
  }
  return worst
}

/** Marks clear and opaque pixels with 1 where all pixels within `REACH` have the same alpha. */
function insideOf(alphas: Uint8Array, width: number, height: number): Uint8Array {
  const inRow = new Uint8Array(alphas.length)
  for (let row = 0; row < height * width; row += width) {
    for (let from = 0; from < width;) {
      const alpha = alphas[row + from]!
      let to = from + 1
      while (to < width && alphas[row + to] === alpha) to++
      const [first, end] = [from === 0 ? 0 : from + REACH, to === width ? width : to - REACH]
      if (isEnd(alpha) && end > first) inRow.fill(1, row + first, row + end)
      from = to
    }
  }
  return inRow.map((marked, at) => {
    if (marked === 0) return 0
    const [x, y] = [at % width, Math.floor(at / width)]
    for (let other = Math.max(0, y - REACH); other <= Math.min(height - 1, y + REACH); other++) {
      const there = other * width + x
      if (inRow[there] === 0 || alphas[there] !== alphas[at]) return 0
    }
    return 1
  })
}
