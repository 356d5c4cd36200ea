import { neighboursOf } from './picture-kind.ts'
import type { Picture } from './picture.ts'

/** A picture with fewer pixels is an icon, however its pixels are distributed. */
const ICON_PIXELS = 4096

/**
 * Limits that separate photographs from drawings among pictures of few colours, as shares of all pairs of neighbours in
 * a row. A photograph has at most the share `equal` of equal pairs, at least the share `busy` of pairs beyond a
 * gradient, and at most `edges` edges for each of those. A picture almost without steps beyond a gradient is a blurred
 * background, unless nearly all of its pairs are equal: then it is a drawing with faint lines.
 *
 * Larger photographs are told before (`Picture.muted`), by more than neighbours. This decides for small ones, and for
 * those in a palette.
 *
 * Measured on 160 such pictures (JPEG, WebP, AVIF, and PNG with many gradients): two of 52 photographs, of hills in fog
 * and of a watch on black, are classified as drawings, and one of 108 drawings, a page on a photograph, as a
 * photograph.
 */
const PHOTOGRAPH = { equal: 0.6, busy: 0.02, edges: 0.75 } as const
const BLURRED = { equal: 0.9, busy: 0.002 } as const

/**
 * A drawing's palette of at least so many colours is judged like a photograph's: its bands are fine, and a picture
 * without a passing palette stays lossless. Judged as drawings, two of 122 PNGs stayed lossless because of barely
 * visible bands, at 1.8 and 2.6 times the bytes.
 */
const MANY_COLOURS = 192

/** Returns the kind by which the guards judge a palette of so many colours. */
export const kindOfPalette = (colours: number, { graphic }: Pick<Picture, 'graphic'>): 'palette' | 'grain' =>
  graphic && colours < MANY_COLOURS ? 'palette' : 'grain'

const known = new WeakMap<Picture, 'block' | 'photograph'>()

/**
 * Returns the kind by which the guards judge a block codec's result. Grey photographs and blurred backgrounds have as
 * few colours as a drawing, but no letters or lines whose antialiasing or strength could be lost.
 */
export function blockKindOf(picture: Picture): 'block' | 'photograph' {
  if (!picture.graphic) return 'photograph'
  const answer = known.get(picture) ?? (isPhotograph(picture) ? 'photograph' : 'block')
  known.set(picture, answer)
  return answer
}

function isPhotograph(picture: Picture): boolean {
  if (picture.width * picture.height < ICON_PIXELS) return false
  const { equal, busy, edges } = neighboursOf(picture)
  const isOfGrain = equal <= PHOTOGRAPH.equal && busy >= PHOTOGRAPH.busy && edges <= PHOTOGRAPH.edges * busy
  return isOfGrain || (equal <= BLURRED.equal && busy + edges < BLURRED.busy)
}
