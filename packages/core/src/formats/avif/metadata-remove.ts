/** Removing items from an AVIF file: their entries, what refers to them, and their bytes. */
import { itemRanges, ORIGIN } from './metadata-items.ts'
import type { AvifFile, ItemLocation } from './metadata-items.ts'
import { buildLocations, boxBytes, encodeBox, grownHeader, isEditable } from './metadata-write.ts'
import { bigEndian, concatBytes, uint16, uint32 } from '../../metadata/bytes.ts'
import { parseBoxes } from '../../metadata/isobmff.ts'
import type { Box } from '../../metadata/isobmff.ts'

interface Range {
  start: number
  end: number
}

/**
 * Returns the file without items that nothing but references of their own (`cdsc`) belongs to.
 * @returns `undefined` when the file's structure does not allow it, or other items read some of their bytes
 */
export function removeAvifItems(data: Uint8Array, file: AvifFile, ids: ReadonlySet<number>): Uint8Array | undefined {
  const { boxes, meta, children, locations } = file
  if (!isEditable(data, file) || children.some(({ type }) => type === 'grpl') || isAssociated(data, file, ids)) {
    return undefined
  }
  const gone = bytesOfItems(data, file, ids)
  const kept = locations.locations.filter(({ id }) => !ids.has(id))
  if (gone === undefined || kept.some(({ origin, dataReference }) => origin === ORIGIN.item || dataReference !== 0)) {
    return undefined
  }
  // The size of `meta` does not depend on the offsets in it.
  const build = (moved: readonly ItemLocation[]): Uint8Array => buildMeta(data, file, ids, moved)
  const shrunk = meta.end - meta.start - build(kept).length
  const place = (at: number): number =>
    at - (at >= meta.end ? shrunk : 0) - gone.reduce((sum, { start, end }) => sum + (end <= at ? end - start : 0), 0)
  const moved = kept.map((location) => relocated(location, file, place))
  if (!moved.every((location) => location !== undefined)) return undefined
  const parts: Uint8Array[] = []
  for (const box of boxes) {
    if (box === meta) {
      parts.push(build(moved))
      continue
    }
    const inside = gone.filter(({ start }) => start >= box.content && start < box.end)
    const bytes = inside.reduce((sum, { start, end }) => sum + end - start, 0)
    const header = grownHeader(data, box, -bytes)
    if (header === undefined) return undefined
    const edges = [box.content, ...inside.flatMap(({ start, end }) => [start, end]), box.end]
    parts.push(header)
    for (let at = 0; at < edges.length; at += 2) parts.push(data.subarray(edges[at], edges[at + 1]))
  }
  const bare = concatBytes(parts)
  // A table that says more than its box holds would grow.
  return bare.length < data.length ? bare : undefined
}

/** Where the bytes of items are, in order. `undefined` unless all are in an `mdat`, and nobody else's. */
function bytesOfItems(data: Uint8Array, file: AvifFile, ids: ReadonlySet<number>): readonly Range[] | undefined {
  const own = file.locations.locations.filter(({ id }) => ids.has(id))
  if (own.some(({ origin, dataReference }) => origin !== ORIGIN.file || dataReference !== 0)) return undefined
  const gone: Range[] = []
  const others: Range[] = []
  for (const item of file.items) {
    const ranges = itemRanges(data, file, item)
    if (ranges === undefined) return undefined
    ;(ids.has(item.id) ? gone : others).push(...ranges)
  }
  gone.sort((a, b) => a.start - b.start)
  const overlap = (a: Range, b: Range): boolean => a.start < b.end && b.start < a.end
  const isAlone = gone.every(
    (range, index) =>
      !others.some((other) => overlap(range, other)) && (index === 0 || range.start >= gone[index - 1]!.end),
  )
  const isData = gone.every(({ start, end }) =>
    file.boxes.some((box) => box.type === 'mdat' && box.content <= start && end <= box.end),
  )
  return isAlone && isData ? gone : undefined
}

/** Returns a location after bytes in front of it have gone. */
function relocated(
  location: ItemLocation,
  { locations: { offsetSize } }: AvifFile,
  place: (at: number) => number,
): ItemLocation | undefined {
  if (location.origin !== ORIGIN.file) return location
  const base = place(location.base)
  const extents = location.extents.map((extent) => ({ ...extent, offset: place(location.base + extent.offset) - base }))
  return extents.every(({ offset }) => offset >= 0 && offset < 256 ** offsetSize)
    ? { ...location, base, extents }
    : undefined
}

/** Tells whether an item has properties (`ipma`). Metadata never has any. */
function isAssociated(data: Uint8Array, { children }: AvifFile, ids: ReadonlySet<number>): boolean {
  const tables = children
    .filter(({ type }) => type === 'iprp')
    .flatMap(({ content, end }) => parseBoxes(data, content, end))
    .filter(({ type }) => type === 'ipma')
  for (const { content, end } of tables) {
    const idSize = data[content] === 0 ? 2 : 4
    const size = (data[content + 3]! & 1) + 1
    for (let at = content + 8; at + idSize < end; at += idSize + 1 + data[at + idSize]! * size) {
      if (ids.has(idSize === 2 ? uint16(data, at) : uint32(data, at))) return true
    }
  }
  return false
}

function buildMeta(
  data: Uint8Array,
  { meta, children, locations }: AvifFile,
  ids: ReadonlySet<number>,
  kept: readonly ItemLocation[],
): Uint8Array {
  return encodeBox('meta', [
    data.subarray(meta.content, meta.content + 4),
    ...children.flatMap((child) => {
      if (child.type === 'iinf') return [withoutEntries(data, child, ids)]
      if (child.type === 'iloc') return [buildLocations(locations, kept)]
      if (child.type === 'iref') return withoutReferences(data, child, ids)
      return [boxBytes(data, child)]
    }),
  ])
}

function withoutEntries(data: Uint8Array, { content, end }: Box, ids: ReadonlySet<number>): Uint8Array {
  const countSize = data[content] === 0 ? 2 : 4
  const entries = parseBoxes(data, content + 4 + countSize, end).filter((box) => {
    const at = box.content + 4
    return !ids.has(data[box.content]! >= 3 ? uint32(data, at) : uint16(data, at))
  })
  return encodeBox('iinf', [
    data.subarray(content, content + 4),
    bigEndian(entries.length, countSize),
    ...entries.map((box) => boxBytes(data, box)),
  ])
}

/** Removes references from and to the items; returns no box where none is left. */
function withoutReferences(data: Uint8Array, { content, end }: Box, ids: ReadonlySet<number>): Uint8Array[] {
  const idSize = data[content] === 0 ? 2 : 4
  const idAt = (at: number): number => (idSize === 2 ? uint16(data, at) : uint32(data, at))
  const references = parseBoxes(data, content + 4, end).flatMap((box) => {
    const from = idAt(box.content)
    const count = uint16(data, box.content + idSize)
    const to = Array.from({ length: count }, (_, index) => idAt(box.content + idSize + 2 + index * idSize)).filter(
      (id) => !ids.has(id),
    )
    if (ids.has(from) || to.length === 0) return []
    return [
      encodeBox(
        box.type,
        [from, ...to].map((id, index) =>
          concatBytes([bigEndian(id, idSize), index === 0 ? bigEndian(to.length, 2) : new Uint8Array()]),
        ),
      ),
    ]
  })
  return references.length === 0 ? [] : [encodeBox('iref', [data.subarray(content, content + 4), ...references])]
}
