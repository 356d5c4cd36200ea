/** Adding items to an AVIF file: `iinf`, `iloc` and `iref` grow, and what lies behind `meta` moves. */
import { ORIGIN } from './metadata-items.ts'
import type { AvifFile, Extent, ItemLocation, LocationTable } from './metadata-items.ts'
import { ascii, bigEndian, concatBytes, uint16, uint32 } from '../../metadata/bytes.ts'
import type { Box } from '../../metadata/isobmff.ts'

/** An item that is to be added. */
export interface NewItem {
  type: 'Exif' | 'mime'
  /** The rest of the item's entry after its type: the name and, for `mime`, the media type, each with a NUL. */
  description: Uint8Array
  data: Uint8Array
}

interface NumberedItem extends NewItem {
  id: number
}

/** Boxes that can stand at the top without holding offsets into the file. */
const MOVABLE: ReadonlySet<string> = new Set(['ftyp', 'meta', 'mdat', 'free', 'skip'])
/** Boxes inside of `meta` that grow. */
const GROWING = ['iinf', 'iloc', 'iref'] as const

/** The largest identifier, and number of items, that the 16-bit fields of all versions hold. */
const MOST = 0xffff
const BOX_HEADER_SIZE = 8
const FULL_BOX_HEADER_SIZE = 12

/**
 * Returns the file with items that describe its primary item; their bytes go to the end, into the last `mdat`.
 * @returns `undefined` when the file's structure does not allow it.
 */
export function addAvifItems(data: Uint8Array, file: AvifFile, added: readonly NewItem[]): Uint8Array | undefined {
  const last = file.boxes.at(-1)
  const primary = primaryItem(data, file)
  if (last === undefined || primary === undefined || !isEditable(data, file)) return undefined
  const ids = [primary, ...file.items.map(({ id }) => id), ...file.locations.locations.map(({ id }) => id)]
  const firstId = Math.max(...ids) + 1
  const items: NumberedItem[] = added.map((item, i) => ({ ...item, id: firstId + i }))
  if (firstId + items.length > MOST) return undefined

  // The size of `meta` does not depend on the offsets in it, so it is built twice: to be measured, and for good.
  const build = (locations: readonly ItemLocation[]): Uint8Array => buildMeta(data, file, { items, primary, locations })
  const measured = build([...file.locations.locations, ...placeItems(items, 0)])
  const growth = measured.length - (file.meta.end - file.meta.start)
  const moved = moveLocations(file, growth)
  const dataAt = data.length + growth + (last.type === 'mdat' ? 0 : BOX_HEADER_SIZE)
  const payload = concatBytes(items.map((item) => item.data))
  if (moved === undefined || dataAt + payload.length >= 256 ** file.locations.offsetSize) return undefined
  const meta = build([...moved, ...placeItems(items, dataAt)])

  const before = file.boxes.filter((box) => box !== last).map((box) => (box === file.meta ? meta : boxBytes(data, box)))
  if (last.type !== 'mdat') {
    return concatBytes([...before, last === file.meta ? meta : boxBytes(data, last), encodeBox('mdat', [payload])])
  }
  const header = grownHeader(data, last, payload.length)
  return header && concatBytes([...before, header, data.subarray(last.content, last.end), payload])
}

/** Returns the bytes of a whole box, its header included. */
export function boxBytes(data: Uint8Array, { start, end }: Box): Uint8Array {
  return data.subarray(start, end)
}

/** Returns the item that `pitm` names. */
export function primaryItem(data: Uint8Array, file: AvifFile): number | undefined {
  const pitm = file.children.find(({ type }) => type === 'pitm')
  if (pitm === undefined) return undefined
  return data[pitm.content] === 0 ? uint16(data, pitm.content + 4) : uint32(data, pitm.content + 4)
}

/**
 * Tells whether the boxes that change have the plain form that all encoders write, and no other box holds file offsets.
 */
export function isEditable(data: Uint8Array, file: AvifFile): boolean {
  const { boxes, meta, children, locations } = file
  const growing = children.filter(({ type }) => (GROWING as readonly string[]).includes(type))
  const isPlain = ({ start, content }: Box): boolean => content - start === BOX_HEADER_SIZE && uint32(data, start) !== 0
  const information = growing.find(({ type }) => type === 'iinf')
  return (
    boxes.every(({ type }) => MOVABLE.has(type)) &&
    boxes.filter(({ type }) => type === 'meta').length === 1 &&
    new Set(growing.map(({ type }) => type)).size === growing.length &&
    [meta, ...growing].every(isPlain) &&
    boxes.every((each) => each.type === 'mdat' || uint32(data, each.start) !== 0) &&
    information !== undefined &&
    itemCount(data, information) === file.items.length &&
    locations.locations.length < MOST &&
    locations.offsetSize >= 4 &&
    locations.lengthSize >= 4
  )
}

function itemCount(data: Uint8Array, { content }: Box): number {
  return data[content] === 0 ? uint16(data, content + 4) : uint32(data, content + 4)
}

/** Returns the header of a box with more bytes in it, or fewer; `undefined` when its size field cannot hold them. */
export function grownHeader(data: Uint8Array, mdat: Box, added: number): Uint8Array | undefined {
  const header = data.slice(mdat.start, mdat.content)
  const size = mdat.end - mdat.start + added
  const field = uint32(data, mdat.start)
  if (field === 1) header.set(bigEndian(size, 8), 8)
  else if (field !== 0) header.set(bigEndian(size, 4))
  return field > 1 && size >= 2 ** 32 ? undefined : header
}

