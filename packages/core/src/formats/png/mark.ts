/**
 * The mark of our lossy results in PNG, in two fields of the zlib header (RFC 1950, section 2.2): the level of
 * compression, which "is not needed for decompression", and the window, which may be larger than the one used. Out of
 * 288 palettes on public sites, 19 had our level with the largest window. Our small files therefore declare half of
 * that window, where libpng declares a quarter or less, as it takes the smallest that holds all rows.
 */
import { crc32 } from 'node:zlib'
import { isNearLossless } from '../../encoding/truecolour-png.ts'
import { bigEndian, uint32 } from '../../metadata/bytes.ts'
import { hasChosenColours, pngChunks } from '../../metadata/png-chunks.ts'
import type { PngChunk } from '../../metadata/png-chunks.ts'
import type { Mark } from '../../encoding/codec.ts'

/** `FLEVEL` in the two upper bits of the second byte; its five lower ones make the first two a multiple of 31. */
const LEVEL = 1
const LEVEL_SHIFT = 6
const CHECKED = 31

/**
 * The first byte: `CM` 8 for deflate, and `CINFO`, the logarithm of the window's bytes less 8. A file that fits a
 * quarter of the largest window declares half of it.
 */
const LARGEST_WINDOW = 0x78
const HALF_OF_IT = 0x68
const BYTES_OF_QUARTER = 2 ** 13

/** Places in `IHDR`, which every PNG begins with, and channels by colour type (PNG Specification, section 11.2.1). */
const WIDTH_AT = 16
const HEIGHT_AT = 20
const DEPTH_AT = 24
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** There is no room for the promise: all are the least one. */
const ANY = 1

/** Returns the chunk that begins with the header of the zlib stream. */
function firstData(png: Uint8Array): PngChunk | undefined {
  for (const chunk of pngChunks(png)) {
    if (chunk.type === 'IDAT') return chunk.contentEnd - chunk.content >= 2 ? chunk : undefined
  }
  return undefined
}

/** Returns the first byte of the stream in a file of ours. */
function windowFor(png: Uint8Array): number {
  const [bits = 8, colourType = 0] = png.subarray(DEPTH_AT, DEPTH_AT + 2)
  const rowBytes = Math.ceil((uint32(png, WIDTH_AT) * bits * (CHANNELS[colourType] ?? 4)) / 8) + 1
  return rowBytes * uint32(png, HEIGHT_AT) <= BYTES_OF_QUARTER ? HALF_OF_IT : LARGEST_WINDOW
}

/** Marks a result in the zlib header of its image data. */
export const PNG_MARK: Mark = {
  write(data) {
    const chunk = firstData(data)
    if (chunk === undefined) return data
    const { start, content, contentEnd } = chunk
    const marked = data.slice()
    const window = windowFor(data)
    const level = LEVEL << LEVEL_SHIFT
    marked[content] = window
    marked[content + 1] = level + ((CHECKED - (((window << 8) + level) % CHECKED)) % CHECKED)
    marked.set(bigEndian(crc32(marked.subarray(start + 4, contentEnd)), 4), contentEnd)
    return marked
  },
  read(source) {
    const chunk = firstData(source)
    if (chunk === undefined || source[chunk.content] !== windowFor(source)) return undefined
    if (source[chunk.content + 1]! >> LEVEL_SHIFT !== LEVEL) return undefined
    return hasChosenColours(source) || isNearLossless(source) ? ANY : undefined
  },
  isDoubtful: (source) => windowFor(source) !== HALF_OF_IT,
}

/** Tells whether a PNG has the mark with the smaller window, which no other program was seen to write. */
export const isSurelyOurs = (png: Uint8Array): boolean =>
  PNG_MARK.read(png) !== undefined && windowFor(png) === HALF_OF_IT
