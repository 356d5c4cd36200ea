import type { Picture } from './picture.ts'

/** Pixels of a picture below which it is an icon, however its pixels are spread. */
const ICON_PIXELS = 4096

/** Levels of the channel that differs most, from which two neighbours are no longer one gradient, and from which they are an edge. */
const GRADIENT = 6
const EDGE = 32

/**
 * What tells photographs from drawings among pictures of few colours, as shares of all pairs of neighbours in a row: how many are equal
 * at most, how many differ by more than a gradient at least, and how many edges there are at most for each of these. Pictures without a
 * step beyond a gradient are blurred backgrounds, unless nearly all of their pixels are equal: those are drawings with faint lines.
 * Of 160 such pictures that were looked at (JPEGs, WebPs, AVIFs, and PNGs of many gradients) two of 52 photographs, of hills in fog and
 * of a watch on black, are taken for drawings, and one of 108 drawings, a page on a photograph, for a photograph.
 */
const PHOTOGRAPH = { equal: 0.6, busy: 0.02, edges: 0.75 } as const
const BLURRED = { equal: 0.9, busy: 0.002 } as const

/**
 * Colours from which a drawing's palette is judged as a photograph's: bands are fine then, and where none passes the picture stays
 * lossless. Of 122 PNGs two were, with bands just to be seen, at 1.8 and 2.6 times the bytes.
 */
const MANY_COLOURS = 192

/** What the guards take a palette of so many colours for. */
export const kindOfPalette = (colours: number, { graphic }: Pick<Picture, 'graphic'>): 'palette' | 'grain' =>
  graphic && colours < MANY_COLOURS ? 'palette' : 'grain'

const known = new WeakMap<Picture, 'block' | 'photograph'>()

/**
 * How the guards judge what a block codec makes of a picture. Grey photographs and blurred backgrounds have as few colours as a
 * drawing, but there are no letters and lines in them whose antialiasing or strength could be lost.
 */
export function blockKindOf(picture: Picture): 'block' | 'photograph' {
  if (!picture.graphic) return 'photograph'
  const answer = known.get(picture) ?? (isPhotograph(picture) ? 'photograph' : 'block')
  known.set(picture, answer)
  return answer
}

function isPhotograph(picture: Picture): boolean {
  if (picture.width * picture.height < ICON_PIXELS) return false
  const { equal, busy, edges } = neighbours(picture)
  const isOfGrain = equal <= PHOTOGRAPH.equal && busy >= PHOTOGRAPH.busy && edges <= PHOTOGRAPH.edges * busy
  return isOfGrain || (equal <= BLURRED.equal && busy + edges < BLURRED.busy)
}

/** Shares of neighbours in a row that are equal, that differ by more than a gradient, and that are an edge. */
function neighbours({ data, width, height, channels }: Picture): { equal: number; busy: number; edges: number } {
  let [equal, busy, edges] = [0, 0, 0]
  for (let y = 0; y < height; y++) {
    const end = (y + 1) * width * channels
    for (let at = y * width * channels + channels; at < end; at += channels) {
      let most = 0
      for (let channel = at; channel < at + channels; channel++) {
        most = Math.max(most, Math.abs(data[channel]! - data[channel - channels]!))
      }
      if (most === 0) equal++
      else if (most >= EDGE) edges++
      else if (most > GRADIENT) busy++
    }
  }
  const pairs = Math.max(1, (width - 1) * height)
  return { equal: equal / pairs, busy: busy / pairs, edges: edges / pairs }
}