function placeItems(items: readonly NumberedItem[], start: number): ItemLocation[] {
  let at = start
  return items.map(({ id, data }) => {
    const extents: Extent[] = [{ index: 0, offset: at, length: data.length }]
    at += data.length
    return { id, origin: ORIGIN.file, dataReference: 0, base: 0, extents }
  })
}

/** Locations after `meta` has grown; `undefined` when one is not known or would lie inside of `meta`. */
export function moveLocations({ meta, locations }: AvifFile, growth: number): ItemLocation[] | undefined {
  const moved: ItemLocation[] = []
  for (const location of locations.locations) {
    if (location.origin !== ORIGIN.file || location.dataReference !== 0) {
      moved.push(location)
      continue
    }
    const extents: Extent[] = []
    for (const extent of location.extents) {
      const start = location.base + extent.offset
      const isBefore = start + extent.length <= meta.start
      const offset = isBefore ? extent.offset : extent.offset + growth
      if (extent.length === 0 || (!isBefore && start < meta.end)) return undefined
      if (!Number.isSafeInteger(start) || offset >= 256 ** locations.offsetSize) return undefined
      extents.push({ ...extent, offset })
    }
    moved.push({ ...location, extents })
  }
  return moved
}

/** Changes of `meta`: the items that are added, the item that they describe, and the locations of all. */
interface MetaChange {
  readonly items: readonly NumberedItem[]
  readonly primary: number
  readonly locations: readonly ItemLocation[]
}

function buildMeta(data: Uint8Array, file: AvifFile, { items, primary, locations }: MetaChange): Uint8Array {
  const { meta, children } = file
  const hasReferences = children.some(({ type }) => type === 'iref')
  return encodeBox('meta', [
    data.subarray(meta.content, meta.content + 4),
    ...children.map((child) => {
      if (child.type === 'iinf') return buildInformation(data, child, items)
      if (child.type === 'iloc') return buildLocations(file.locations, locations)
      if (child.type === 'iref') return buildReferences(data, child, items, primary)
      return boxBytes(data, child)
    }),
    ...(hasReferences ? [] : [buildReferences(data, undefined, items, primary)]),
  ])
}

function buildInformation(data: Uint8Array, iinf: Box, items: readonly NumberedItem[]): Uint8Array {
  const countSize = data[iinf.content] === 0 ? 2 : 4
  const entries = items.map(({ id, type, description }) =>
    // Version 2: identifier, no protection, type, name.
    encodeFullBox('infe', 2, [bigEndian(id, 2), bigEndian(0, 2), ascii(type), description]),
  )
  return encodeBox('iinf', [
    data.subarray(iinf.content, iinf.content + 4),
    bigEndian(itemCount(data, iinf) + items.length, countSize),
    data.subarray(iinf.content + 4 + countSize, iinf.end),
    ...entries,
  ])
}

/** Builds an `iloc` box from a table's field sizes and new locations. */
export function buildLocations(table: LocationTable, locations: readonly ItemLocation[]): Uint8Array {
  const { version, offsetSize, lengthSize, baseSize, indexSize } = table
  const idSize = version < 2 ? 2 : 4
  const entries = locations.flatMap(({ id, origin, dataReference, base, extents }) => [
    bigEndian(id, idSize),
    bigEndian(origin, version === 0 ? 0 : 2),
    bigEndian(dataReference, 2),
    bigEndian(base, baseSize),
    bigEndian(extents.length, 2),
    ...extents.flatMap(({ index, offset, length }) => [
      bigEndian(index, indexSize),
      bigEndian(offset, offsetSize),
      bigEndian(length, lengthSize),
    ]),
  ])
  const sizes = Uint8Array.of((offsetSize << 4) | lengthSize, (baseSize << 4) | indexSize)
  return encodeFullBox('iloc', version, [sizes, bigEndian(locations.length, idSize), ...entries])
}

/** References of type `cdsc`, "describes content", from each item to the primary one; an existing box grows. */
function buildReferences(
  data: Uint8Array,
  iref: Box | undefined,
  items: readonly NumberedItem[],
  primary: number,
): Uint8Array {
  const version = iref === undefined ? 0 : (data[iref.content] ?? 0)
  const idSize = version === 0 ? 2 : 4
  const references = items.map(({ id }) =>
    encodeBox('cdsc', [bigEndian(id, idSize), bigEndian(1, 2), bigEndian(primary, idSize)]),
  )
  if (iref === undefined) return encodeFullBox('iref', 0, references)
  return encodeBox('iref', [data.subarray(iref.content, iref.end), ...references])
}

/** Builds a box from its type and content. */
export function encodeBox(type: string, content: readonly Uint8Array[]): Uint8Array {
  const size = content.reduce((sum, part) => sum + part.length, BOX_HEADER_SIZE)
  return concatBytes([bigEndian(size, 4), ascii(type), ...content])
}

function encodeFullBox(type: string, version: number, content: readonly Uint8Array[]): Uint8Array {
  const versionAndFlags = new Uint8Array(FULL_BOX_HEADER_SIZE - BOX_HEADER_SIZE)
  versionAndFlags[0] = version
  return encodeBox(type, [versionAndFlags, ...content])
}
