/**
 * JPEG: a sequence of segments. Sources: ITU-T T.81 annex B; Exif 2.32 section 4.7; XMP Specification Part 3 section
 * 1.1.3.
 */
import { ascii, bigEndian, concatBytes, hasAscii, uint16 } from '../../metadata/bytes.ts'
import { EXIF_PREFIX } from '../../metadata/exif-format.ts'
import { readExif, readShownByExif } from '../../metadata/exif-read.ts'
import type { ShownByExif } from '../../metadata/exif-read.ts'
import { buildExif } from '../../metadata/exif-write.ts'
import type { ExifItems } from '../../metadata/exif-write.ts'
import { buildPhotoshop, PHOTOSHOP_PREFIX, readPhotoshop } from '../../metadata/photoshop.ts'
import { mergeMetadata } from '../../metadata/select.ts'
import type { Metadata } from '../../metadata/types.ts'
import { readXmp } from '../../metadata/xmp.ts'
import type { Size } from '../../resample/size.ts'

const MARKER = { tem: 0x01, rst0: 0xd0, soi: 0xd8, eoi: 0xd9, sos: 0xda, app0: 0xe0, com: 0xfe } as const
const [APP1, APP2, APP13, APP14, APP15] = [0xe1, 0xe2, 0xed, 0xee, 0xef] as const
/** Stands for the entropy-coded data that follows an SOS segment, which has no marker. */
export const SCAN_DATA = 0

const EXIF_START = 'Exif\0'
/** The first bytes of XMP. */
export const XMP_PREFIX = 'http://ns.adobe.com/xap/1.0/\0'
const ICC_PREFIX = 'ICC_PROFILE\0'

/** Segments of one file that are looked at: a progressive file has a few hundred, a hostile one millions. */
const MOST_SEGMENTS = 65_536

/** A segment of a JPEG file. */
export interface Segment {
  /** Second byte of the marker, or `SCAN_DATA`. */
  marker: number
  /** The start of the marker, or of the fill bytes in front of it. */
  start: number
  /** The start of the bytes after marker and length. */
  content: number
  end: number
}

/**
 * Segments in order, with EOI as the last. Ends without EOI where the file does, at something that is not a segment,
 * and where there are too many.
 */
export function* segments(data: Uint8Array): Generator<Segment, void, void> {
  if (data[0] !== 0xff || data[1] !== MARKER.soi) return
  let at = 2
  for (let count = 0; data[at] === 0xff && count < MOST_SEGMENTS; count++) {
    const start = at
    while (data[at] === 0xff) at++
    const marker = data[at] ?? 0
    const content = at + 3
    if (marker === MARKER.eoi) {
      yield { marker, start, content: at + 1, end: at + 1 }
      return
    }
    if (marker === MARKER.tem || (marker >= MARKER.rst0 && marker <= MARKER.soi) || marker === 0) return
    const length = uint16(data, at + 1)
    const end = at + 1 + length
    if (length < 2 || end > data.length) return
    yield { marker, start, content, end }
    at = end
    if (marker === MARKER.sos) {
      at = endOfScan(data, end)
      yield { marker: SCAN_DATA, start: end, content: end, end: at }
    }
  }
}

/** Markers from 0xc0 to 0xcf that begin no frame: DHT, JPG and DAC. */
const NO_FRAMES: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc])

/** Returns where the first frame's header begins (ITU-T T.81 annex B.2.2); `undefined` where a scan comes first. */
function firstFrame(source: Uint8Array): number | undefined {
  for (const { marker, content } of segments(source)) {
    if (marker === MARKER.sos) return undefined
    if (marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.has(marker)) return content
  }
  return undefined
}

/** Returns the size of the first frame; `undefined` where it is not known before the scan. */
export function claimedJpegSize(source: Uint8Array): Size | undefined {
  const frame = firstFrame(source)
  if (frame === undefined) return undefined
  const [height, width] = [uint16(source, frame + 1), uint16(source, frame + 3)]
  return height === 0 ? undefined : { width, height }
}

