/** PNGs with a palette. Source: PNG Specification, Third Edition, sections 7, 10 and 11. */
import { concatBytes } from '../metadata/bytes.ts'
import { encodePngChunk } from '../metadata/png-chunks.ts'
import type { Indexed } from '../quality/guards/snap.ts'
import { deflate } from './deflate.ts'
import type { Packing } from './deflate.ts'
import { packPixels } from './pixel-engine.ts'

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const INDEXED = 3
const MOST_ENTRIES = 256

/**
 * Encodes a PNG with a palette and without filters. The palette begins with the colour that is most frequent at the
 * left and right edges. Its index 0 equals the filter byte of each row, so that repetitions continue across the ends of
 * rows; this saves 5% for a screenshot with a coloured margin. Entries with transparency follow, then the others in
 * their order.
 */
export function encodeIndexedPng(
  indexed: Indexed,
  { width, height }: { width: number; height: number },
  packing: Packing,
): Uint8Array {
  const { palette, places } = inOrder(indexed, width)
  const depth = depthFor(palette.length / 4)
  const header = new DataView(new ArrayBuffer(13))
  header.setUint32(0, width)
  header.setUint32(4, height)
  header.setUint8(8, depth)
  header.setUint8(9, INDEXED)
  const rows = packIndices(indexed.indices, { width, height, depth }, places)
  return concatBytes([
    SIGNATURE,
    encodePngChunk('IHDR', [new Uint8Array(header.buffer)]),
    ...paletteChunks(palette),
    encodePngChunk('IDAT', [deflate(rows, packing)]),
    encodePngChunk('IEND', []),
  ])
}

/**
 * Orders the palette and merges equal entries, which arise if two were set to the colour of one large area. The colour
 * of the edges comes first. Entries that are not opaque come next, because `tRNS` is as long as the place of the last
 * of them.
 */
function inOrder(
  { indices, palette }: Indexed,
  width: number,
): { palette: Uint8Array; places: Uint8Array | undefined } {
  const colours = Array.from({ length: palette.length / 4 }, (_, entry) =>
    palette.subarray(4 * entry, 4 * entry + 4).join(),
  )
  const same = Uint8Array.from(colours, (colour) => colours.indexOf(colour))
  const distinct = [...same.keys()].filter((entry) => same[entry] === entry)
  const first = mostFrequentAtEdges(indices, width, same)
  const rank = (entry: number): number => (entry === first ? 0 : palette[4 * entry + 3] === 255 ? 2 : 1)
  const order = distinct.sort((a, b) => rank(a) - rank(b))
  const numbers = new Uint8Array(MOST_ENTRIES)
  order.forEach((entry, at) => (numbers[entry] = at))
  const moved = same.map((entry) => numbers[entry]!)
  return {
    places: moved.every((place, entry) => place === entry) ? undefined : moved,
    palette: Uint8Array.from(order.flatMap((entry) => [...palette.subarray(4 * entry, 4 * entry + 4)])),
  }
}

/** Finds the entry that most rows begin with; equal entries count as the first of them. */
function mostFrequentAtEdges(indices: Uint8Array, width: number, same: Uint8Array): number {
  const counts = new Uint32Array(MOST_ENTRIES)
  for (let at = 0; at < indices.length; at += width) {
    counts[same[indices[at]!]!]!++
    counts[same[indices[at + width - 1]!]!]!++
  }
  return counts.indexOf(Math.max(...counts))
}

/** Returns the `PLTE` chunk, and a `tRNS` chunk if an entry is not opaque. */
export function paletteChunks(palette: Uint8Array): Uint8Array[] {
  const alphas = palette.filter((_, at) => at % 4 === 3)
  const length = alphas.findLastIndex((alpha) => alpha !== 255) + 1
  const colours = encodePngChunk('PLTE', [palette.filter((_, at) => at % 4 !== 3)])
  return length === 0 ? [colours] : [colours, encodePngChunk('tRNS', [alphas.subarray(0, length)])]
}

/** Returns the bits per pixel that so many palette entries need: 1, 2, 4 or 8. */
export const depthFor = (entries: number): number => (entries <= 2 ? 1 : entries <= 4 ? 2 : entries <= 16 ? 4 : 8)

const UNMOVED: Uint8Array = Uint8Array.from({ length: MOST_ENTRIES }, (_, entry) => entry)

/**
 * Rows without a filter, with the byte that says so.
 * @param places by entry: the one that takes its place; by default itself
 */
export function packIndices(
  indices: Uint8Array,
  { width, height, depth }: { width: number; height: number; depth: number },
  places?: Uint8Array,
): Uint8Array {
  if (depth < 8 || places !== undefined) {
    return packPixels(indices, { width, height, depth, places: places ?? UNMOVED })
  }
  const rows = new Uint8Array((width + 1) * height)
  for (let y = 0; y < height; y++) rows.set(indices.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  return rows
}
