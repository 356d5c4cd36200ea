/**
 * The files behind the picture of a JPEG: an HDR gain map, other pictures. Sources: CIPA DC-007 (multi-picture
 * format), ISO 21496-1 annex C.4, Ultra HDR Image Format 1.1.
 */
import { asciiAt, hasAscii, uint16, uint32 } from '../../metadata/bytes.ts'
import { segments } from './metadata.ts'
import type { Segment } from './metadata.ts'

/** The markers of EXIF and XMP, and of profiles, lists of pictures and gain maps. */
export const APP1 = 0xe1
/** See `APP1`. */
export const APP2 = 0xe2
const [APP11, EOI, SOS] = [0xeb, 0xd9, 0xda] as const
/** The first bytes of every JPEG. */
const START = Buffer.of(0xff, 0xd8, 0xff)

/** The first bytes of a list of pictures. */
export const MPF_PREFIX = 'MPF\0'
/** The first bytes of XMP. */
export const XMP_PREFIX = 'http://ns.adobe.com/xap/1.0/\0'
/** The first bytes of a gain map's values, and of their version in the picture's own file. */
export const ISO_PREFIX = 'urn:iso:std:iso:ts:21496:-1\0'
/** The namespace of a gain map's values in XMP. */
export const HDR_NAMESPACE = 'http://ns.adobe.com/hdr-gain-map/1.0/'
/** Apple's maps of before ISO 21496-1: what they need stands in the camera's own notes, which are not kept. */
const APPLE_MAP = 'urn:com:apple:photo:2020:aux:hdrgainmap'

/** Tag of the list of pictures, the bytes of each, and the most that are looked at (CIPA DC-007 section 5.2.3). */
const PICTURES_TAG = 0xb002
const PICTURE_BYTES = 16
const MOST_PICTURES = 64

/** Kinds of pictures that are previews of the first, in the low bits of their attributes. */
const KIND_BITS = 0xffffff
const PREVIEWS: ReadonlySet<number> = new Set([0x010001, 0x010002])

/** The pictures behind the first of a file. */
export interface MorePictures {
  /** The file of a gain map that can be kept. */
  readonly gainMap: Uint8Array | undefined
  /** A gain map that cannot be kept. */
  readonly hasOtherMap: boolean
  /** Pictures that are no gain map and no preview of the first one. */
  readonly others: number
}

const NONE: MorePictures = { gainMap: undefined, hasOtherMap: false, others: 0 }

/**
 * Tells whether anything behind the header begins like a JPEG, which compressed data never does: looking through all
 * markers takes six times as long.
 */
function mayHaveMore(jpeg: Uint8Array): boolean {
  const bytes = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength)
  for (const { marker, end } of segments(jpeg)) if (marker === SOS) return bytes.includes(START, end)
  return false
}

/** Finds the pictures behind the first. Never throws. */
export function morePictures(jpeg: Uint8Array): MorePictures {
  if (!mayHaveMore(jpeg)) return NONE
  const all = [...segments(jpeg)]
  let gainMap: Uint8Array | undefined
  let hasOtherMap = false
  let others = 0
  for (const { start, end, isListed } of [...listed(jpeg, all), ...directlyBehind(jpeg, all)]) {
    const file = jpeg.subarray(start, end)
    const kind = kindOfMap(file)
    if (kind === 'known') gainMap ??= file
    else if (kind === 'other') hasOtherMap = true
    else if (isListed) others++
  }
  return { gainMap, hasOtherMap: hasOtherMap && gainMap === undefined, others }
}

/** Tells whether a file has content credentials, in boxes of JPEG's universal metadata (C2PA 2.1, annex A.3.1). */
export const hasCredentials = (jpeg: Uint8Array): boolean => {
  for (const { marker, content, end } of segments(jpeg)) {
    if (marker === SOS) return false
    // The prefix, the number of the box and of the packet, the length and type of the box.
    const isBox = marker === APP11 && hasAscii(jpeg, content, 'JP') && hasAscii(jpeg, content + 12, 'jumb')
    if (isBox && asciiAt(jpeg, content, Math.min(128, end - content)).includes('c2pa')) return true
  }
  return false
}

