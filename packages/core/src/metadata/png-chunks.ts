/** The chunks of PNG files. Source: PNG Specification, Third Edition, section 5. */
import { crc32 } from 'node:zlib'
import { ascii, asciiAt, bigEndian, concatBytes, hasAscii, uint32 } from './bytes.ts'

export const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n'

/** Chunks of one file that are looked at: 2 GB in the usual 8 kB pieces. */
const MOST_CHUNKS = 262_144

export interface PngChunk {
  type: string
  start: number
  /** Of the data: where it begins and ends. */
  content: number
  contentEnd: number
  end: number
}

/**
 * Chunks in order, IEND as the last. Ends without it where the file does, at something that is not a chunk, and where
 * there are too many.
 */
export function* pngChunks(data: Uint8Array): Generator<PngChunk, void, void> {
  if (!hasAscii(data, 0, PNG_SIGNATURE) || !hasAscii(data, 12, 'IHDR') || uint32(data, 8) !== 13) return
  let at = 8
  for (let count = 0; at + 12 <= data.length && count < MOST_CHUNKS; count++) {
    const type = asciiAt(data, at + 4, 4)
    const content = at + 8
    const contentEnd = content + uint32(data, at)
    const end = contentEnd + 4
    if (end > data.length || !/^[A-Za-z]{4}$/.test(type)) return
    yield { type, start: at, content, contentEnd, end }
    if (type === 'IEND') return
    at = end
  }
}

/** Length, type, content and CRC. */
export function encodePngChunk(type: string, content: readonly Uint8Array[]): Uint8Array {
  const body = concatBytes([ascii(type), ...content])
  return concatBytes([bigEndian(body.length - 4, 4), body, bigEndian(crc32(body), 4)])
}
