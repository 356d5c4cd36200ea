/**
 * Repairs the palette of an encoded PNG, so that its entries are colours of the source. Source: PNG Specification,
 * Third Edition, sections 7, 9 and 11.
 */
import { promisify } from 'node:util'
import { deflate, inflate } from 'node:zlib'
import type { ZlibOptions } from 'node:zlib'
import { concatBytes, uint32 } from '../metadata/bytes.ts'
import type { Pixels } from '../quality/metric/ssimulacra2.ts'
import { separateAlpha, snapPalette } from '../quality/guards/snap.ts'
import { encodePngChunk, pngChunks } from '../metadata/png-chunks.ts'
import type { PngChunk } from '../metadata/png-chunks.ts'
import { depthFor, packIndices, paletteChunks } from './indexed-png.ts'

const inflated: (data: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer> = promisify(inflate)

const deflated: (data: Uint8Array, options: ZlibOptions) => Promise<Buffer> = promisify(deflate)

const INDEXED = 3

/**
 * Sets each palette entry to the value that most of its pixels have in the source, as `snapPalette` does; only `PLTE`
 * and `tRNS` change. If pixels that were fully transparent or opaque still are not, they get entries of their own, and
 * the pixels are encoded again in the same order. Returns the same bytes if nothing needs repair, and for a PNG that
 * has no palette, is interlaced, or differs from the source in size.
 */
export async function snapPng(png: Uint8Array, source: Pixels): Promise<Uint8Array> {
  const chunks = [...pngChunks(png)]
  const [header] = chunks
  const plte = chunks.find(({ type }) => type === 'PLTE')
  if (!header || !plte || chunks.at(-1)?.type !== 'IEND') return png
  const [width, height] = [uint32(png, header.content), uint32(png, header.content + 4)]
  const [depth, colourType, , , interlaced] = png.subarray(header.content + 8, header.contentEnd)
  if (width !== source.width || height !== source.height) return png
  if (depth === undefined || colourType !== INDEXED || interlaced !== 0) return png

  const trns = chunks.find(({ type }) => type === 'tRNS')
  const before = paletteOf(png, plte, trns)
  const rowBytes = Math.ceil((width * depth) / 8)
  const compressed = chunks.filter(({ type }) => type === 'IDAT').map((chunk) => contentOf(png, chunk))
  const rows = await inflated(concatBytes(compressed), { maxOutputLength: (rowBytes + 1) * height })
  const indices = unpack(unfilter(rows, rowBytes, height), { width, height, depth, rowBytes })
  const snapped = { indices, palette: snapPalette(source, indices, before) }
  const { indices: after, palette } = separateAlpha(source, snapped)
  if (after === indices && palette === before) return png

  const replaced = new Map<PngChunk, Uint8Array[]>([[plte, paletteChunks(palette)]])
  if (trns) replaced.set(trns, [])
  if (after !== indices) {
    const newDepth = depthFor(palette.length / 4)
    const packed = packIndices(after, { width, height, depth: newDepth })
    const [first, ...others] = chunks.filter(({ type }) => type === 'IDAT')
    replaced.set(first!, [encodePngChunk('IDAT', [await deflated(packed, { level: 9, memLevel: 9 })])])
    for (const other of others) replaced.set(other, [])
    const changed = Uint8Array.from(contentOf(png, header))
    changed[8] = newDepth
    replaced.set(header, [encodePngChunk('IHDR', [changed])])
  }
  return concatBytes([
    png.subarray(0, 8),
    ...chunks.flatMap((chunk) => replaced.get(chunk) ?? [png.subarray(chunk.start, chunk.end)]),
  ])
}

function contentOf(png: Uint8Array, { content, contentEnd }: PngChunk): Uint8Array {
  return png.subarray(content, contentEnd)
}

/** Returns the palette as RGBA. Entries that `tRNS` does not name are opaque. */
function paletteOf(png: Uint8Array, plte: PngChunk, trns: PngChunk | undefined): Uint8Array {
  const colours = contentOf(png, plte)
  const alphas = trns ? contentOf(png, trns) : new Uint8Array()
  const count = Math.floor(colours.length / 3)
  return Uint8Array.from({ length: 4 * count }, (_, at) => {
    const [entry, channel] = [Math.floor(at / 4), at % 4]
    return channel === 3 ? (alphas[entry] ?? 255) : colours[3 * entry + channel]!
  })
}

/** Undoes the row filters, for pixels of at most one byte. */
function unfilter(rows: Uint8Array, rowBytes: number, height: number): Uint8Array {
  const plain = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (rowBytes + 1)]!
    const from = y * (rowBytes + 1) + 1
    const to = y * rowBytes
    if (filter === 0) {
      plain.set(rows.subarray(from, from + rowBytes), to)
      continue
    }
    for (let x = 0; x < rowBytes; x++) {
      const left = x > 0 ? plain[to + x - 1]! : 0
      const above = y > 0 ? plain[to + x - rowBytes]! : 0
      const corner = x > 0 && y > 0 ? plain[to + x - rowBytes - 1]! : 0
      plain[to + x] = rows[from + x]! + predicted(filter, left, above, corner)
    }
  }
  return plain
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  if (filter !== 4) return 0
  const toLeft = Math.abs(above - corner)
  const toAbove = Math.abs(left - corner)
  const toCorner = Math.abs(left + above - 2 * corner)
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}

/** Unpacks rows of 1, 2, 4 or 8 bits per pixel, the leftmost in the highest bits, into one byte per pixel. */
function unpack(
  rows: Uint8Array,
  { width, height, depth, rowBytes }: { width: number; height: number; depth: number; rowBytes: number },
): Uint8Array {
  if (depth === 8) return rows
  const mask = (1 << depth) - 1
  const indices = new Uint8Array(width * height)
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to++) {
      const bit = x * depth
      indices[to] = (rows[y * rowBytes + (bit >> 3)]! >> (8 - depth - (bit & 7))) & mask
    }
  }
  return indices
}
