/**
 * Items of an AVIF file's `meta` box and where their bytes are. Sources: ISO/IEC 14496-12 section 8.11 (`iinf`, `iloc`,
 * `iref`, `idat`); ISO/IEC 23008-12 annex A (EXIF and XMP items).
 */
import { asciiAt, ByteCursor, concatBytes, hasAscii } from '../../metadata/bytes.ts'
import { parseBoxes } from '../../metadata/isobmff.ts'
import type { Box } from '../../metadata/isobmff.ts'

/** An item of the `meta` box. */
export interface Item {
  id: number
  /** Four characters; of version 0 and 1 entries, which have none: empty. */
  type: string
  /** Media type of a `mime` item, else empty. */
  contentType: string
}

/** Where bytes of an item are counted from. */
export const ORIGIN = { file: 0, idat: 1, item: 2 } as const

/** A run of an item's bytes, counted from the item's origin. */
export interface Extent {
  index: number
  offset: number
  length: number
}

/** The places of one item's bytes, from `iloc`. */
export interface ItemLocation {
  id: number
  /** One of `ORIGIN`; others are reserved. */
  origin: number
  dataReference: number
  base: number
  extents: Extent[]
}

/** An `iloc` box, with the sizes in bytes of its variable fields. */
export interface LocationTable {
  version: number
  offsetSize: number
  lengthSize: number
  baseSize: number
  indexSize: number
  locations: ItemLocation[]
}

/** The boxes of an AVIF file, with what `meta` says of its items. */
export interface AvifFile {
  /** All boxes at the top; they fill the file. */
  boxes: Box[]
  meta: Box
  /** Boxes inside of `meta`; they fill it. */
  children: Box[]
  items: Item[]
  locations: LocationTable
}

/** Items of one file that are looked at, and bytes of one metadata item. */
const MOST_ITEMS = 4096
const LONGEST_ITEM = 4 << 20
const XMP_TYPE = 'application/rdf+xml'

/** Parses the boxes; `undefined` when the file is truncated or has a structure that is not known here. */
export function parseAvif(data: Uint8Array): AvifFile | undefined {
  const boxes = parseBoxes(data, 0, data.length)
  const meta = boxes.find(({ type }) => type === 'meta')
  if (boxes[0]?.type !== 'ftyp' || boxes.at(-1)?.end !== data.length || meta === undefined) return undefined
  // `meta` is a full box: four bytes of version and flags.
  const children = parseBoxes(data, meta.content + 4, meta.end)
  const information = children.find(({ type }) => type === 'iinf')
  const location = children.find(({ type }) => type === 'iloc')
  if (children.at(-1)?.end !== meta.end || information === undefined || location === undefined) return undefined
  const locations = parseLocations(data, location)
  if (locations === undefined) return undefined
  return { boxes, meta, children, items: parseItems(data, information), locations }
}

function parseItems(data: Uint8Array, { content, end }: Box): Item[] {
  const countSize = data[content] === 0 ? 2 : 4
  return parseBoxes(data, content + 4 + countSize, end)
    .filter(({ type }) => type === 'infe')
    .map((box) => parseItem(data, box))
}

function parseItem(data: Uint8Array, { content, end }: Box): Item {
  const version = data[content] ?? 0
  const cursor = new ByteCursor(data, content + 4, end)
  const id = cursor.uint(version >= 3 ? 4 : 2)
  if (version < 2) return { id, type: '', contentType: '' }
  cursor.uint(2)
  const type = asciiAt(data, cursor.at, 4)
  const nameEnd = data.indexOf(0, cursor.at + 4)
  const isXmp = type === 'mime' && nameEnd >= 0 && nameEnd < end && hasAscii(data, nameEnd + 1, `${XMP_TYPE}\0`)
  return { id, type, contentType: isXmp ? XMP_TYPE : '' }
}

function parseLocations(data: Uint8Array, { content, end }: Box): LocationTable | undefined {
  const cursor = new ByteCursor(data, content, end)
  const version = cursor.uint(1)
  if (version > 2) return undefined
  cursor.uint(3)
  const [sizes, more] = [cursor.uint(1), cursor.uint(1)]
  const [offsetSize, lengthSize, baseSize] = [sizes >> 4, sizes & 15, more >> 4]
  const indexSize = version === 0 ? 0 : more & 15
  if ([offsetSize, lengthSize, baseSize, indexSize].some((size) => size !== 0 && size !== 4 && size !== 8)) {
    return undefined
  }
  const count = cursor.uint(version < 2 ? 2 : 4)
  if (count > MOST_ITEMS) return undefined
  const locations: ItemLocation[] = []
  for (let i = 0; i < count && !cursor.overrun; i++) {
    const id = cursor.uint(version < 2 ? 2 : 4)
    const origin = version === 0 ? ORIGIN.file : cursor.uint(2) & 15
    const dataReference = cursor.uint(2)
    const base = cursor.uint(baseSize)
    const extentCount = cursor.uint(2)
    const extents: Extent[] = []
    for (let j = 0; j < extentCount && !cursor.overrun; j++) {
      extents.push({ index: cursor.uint(indexSize), offset: cursor.uint(offsetSize), length: cursor.uint(lengthSize) })
    }
    locations.push({ id, origin, dataReference, base, extents })
  }
  return cursor.overrun ? undefined : { version, offsetSize, lengthSize, baseSize, indexSize, locations }
}

/** Tells whether an item holds EXIF. */
export function isExifItem({ type }: Item): boolean {
  return type === 'Exif'
}

/** Tells whether an item holds XMP. */
export function isXmpItem({ contentType }: Item): boolean {
  return contentType === XMP_TYPE
}

/** Returns the bytes of an item, or `undefined` when they are not all there. */
export function itemData(data: Uint8Array, file: AvifFile, item: Item): Uint8Array | undefined {
  const ranges = itemRanges(data, file, item)
  return ranges === undefined ? undefined : concatBytes(ranges.map(({ start, end }) => data.subarray(start, end)))
}

/** Where in the file an item's bytes are, in their order, or `undefined` when they are not all there. */
export function itemRanges(
  data: Uint8Array,
  file: AvifFile,
  item: Item,
): readonly { start: number; end: number }[] | undefined {
  const location = file.locations.locations.find(({ id }) => id === item.id)
  const idat = file.children.find(({ type }) => type === 'idat')
  if (location === undefined || location.dataReference !== 0) return undefined
  const from =
    location.origin === ORIGIN.file
      ? { start: 0, end: data.length }
      : location.origin === ORIGIN.idat && idat !== undefined
        ? { start: idat.content, end: idat.end }
        : undefined
  if (from === undefined) return undefined
  const ranges: { start: number; end: number }[] = []
  let total = 0
  for (const { offset, length } of location.extents) {
    const start = from.start + location.base + offset
    total += length
    if (length === 0 || start + length > from.end || total > LONGEST_ITEM) return undefined
    ranges.push({ start, end: start + length })
  }
  return ranges
}