/** Tells whether all three components of a file have as many samples: 4:4:4. */
export function hasFullChroma(source: Uint8Array): boolean {
  const frame = firstFrame(source)
  if (frame === undefined || source[frame + 5] !== 3) return false
  const [first, ...others] = [7, 10, 13].map((at) => source[frame + at])
  return others.every((each) => each === first)
}

/** Where the marker behind entropy-coded data is. Stuffed zeros and restart markers belong to the data. */
function endOfScan(data: Uint8Array, start: number): number {
  for (let at = data.indexOf(0xff, start); at >= 0; at = data.indexOf(0xff, at + 1)) {
    const next = data[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && !(next >= MARKER.rst0 && next < MARKER.soi)) return at
  }
  return data.length
}

/** Returns the segments in front of the first scan, which is where metadata is. */
export function headerSegments(data: Uint8Array): Segment[] {
  const header: Segment[] = []
  for (const segment of segments(data)) {
    if (segment.marker === MARKER.sos) break
    header.push(segment)
  }
  return header
}

/** Tells whether a segment has EXIF. */
export const isExif = (data: Uint8Array, { marker, content }: Segment): boolean =>
  marker === APP1 && hasAscii(data, content, EXIF_START)

function exifOf(data: Uint8Array, header: readonly Segment[]): Segment | undefined {
  return header.find((segment) => isExif(data, segment))
}

/** Reads the metadata of a JPEG. */
export function readJpeg(data: Uint8Array): Metadata {
  const header = headerSegments(data)
  const withPrefix = (marker: number, prefix: string): Uint8Array[] =>
    header
      .filter((segment) => segment.marker === marker && hasAscii(data, segment.content, prefix))
      .map(({ content, end }) => data.subarray(content + prefix.length, end))
  const exif = exifOf(data, header)
  const [xmp] = withPrefix(APP1, XMP_PREFIX)
  const resources = withPrefix(APP13, PHOTOSHOP_PREFIX)
  return mergeMetadata([
    exif === undefined ? {} : readExif(data.subarray(exif.content, exif.end)).metadata,
    xmp === undefined ? {} : readXmp(xmp),
    resources.length === 0 ? {} : readPhotoshop(concatBytes(resources)),
  ])
}

const NOT_SHOWN: ShownByExif = { orientation: 1, size: undefined }

/** Reads what browsers take from the EXIF of a JPEG: that of the first block, if its header is whole. */
function shownByExif(data: Uint8Array): ShownByExif {
  const exif = exifOf(data, headerSegments(data))
  return exif === undefined ? NOT_SHOWN : readShownByExif(data.subarray(exif.content, exif.end), claimedJpegSize(data))
}

/** Tells whether browsers turn or scale a JPEG by EXIF. */
export function isShownByExif(data: Uint8Array): boolean {
  const { orientation, size } = shownByExif(data)
  return orientation !== 1 || size !== undefined
}

/** Reads the EXIF orientation of a JPEG; 1 where it has none. */
export function readJpegOrientation(data: Uint8Array): number {
  return shownByExif(data).orientation
}

/**
 * Reads the size in CSS pixels, upright, that browsers give a JPEG by its EXIF resolution; `undefined` where it is that
 * of its pixels. Chromium does so for no other format.
 */
export function shownSizeOfJpeg(data: Uint8Array): Size | undefined {
  const { orientation, size } = shownByExif(data)
  return size && sideways(size, orientation)
}

/** Makes browsers show a JPEG at this size, upright, whatever its pixels. */
export function jpegShownAt(data: Uint8Array, size: Size): Uint8Array {
  const stored = claimedJpegSize(data)
  const { orientation } = shownByExif(data)
  return stored === undefined
    ? data
    : withExif(data, { orientation, shownAt: { size: sideways(size, orientation), stored } })
}

const sideways = ({ width, height }: Size, orientation: number): Size =>
  orientation >= 5 ? { width: height, height: width } : { width, height }

/** Returns the fields of EXIF that browsers apply. */
function shownItems(data: Uint8Array): Pick<ExifItems, 'orientation' | 'shownAt'> {
  const { orientation, size } = shownByExif(data)
  const stored = claimedJpegSize(data)
  return { orientation, ...(size && stored && { shownAt: { size, stored } }) }
}

