/** EXIF and XMP of AVIF files. Source: ISO/IEC 23008-12 (HEIF) sections 6.5.10 and annex A. */
import { isExifItem, isXmpItem, itemData, parseAvif } from './avif-items.ts'
import type { AvifFile } from './avif-items.ts'
import { addAvifItems } from './avif-write.ts'
import type { NewItem } from './avif-write.ts'
import { ascii, bigEndian, concatBytes, uint32 } from './bytes.ts'
import { readExif } from './exif-read.ts'
import { buildExif } from './exif-write.ts'
import { mergeMetadata } from './select.ts'
import type { Metadata } from './types.ts'
import { buildXmp, readXmp } from './xmp.ts'

/** The offset of the TIFF structure that stands in front of every EXIF block. */
const OFFSET_SIZE = 4

export function readAvif(data: Uint8Array): Metadata {
  const file = parseAvif(data)
  if (file === undefined) return {}
  const exif = firstItem(data, file, isExifItem)
  const xmp = firstItem(data, file, isXmpItem)
  return mergeMetadata([exif === undefined ? {} : readOffsetExif(exif).metadata, xmp === undefined ? {} : readXmp(xmp)])
}

/** An EXIF block with the offset of its TIFF structure in front, as HEIF and JPEG XL have it. */
export function readOffsetExif(block: Uint8Array): ReturnType<typeof readExif> {
  return readExif(block.subarray(OFFSET_SIZE + uint32(block, 0)))
}

function firstItem(data: Uint8Array, file: AvifFile, wanted: typeof isExifItem): Uint8Array | undefined {
  const item = file.items.find(wanted)
  return item === undefined ? undefined : itemData(data, file, item)
}

/**
 * Adds an `Exif` item and, for a copyright flag or address, an XMP item. A file that has metadata of its own, a sequence,
 * or a structure that is not understood is returned as it is.
 */
export function writeAvif(data: Uint8Array, metadata: Metadata): Uint8Array {
  const { copyright, creation, location } = metadata
  const exif = buildExif({ copyrightText: copyright?.text, creation, location })
  const xmp = buildXmp(copyright)
  const items: NewItem[] = []
  if (exif !== undefined) {
    const block = concatBytes([bigEndian(0, OFFSET_SIZE), exif])
    items.push({ type: 'Exif', description: ascii('\0'), data: block })
  }
  if (xmp !== undefined) items.push({ type: 'mime', description: ascii('\0application/rdf+xml\0'), data: xmp })
  const file = items.length === 0 ? undefined : parseAvif(data)
  if (file === undefined || file.items.some((item) => isExifItem(item) || isXmpItem(item))) return data
  return addAvifItems(data, file, items) ?? data
}
