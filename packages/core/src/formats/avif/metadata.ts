/** EXIF and XMP of AVIF files. Source: ISO/IEC 23008-12 (HEIF) sections 6.5.10 and annex A. */
import { isExifItem, isXmpItem, itemData, itemRanges, parseAvif } from './metadata-items.ts'
import type { AvifFile, Item } from './metadata-items.ts'
import { removeAvifItems } from './metadata-remove.ts'
import { addAvifItems } from './metadata-write.ts'
import { ascii, bigEndian, concatBytes } from '../../metadata/bytes.ts'
import { readOffsetExif } from '../../metadata/exif-read.ts'
import { buildWholeExif } from '../../metadata/exif-write.ts'
import { mergeMetadata } from '../../metadata/select.ts'
import type { Metadata } from '../../metadata/types.ts'
import { readXmp } from '../../metadata/xmp.ts'

/** The offset of the TIFF structure that stands in front of every EXIF block. */
const OFFSET_SIZE = 4

/** Reads the EXIF and XMP of an AVIF file; empty where the file cannot be parsed. */
export function readAvif(data: Uint8Array): Metadata {
  const file = parseAvif(data)
  if (file === undefined) return {}
  const exif = firstItem(data, file, isExifItem)
  const xmp = firstItem(data, file, isXmpItem)
  return mergeMetadata([exif === undefined ? {} : readOffsetExif(exif).metadata, xmp === undefined ? {} : readXmp(xmp)])
}

function firstItem(data: Uint8Array, file: AvifFile, wanted: typeof isExifItem): Uint8Array | undefined {
  const item = file.items.find(wanted)
  return item === undefined ? undefined : itemData(data, file, item)
}

/**
 * Removes EXIF and XMP items. In a file whose structure is not that of a plain image they are overwritten with zeros
 * instead; those that share their bytes with another item stay there.
 */
export function stripAvif(data: Uint8Array): Uint8Array {
  const file = parseAvif(data)
  if (file === undefined) return data
  const ids = new Set(metadataItems(file).map(({ id }) => id))
  if (ids.size === 0) return data
  return removeAvifItems(data, file, ids) ?? blanked(data, file)
}

function blanked(data: Uint8Array, file: AvifFile): Uint8Array {
  const erased = metadataItems(file).flatMap((item) => ownRanges(data, file, item) ?? [])
  if (erased.every(({ start, end }) => isBlank(data.subarray(start, end)))) return data
  const stripped = data.slice()
  for (const { start, end } of erased) stripped.fill(0, start, end)
  return stripped
}

/**
 * Adds an `Exif` item; where `stripAvif` could only blank an item that is long enough, its bytes are used again. A file
 * that has metadata of its own, a sequence, or a structure that is not understood is returned as it is.
 */
export function writeAvif(data: Uint8Array, metadata: Metadata): Uint8Array {
  const exif = buildWholeExif(metadata)
  const file = exif === undefined ? undefined : parseAvif(data)
  if (exif === undefined || file === undefined) return data
  const blank = metadataItems(file)
  if (blank.some((item) => !isBlank(itemData(data, file, item) ?? new Uint8Array([1])))) return data
  const written = data.slice()
  const block = concatBytes([bigEndian(0, OFFSET_SIZE), exif])
  if (writeInto(written, file, blank.find(isExifItem), block)) return written
  return addAvifItems(written, file, [{ type: 'Exif', description: ascii('\0'), data: block }]) ?? data
}

const metadataItems = (file: AvifFile): Item[] => file.items.filter((item) => isExifItem(item) || isXmpItem(item))

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0)

/** Writes over a blank item; what is left of it stays zero, which readers of EXIF and XMP pass over. */
function writeInto(data: Uint8Array, file: AvifFile, item: Item | undefined, bytes: Uint8Array): boolean {
  const ranges = item === undefined ? undefined : ownRanges(data, file, item)
  const [range] = ranges ?? []
  if (range === undefined || ranges?.length !== 1 || range.end - range.start < bytes.length) return false
  data.set(bytes, range.start)
  return true
}

/** Returns an item's bytes, unless another item reads some of them too. */
function ownRanges(data: Uint8Array, file: AvifFile, item: Item): ReturnType<typeof itemRanges> {
  const ranges = itemRanges(data, file, item)
  const others = file.items.filter(({ id }) => id !== item.id).flatMap((other) => itemRanges(data, file, other) ?? [])
  const shared = ranges?.some((own) => others.some(({ start, end }) => start < own.end && own.start < end))
  return shared === true ? undefined : ranges
}
