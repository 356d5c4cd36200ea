/** How pixels differ from their neighbours tells photographs from drawings where both have few colours. */
import { blocksOf } from './blocks.ts'
import type { Blocks, Pixels } from './blocks.ts'

/** Shares of all pairs of neighbours in a row, by the difference in their most different channel. */
export interface Neighbours {
  /** Pairs of equal pixels. */
  readonly equal: number
  /** Pairs that differ by at most a gradient. */
  readonly soft: number
  /** Pairs that differ by more than a gradient, and by less than an edge. */
  readonly busy: number
  /** Pairs that differ by at least an edge. */
  readonly edges: number
}

/** The figures that tell a photograph from a drawing. */
export type Look = Neighbours & Blocks

/** Levels up to which two neighbours are a gradient, and from which on they are an edge. */
const GRADIENT = 6
const EDGE = 32

/** In a larger picture some of the rows tell enough: looking at so many pixels takes about 10 ms. */
const LOOKED_AT = 500_000

/**
 * Limits for photographs of few colours: grey, dark, foggy or blurred ones, and those larger than their detail. At
 * least the share `textured` of their blocks has texture or slopes, and at least `perLine` for each block with a line
 * on a ground. At least the share `soft` of the neighbours differ by a gradient, unless fewer than `sharp` differ by
 * more. There are at most `edges` edges for each busy pair; where more than the share `equal` of the neighbours is
 * equal, as on a page or on black, at most the share `few`. If there are so few colours that an exact palette exists,
 * at least the share `busy` is texture, because ramps and patterns are drawn.
 *
 * Measured on the pictures of `test/encoding/picture-kinds.tsv`, and on copies of them as PNG and JPEG, in grey, and at
 * 640 and 320 pixels a side, as far as these had few colours: 251 of 276 copies of photographs were told. Two of 294
 * copies of drawings and screenshots were taken for photographs, both of one screenshot at a third of its size, and six
 * of 176 that were darkened to a fifth.
 */
const PHOTOGRAPH = {
  textured: 0.35,
  perLine: 4,
  soft: 0.15,
  sharp: 0.002,
  edges: 0.75,
  equal: 0.6,
  few: 0.02,
  busy: 0.01,
} as const

/** Returns how many rows to go on by. */
export const stepOf = ({ width, height }: Pixels): number => Math.ceil((width * height) / LOOKED_AT)

/** Looks at a picture, or at some of its rows. */
export function lookAt(pixels: Pixels): Look {
  const step = stepOf(pixels)
  return { ...neighboursOf(pixels, { step }), ...blocksOf(pixels, step) }
}

/** Tells whether a picture of few colours looks like a photograph. */
export function isLikePhotograph(look: Look, { paletted, grey }: { paletted: boolean; grey: boolean }): boolean {
  const { equal, soft, busy, edges, slopes, textures, lines } = look
  // Colours of a palette are kept exactly, whatever they show. Grey has so few in any picture.
  if (paletted && (!grey || busy < PHOTOGRAPH.busy)) return false
  const textured = slopes + textures
  const isTextured = textured >= PHOTOGRAPH.textured && textured >= PHOTOGRAPH.perLine * lines
  const isSoft = soft >= PHOTOGRAPH.soft || busy + edges < PHOTOGRAPH.sharp
  const hasFewEdges = edges <= PHOTOGRAPH.edges * busy && (equal <= PHOTOGRAPH.equal || edges <= PHOTOGRAPH.few)
  return isTextured && isSoft && hasFewEdges
}

/**
 * Counts how pixels differ from their left neighbours.
 * @param how `step`: one row of so many is looked at, by default every row; `isSeen`: only pairs of RGBA pixels
 *   count that have one alpha and are not clear
 */
export function neighboursOf(
  { data, width, height, channels }: Pixels,
  { step = 1, isSeen = false }: { step?: number; isSeen?: boolean } = {},
): Neighbours {
  const counts: Counts = { pairs: 0, equal: 0, busy: 0, edges: 0 }
  const rowBytes = width * channels
  for (let y = 0; y < height; y += step) {
    countRow(data.subarray(y * rowBytes, (y + 1) * rowBytes), channels, isSeen, counts)
  }
  const { pairs, equal, busy, edges } = counts
  const all = Math.max(1, pairs)
  return { equal: equal / all, soft: (pairs - equal - busy - edges) / all, busy: busy / all, edges: edges / all }
}

/** Pairs of neighbours, by how far they differ. */
interface Counts {
  pairs: number
  equal: number
  busy: number
  edges: number
}

/** Adds the pairs of one row. */
function countRow(row: Uint8Array, channels: number, isSeen: boolean, counts: Counts): void {
  let [pairs, equal, busy, edges] = [0, 0, 0, 0]
  for (let at = channels; at < row.length; at += channels) {
    if (isSeen && (row[at + 3] === 0 || row[at - 1] !== row[at + 3])) continue
    let most = 0
    for (let channel = at; channel < at + channels; channel++) {
      most = Math.max(most, Math.abs(row[channel]! - row[channel - channels]!))
    }
    pairs++
    if (most === 0) equal++
    else if (most >= EDGE) edges++
    else if (most > GRADIENT) busy++
  }
  counts.pairs += pairs
  counts.equal += equal
  counts.busy += busy
  counts.edges += edges
}
