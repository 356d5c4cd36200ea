/** EXIF and XMP of AVIF files. Source: ISO/IEC 23008-12 (HEIF) sections 6.5.10 and annex A. */
import { isExifItem, isXmpItem, itemData, itemRanges, parseAvif } from './avif-items.ts'
import type { AvifFile, Item } from './avif-items.ts'
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
 * Fills EXIF and XMP items with zeros, in place: taking them out would move everything behind them for a few dozen bytes.
 * Items that share their bytes with another item stay.
 */
export function stripAvif(data: Uint8Array): Uint8Array {
  const file = parseAvif(data)
  if (file === undefined) return data
  const erased = metadataItems(file).flatMap((item) => ownRanges(data, file, item) ?? [])
  if (erased.every(({ start, end }) => isBlank(data.subarray(start, end)))) return data
  const stripped = data.slice()
  for (const { start, end } of erased) stripped.fill(0, start, end)
  return stripped
}

/**
 * Adds an `Exif` item and, for a copyright flag or address, an XMP item; where `stripAvif` left an item blank that is
 * long enough, its bytes are used again. A file that has metadata of its own, a sequence, or a structure that is not
 * understood is returned as it is.
 */
export function writeAvif(data: Uint8Array, metadata: Metadata): Uint8Array {
  const { copyright, creation, location } = metadata
  const exif = buildExif({ copyrightText: copyright?.text, creation, location })
  const xmp = buildXmp(copyright)
  const file = exif === undefined && xmp === undefined ? undefined : parseAvif(data)
  if (file === undefined) return data
  const blank = metadataItems(file)
  if (blank.some((item) => !isBlank(itemData(data, file, item) ?? new Uint8Array([1])))) return data
  const filled = data.slice()
  const items: NewItem[] = []
  if (exif !== undefined) {
    const block = concatBytes([bigEndian(0, OFFSET_SIZE), exif])
    if (!fill(filled, file, blank.find(isExifItem), block))
      items.push({ type: 'Exif', description: ascii('\0'), data: block })
  }
  if (xmp !== undefined && !fill(filled, file, blank.find(isXmpItem), xmp)) {
    items.push({ type: 'mime', description: ascii('\0application/rdf+xml\0'), data: xmp })
  }
  return items.length === 0 ? filled : (addAvifItems(filled, file, items) ?? data)
}

const metadataItems = (file: AvifFile): Item[] => file.items.filter((item) => isExifItem(item) || isXmpItem(item))

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0)

/** Writes over a blank item; what is left of it stays zero, which readers of EXIF and XMP pass over. */
function fill(data: Uint8Array, file: AvifFile, item: Item | undefined, bytes: Uint8Array): boolean {
  const ranges = item === undefined ? undefined : ownRanges(data, file, item)
  const [range] = ranges ?? []
  if (range === undefined || ranges?.length !== 1 || range.end - range.start < bytes.length) return false
  data.set(bytes, range.start)
  return true
}

/** An item's bytes, unless another item reads some of them too. */
function ownRanges(data: Uint8Array, file: AvifFile, item: Item): ReturnType<typeof itemRanges> {
  const ranges = itemRanges(data, file, item)
  const others = file.items.filter(({ id }) => id !== item.id).flatMap((other) => itemRanges(data, file, other) ?? [])
  const shared = ranges?.some((own) => others.some(({ start, end }) => start < own.end && own.start < end))
  return shared === true ? undefined : ranges
}