/** Writes APP1 with EXIF behind the APP0 segments, in place of another. */
function withExif(data: Uint8Array, items: ExifItems, others: readonly Uint8Array[] = []): Uint8Array {
  const header = headerSegments(data)
  const exif = buildExif(items)
  const firstOther = header.find(({ marker }) => marker !== MARKER.app0)
  const insertAt = firstOther?.start ?? header.at(-1)?.end ?? 2
  const replaced = exif === undefined ? undefined : exifOf(data, header)
  return concatBytes([
    data.subarray(0, insertAt),
    ...(exif === undefined ? [] : [exifSegment(exif)]),
    ...others,
    ...(replaced === undefined
      ? [data.subarray(insertAt)]
      : [data.subarray(insertAt, replaced.start), data.subarray(replaced.end)]),
  ])
}

/**
 * Writes APP1 with EXIF and APP13 with flag and URL behind the APP0 segments. It keeps the fields that browsers apply.
 */
export function writeJpeg(data: Uint8Array, metadata: Metadata): Uint8Array {
  if (headerSegments(data).length === 0) return data
  const { copyright, creation, location } = metadata
  const photoshop = buildPhotoshop(copyright)
  const hasExifItem = copyright?.text !== undefined || creation !== undefined || location !== undefined
  if (!hasExifItem && photoshop === undefined) return data
  const items = { ...shownItems(data), copyrightText: copyright?.text, creation, location }
  return withExif(
    data,
    hasExifItem ? items : {},
    photoshop === undefined ? [] : [encodeSegment(APP13, concatBytes([ascii(PHOTOSHOP_PREFIX), photoshop]))],
  )
}

/**
 * Removes comments, application segments and everything behind EOI, where phones keep previews, depth maps and videos.
 * Kept: what decides about colours (JFIF, ICC, Adobe), and what browsers take from EXIF.
 */
export function stripJpeg(data: Uint8Array): Uint8Array {
  const all = [...segments(data)]
  const last = all.at(-1)
  if (last?.marker !== MARKER.eoi || !all.some(({ marker }) => marker === MARKER.sos)) return data
  const exif = exifOf(data, headerSegments(data))
  const kept: Uint8Array[] = [data.subarray(0, 2)]
  for (const each of all) {
    const whole = data.subarray(each.start, each.end)
    if (exif !== undefined && each.start === exif.start) {
      const shown = buildExif(shownItems(data))
      if (shown === undefined) continue
      const minimal = exifSegment(shown)
      kept.push(minimal.length < whole.length ? minimal : whole)
    } else if (!isDropped(data, each)) {
      kept.push(whole)
    }
  }
  const stripped = concatBytes(kept)
  return stripped.length < data.length ? stripped : data
}

/**
 * Finds the application segments in front of the scan that decide about colours, except JFIF's, which may tell of a
 * preview as well.
 */
export function colourSegments(data: Uint8Array): {
  readonly segments: readonly Uint8Array[]
  readonly isJfif: boolean
} {
  const kept = headerSegments(data).filter(
    (segment) => segment.marker >= MARKER.app0 && segment.marker <= APP15 && !isDropped(data, segment),
  )
  return {
    segments: kept.filter(({ marker }) => marker !== MARKER.app0).map(({ start, end }) => data.subarray(start, end)),
    isJfif: kept.some(({ marker }) => marker === MARKER.app0),
  }
}

function isDropped(data: Uint8Array, { marker, content }: Segment): boolean {
  if (marker === MARKER.com) return true
  if (marker < MARKER.app0 || marker > APP15) return false
  if (marker === MARKER.app0) return !hasAscii(data, content, 'JFIF\0')
  if (marker === APP2) return !hasAscii(data, content, ICC_PREFIX)
  if (marker === APP14) return !hasAscii(data, content, 'Adobe')
  return true
}

/** Returns an APP1 segment with EXIF. */
function exifSegment(tiff: Uint8Array): Uint8Array {
  return encodeSegment(APP1, concatBytes([ascii(EXIF_PREFIX), tiff]))
}

/** Returns a segment of an application. */
export function encodeSegment(marker: number, content: Uint8Array): Uint8Array {
  return concatBytes([Uint8Array.of(0xff, marker), bigEndian(content.length + 2, 2), content])
}
