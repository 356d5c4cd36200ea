/** The chunks of PNG files. Source: PNG Specification, Third Edition, section 5. */
import { crc32 } from 'node:zlib'
import { ascii, asciiAt, bigEndian, concatBytes, hasAscii, uint32 } from './bytes.ts'

/** The first bytes of every PNG. */
export const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n'

/** Chunks of one file that are looked at: 2 GB in the usual 8 kB pieces. */
const MOST_CHUNKS = 262_144

/** A chunk of a PNG, with offsets in the file. */
export interface PngChunk {
  type: string
  start: number
  /** The start and end of its data. */
  content: number
  contentEnd: number
  end: number
}

/**
 * Yields the chunks in order, IEND as the last. Ends without it where the file does, at something that is not a chunk,
 * and where there are too many.
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

/** Encodes a chunk: length, type, content and CRC. */
export function encodePngChunk(type: string, content: readonly Uint8Array[]): Uint8Array {
  const body = concatBytes([ascii(type), ...content])
  return concatBytes([bigEndian(body.length - 4, 4), body, bigEndian(crc32(body), 4)])
}

/** Tells whether a PNG is animated: an `acTL` chunk before the first `IDAT` (APNG 1.0). */
export function isAnimatedPng(data: Uint8Array): boolean {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  for (let at = 8; at + 12 <= data.length;) {
    const name = String.fromCharCode(...data.subarray(at + 4, at + 8))
    if (name === 'acTL') return true
    if (name === 'IDAT') return false
    at += 12 + view.getUint32(at)
  }
  return false
}

/**
 * `IHDR`'s colour type, where it stands in every PNG, and its value for a palette (PNG Specification, section 11.2.1).
 */
const COLOUR_TYPE_AT = 25
const PALETTE = 3

/** Bytes below which a file of few colours may lack a palette, as the palette would take more than it saves. */
const TINY = 2048

/**
 * Tells whether a PNG may have few colours because somebody chose them: it has a palette, or is too small for one to
 * pay.
 */
export function hasChosenColours(png: Uint8Array): boolean {
  return hasPalette(png) || png.length < TINY
}

/** Tells whether the pixels of a PNG are entries of a palette. */
export const hasPalette = (png: Uint8Array): boolean => png[COLOUR_TYPE_AT] === PALETTE
