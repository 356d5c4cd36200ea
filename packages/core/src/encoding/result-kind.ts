import { isOfBlocks } from '../quality/guards/limits.ts'
import type { ResultKind } from '../quality/guards/limits.ts'
import { neighboursOf, stepOf } from './picture-kind.ts'
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
 * The share `busy` that a photograph with transparency has at least, among pairs of one alpha that are not clear.
 * Cut-outs and portraits had 0.07 to 0.54, soft icons up to 0.02.
 */
const CUT_OUT_BUSY = 0.06

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
 * few colours as a drawing, but no letters or lines whose antialiasing or strength could be lost. Soft icons and
 * renderings on nothing have as many colours as a photograph.
 */
export function blockKindOf(picture: Picture): 'block' | 'photograph' {
  const answer = known.get(picture) ?? (isPhotograph(picture) ? 'photograph' : 'block')
  known.set(picture, answer)
  return answer
}

/**
 * Returns the kind by which the guards judge a near-lossless result. Speckles are seen round the outlines of soft
 * drawings on nothing, and not in photographs.
 */
export const kindOfNearLossless = (picture: Picture): 'palette' | 'photograph' =>
  picture.graphic || (picture.channels === 4 && blockKindOf(picture) === 'block') ? 'palette' : 'photograph'

function isPhotograph(picture: Picture): boolean {
  const { width, height, channels, graphic, muted, fromJpeg } = picture
  // A JPEG of many colours is judged as a photograph, whatever it shows: as drawings, some took a third more bytes, for
  // edges of 1.05 times the limit, at which nothing was seen.
  if (muted || (fromJpeg === true && !graphic)) return true
  if (width * height < ICON_PIXELS) return !graphic && channels === 3
  const { equal, busy, edges } = neighboursOf(picture, { step: stepOf(picture), isSeen: channels === 4 })
  const isOfGrain = equal <= PHOTOGRAPH.equal && edges <= PHOTOGRAPH.edges * busy
  if (channels === 4) return isOfGrain && busy >= CUT_OUT_BUSY
  return (isOfGrain && busy >= PHOTOGRAPH.busy) || (equal <= BLURRED.equal && busy + edges < BLURRED.busy)
}

/** Clear pixels count for at most the share 1 - this: a score of 92 is asked for at most for a promise of 80. */
const LEAST_SEEN = 0.4

const seen = new WeakMap<Picture, number>()

/**
 * Returns the score of a block codec's result by the seen pixels of a drawing. Clear pixels score 100 and hide damage
 * to the others: a cube with blurred seams scored 85, facets with rough edges 80. For 32 AVIFs it took 7 % more bytes.
 * Cut-outs of photographs would take 46 to 69 % more, for nothing that was seen, and palettes have guards that find
 * what they do.
 * @param score of the whole picture
 */
export function scoreOfSeen(score: number, picture: Picture, kind?: ResultKind): number {
  const share = scoredShareOf(picture, kind)
  return share === 1 ? score : 100 - (100 - score) / share
}

/** Returns the SSIMULACRA2 score of the whole picture for what `scoreOfSeen` returns. */
export function scoreOfWhole(score: number, picture: Picture, kind?: ResultKind): number {
  const share = scoredShareOf(picture, kind)
  return share === 1 ? score : 100 - (100 - score) * share
}

function scoredShareOf(picture: Picture, kind: ResultKind = 'block'): number {
  const { data, channels, width, height } = picture
  if (channels === 3 || !isOfBlocks(kind) || blockKindOf(picture) === 'photograph') return 1
  const counted = seen.get(picture)
  if (counted !== undefined) return counted
  let pixels = 0
  for (let at = 3; at < data.length; at += 4) if (data[at]! > 0) pixels++
  const share = Math.max(LEAST_SEEN, pixels / (width * height))
  seen.set(picture, share)
  return share
}
