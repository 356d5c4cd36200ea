/**
 * EXIF and XMP boxes of JPEG XL files. Source: ISO/IEC 18181-2 section 9. A bare codestream has none. The orientation
 * that decoders apply is in the codestream, whatever EXIF says.
 */
import { brotliDecompressSync } from 'node:zlib'
import { asciiAt } from './bytes.ts'
import { readOffsetExif } from './avif.ts'
import { parseBoxes } from './isobmff.ts'
import type { Box } from './isobmff.ts'
import { mergeMetadata } from './select.ts'
import type { Metadata } from './types.ts'
import { readXmp } from './xmp.ts'

/** Bytes that a compressed box may have when decompressed. */
const LONGEST = 4 << 20

export function readJxl(data: Uint8Array): Metadata {
  const boxes = parseBoxes(data, 0, data.length)
  if (boxes[0]?.type !== 'JXL ') return {}
  const exif = boxContent(data, boxes, 'Exif')
  const xmp = boxContent(data, boxes, 'xml ')
  return mergeMetadata([exif === undefined ? {} : readOffsetExif(exif).metadata, xmp === undefined ? {} : readXmp(xmp)])
}

/** The content of the first box of a type, plain or in a `brob` box, which has the type in front. */
function boxContent(data: Uint8Array, boxes: readonly Box[], type: string): Uint8Array | undefined {
  for (const box of boxes) {
    if (box.type === type) return data.subarray(box.content, box.end)
    if (box.type === 'brob' && asciiAt(data, box.content, 4) === type) {
      return decompress(data.subarray(box.content + 4, box.end))
    }
  }
  return undefined
}

function decompress(compressed: Uint8Array): Uint8Array | undefined {
  try {
    return brotliDecompressSync(compressed, { maxOutputLength: LONGEST })
  } catch {
    // Damaged or a bomb: metadata that cannot be read is absent.
    return undefined
  }
}
