/**
 * EXIF and XMP boxes of JPEG XL files. Source: ISO/IEC 18181-2 section 9. A bare codestream has none. The orientation
 * that decoders apply is in the codestream, whatever EXIF says.
 */
import { brotliDecompressSync } from 'node:zlib'
import { ascii, asciiAt, bigEndian, concatBytes } from '../../metadata/bytes.ts'
import { readOffsetExif } from '../../metadata/exif-read.ts'
import { buildWholeExif } from '../../metadata/exif-write.ts'
import type { Box } from '../../metadata/isobmff.ts'
import { codestreamParts, contentType, jxlBoxes } from './boxes.ts'
import { mergeMetadata } from '../../metadata/select.ts'
import type { Metadata } from '../../metadata/types.ts'
import { readXmp } from '../../metadata/xmp.ts'

/** Bytes that a compressed box may have when decompressed. */
const LONGEST = 4 << 20

/** The boxes at the start of every container: the signature and the file type. */
const START: readonly Uint8Array[] = [
  encodeBox('JXL ', [Uint8Array.of(0x0d, 0x0a, 0x87, 0x0a)]),
  encodeBox('ftyp', [ascii('jxl \0\0\0\0jxl ')]),
]

/** Boxes that decide about the picture: its codestream, and the features that a decoder must have (`jxll`). */
const PICTURE_BOXES: ReadonlySet<string> = new Set(['JXL ', 'ftyp', 'jxll', 'jxlc', 'jxlp'])

/** Bytes of a box in which its label stands, which says what it is for. */
const LABEL_WITHIN = 128

/** Tells whether a JPEG XL has content credentials (C2PA), in a box of JPEG's universal metadata. */
export function jxlHasCredentials(data: Uint8Array): boolean {
  const boxes = jxlBoxes(data)?.filter(({ type }) => type === 'jumb') ?? []
  return boxes.some(({ content, end }) =>
    asciiAt(data, content, Math.min(LABEL_WITHIN, end - content)).includes('c2pa'),
  )
}

/** Reads the EXIF and XMP of a JPEG XL container; a bare codestream has none. */
export function readJxl(data: Uint8Array): Metadata {
  const boxes = jxlBoxes(data)
  if (boxes === undefined) return {}
  const exif = boxContent(data, boxes, 'Exif')
  const xmp = boxContent(data, boxes, 'xml ')
  return mergeMetadata([exif === undefined ? {} : readOffsetExif(exif).metadata, xmp === undefined ? {} : readXmp(xmp)])
}

/**
 * Takes out every box that is not needed to show the picture, what a JPEG could be reconstructed from included, and the
 * container itself where only the codestream is left in it.
 */
export function stripJxl(data: Uint8Array): Uint8Array {
  const boxes = jxlBoxes(data)
  const parts = boxes && codestreamParts(data, boxes)
  if (boxes === undefined || parts === undefined) return data
  const needed = boxes.filter(({ type }) => PICTURE_BOXES.has(type))
  const stripped = needed.some(({ type }) => type === 'jxll')
    ? concatBytes(needed.map(({ start, end }) => data.subarray(start, end)))
    : concatBytes(parts)
  return stripped.length < data.length ? stripped : data
}

/**
 * Adds an `Exif` box in front of the codestream; a bare codestream is put into a container for it, 40 bytes. A file
 * that has metadata of its own is returned as it is, and so is one whose structure is not understood.
 */
export function writeJxl(data: Uint8Array, metadata: Metadata): Uint8Array {
  const exif = buildWholeExif(metadata)
  if (exif === undefined) return data
  // In front of the TIFF structure stands its offset.
  const added = encodeBox('Exif', [bigEndian(0, 4), exif])
  const boxes = jxlBoxes(data)
  if (boxes === undefined) return concatBytes([...START, added, encodeBox('jxlc', [data])])
  const first = boxes.find(({ type }) => type === 'jxlc' || type === 'jxlp')
  const taken = boxes.some((box) => ['Exif', 'xml '].includes(contentType(data, box)))
  if (taken || first === undefined || codestreamParts(data, boxes) === undefined) return data
  return concatBytes([data.subarray(0, first.start), added, data.subarray(first.start)])
}

/** Returns the content of the first box of a type, plain or compressed with its type in front. */
function boxContent(data: Uint8Array, boxes: readonly Box[], type: string): Uint8Array | undefined {
  const box = boxes.find((each) => contentType(data, each) === type)
  if (box === undefined) return undefined
  return box.type === 'brob' ? decompress(data.subarray(box.content + 4, box.end)) : data.subarray(box.content, box.end)
}

function decompress(compressed: Uint8Array): Uint8Array | undefined {
  try {
    return brotliDecompressSync(compressed, { maxOutputLength: LONGEST })
  } catch {
    // Damaged metadata, or a decompression bomb, counts as absent.
    return undefined
  }
}

function encodeBox(type: string, content: readonly Uint8Array[]): Uint8Array {
  const size = 8 + content.reduce((length, part) => length + part.length, 0)
  return concatBytes([bigEndian(size, 4), ascii(type), ...content])
}
