import type { GammaRaster } from './raster.ts'
import { encodedTable, lightTable } from './transfer.ts'

/** Side of the areas that are judged, in pixels: about what the eye takes in as one tone. */
const TILE = 32

/** Levels of 255 by which an area may darken without anyone noticing. */
const UNSEEN = 3

/**
 * Tells whether averaging encoded samples instead of light would make some part of the picture visibly darker, as it
 * does with grids, lines, text and stars of one or two pixels. Looks at the green of every second pair of rows.
 */
export function hasFinePattern(raster: GammaRaster): boolean {
  const { data, width, height, channels } = raster
  const light = lightTable('gamma8')
  const encoded = encodedTable()
  const stride = width * channels
  for (let top = 0; top + 1 < height; top += TILE) {
    for (let left = 0; left + 1 < width; left += TILE) {
      let darkened = 0
      let count = 0
      for (let y = top; y < top + TILE && y + 1 < height; y += 4) {
        const end = Math.min(left + TILE, width) - 1
        for (let x = left, at = y * stride + x * channels + 1; x < end; x += 2, at += 2 * channels) {
          const a = data[at]!
          const b = data[at + channels]!
          const c = data[at + stride]!
          const d = data[at + stride + channels]!
          darkened += encoded[(light[a]! + light[b]! + light[c]! + light[d]!) >> 2]! - (a + b + c + d) / 4
          count++
        }
      }
      if (darkened > UNSEEN * count) return true
    }
  }
  return false
}
