/**
 * The mark of our lossy results in PNG: the level of compression that the zlib stream says it has, which "is not needed for decompression"
 * (RFC 1950, section 2.2). Encoders of palettes say 2 (the default), 3 (the most) or 0 (the least); ours say 1.
 */
import { crc32 } from 'node:zlib'
import { isNearLossless } from '../../encoding/truecolour-png.ts'
import { bigEndian } from '../../metadata/bytes.ts'
import { hasChosenColours, pngChunks } from '../../metadata/png-chunks.ts'
import type { PngChunk } from '../../metadata/png-chunks.ts'
import type { Mark } from '../codec.ts'

/** `FLEVEL` in the two upper bits of the second byte; its five lower ones make the first two a multiple of 31. */
const LEVEL = 1
const LEVEL_SHIFT = 6
const CHECKED = 31

/** There is no room for the promise: all are the least one. */
const ANY = 1

/** The chunk that begins with the header of the zlib stream. */
function firstData(png: Uint8Array): PngChunk | undefined {
  for (const chunk of pngChunks(png)) {
    if (chunk.type === 'IDAT') return chunk.contentEnd - chunk.content >= 2 ? chunk : undefined
  }
  return undefined
}

export const PNG_MARK: Mark = {
  write(data) {
    const chunk = firstData(data)
    if (chunk === undefined) return data
    const { start, content, contentEnd } = chunk
    const marked = data.slice()
    const method = marked[content]! << 8
    const level = LEVEL << LEVEL_SHIFT
    marked[content + 1] = level + ((CHECKED - ((method + level) % CHECKED)) % CHECKED)
    marked.set(bigEndian(crc32(marked.subarray(start + 4, contentEnd)), 4), contentEnd)
    return marked
  },
  read(source) {
    const chunk = firstData(source)
    if (chunk === undefined || source[chunk.content + 1]! >> LEVEL_SHIFT !== LEVEL) return undefined
    return hasChosenColours(source) || isNearLossless(source) ? ANY : undefined
  },
}