interface Place {
  readonly start: number
  readonly end: number
  /** The file itself says that this is a picture of its own. */
  readonly isListed: boolean
}

/**
 * Returns the file without its list of pictures. libvips gives a file with a gain map to a decoder of its own, which
 * takes grey pictures for damaged ones and decodes no better.
 */
export function withoutList(jpeg: Uint8Array): Uint8Array {
  const found = listSegment(jpeg, segments(jpeg))
  if (found === undefined) return jpeg
  const copy = Uint8Array.from(jpeg)
  copy.fill(0, found.content, found.content + MPF_PREFIX.length)
  return copy
}

function listSegment(jpeg: Uint8Array, all: Iterable<Segment>): Segment | undefined {
  for (const segment of all) {
    if (segment.marker === SOS) return undefined
    if (segment.marker === APP2 && hasAscii(jpeg, segment.content, MPF_PREFIX)) return segment
  }
  return undefined
}

/** The pictures that the multi-picture format lists, but for the first one and its previews. */
function listed(jpeg: Uint8Array, all: readonly Segment[]): Place[] {
  const found = listSegment(jpeg, all)
  if (found === undefined) return []
  const base = found.content + MPF_PREFIX.length
  const little = hasAscii(jpeg, base, 'II')
  const directory = base + uint32(jpeg, base + 4, little)
  const tags = uint16(jpeg, directory, little)
  for (let tag = 0; tag < Math.min(tags, MOST_PICTURES); tag++) {
    const at = directory + 2 + 12 * tag
    if (uint16(jpeg, at, little) !== PICTURES_TAG) continue
    const count = Math.min(MOST_PICTURES, Math.floor(uint32(jpeg, at + 4, little) / PICTURE_BYTES))
    const list = base + uint32(jpeg, at + 8, little)
    return Array.from({ length: count }, (_, index) => list + index * PICTURE_BYTES)
      .slice(1)
      .filter((entry) => !PREVIEWS.has(uint32(jpeg, entry, little) & KIND_BITS))
      .map((entry) => {
        const start = base + uint32(jpeg, entry + 8, little)
        return { start, end: Math.min(jpeg.length, start + uint32(jpeg, entry + 4, little)), isListed: true }
      })
      .filter(({ start, end }) => start < end && uint16(jpeg, start) === 0xffd8)
  }
  return []
}

/** A picture that begins where the first ends: early files list theirs in XMP alone. */
function directlyBehind(jpeg: Uint8Array, all: readonly Segment[]): Place[] {
  const last = all.at(-1)
  if (last?.marker !== EOI || uint16(jpeg, last.end) !== 0xffd8) return []
  const own = [...segments(jpeg.subarray(last.end))].at(-1)
  return own?.marker === EOI ? [{ start: last.end, end: last.end + own.end, isListed: false }] : []
}

function kindOfMap(file: Uint8Array): 'known' | 'other' | undefined {
  let kind: 'known' | 'other' | undefined
  for (const { marker, content, end } of segments(file)) {
    if (marker === SOS) break
    if (isMapValues(file, { marker, content, end })) return 'known'
    if (marker === APP1 && latin1(file, content, end).includes(APPLE_MAP)) kind = 'other'
  }
  return kind
}

/** Tells whether a segment of a gain map's file has the values by which it is applied. */
export function isMapValues(
  file: Uint8Array,
  { marker, content, end }: Pick<Segment, 'marker' | 'content' | 'end'>,
): boolean {
  if (marker === APP2) return hasAscii(file, content, ISO_PREFIX)
  return marker === APP1 && hasAscii(file, content, XMP_PREFIX) && latin1(file, content, end).includes(HDR_NAMESPACE)
}

const latin1 = (data: Uint8Array, start: number, end: number): string =>
  Buffer.from(data.buffer, data.byteOffset + start, end - start).toString('latin1')
