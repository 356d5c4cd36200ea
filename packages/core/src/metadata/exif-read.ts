import { hasAscii, uint16, uint32 } from './bytes.ts'
import { parseCreation } from './creation.ts'
import { ENTRY_SIZE, TAG, TYPE } from './exif-format.ts'
import { readPhotoshop } from './photoshop.ts'
import { mergeMetadata } from './select.ts'
import { decodeText } from './text.ts'
import type { GeoLocation, Metadata, Rational, Sexagesimal } from './types.ts'
import type { Size } from '../resample/size.ts'

/** The fields of EXIF by which browsers show a picture. */
export interface ShownByExif {
  /** 1 to 8 (Exif 2.32 section 4.6.4); 1 if there is none that browsers apply. */
  readonly orientation: number
  /**
   * The size in CSS pixels that browsers give the stored picture instead of its own pixels: the EXIF dimensions, where
   * they agree with the resolution.
   */
  readonly size: Size | undefined
}

/** The content of an EXIF block. */
export interface ExifContent {
  metadata: Metadata
  /** 1 to 8; 1 when absent or not one of these. */
  orientation: number
}

/**
 * Reads an EXIF block, with or without the `Exif\0\0` in front. Three directories are looked at, each once: whatever
 * loops or nesting a file claims, it is never followed.
 */
export function readExif(block: Uint8Array): ExifContent {
  const reader = openTiff(block)
  if (reader === undefined) return { metadata: {}, orientation: 1 }
  const root = reader.directory(reader.uint32(4))
  const text = root.text(TAG.copyright)
  const exif = root.subdirectory(TAG.exifIfd)
  const creation = exif?.creation(TAG.dateTimeOriginal) ?? exif?.creation(TAG.dateTimeDigitized)
  const gps = root.subdirectory(TAG.gpsIfd)
  const location = gps === undefined ? undefined : readLocation(gps)
  const resources = root.bytes(TAG.imageResources)
  const own: Metadata = {
    ...(text !== undefined && { copyright: { text } }),
    ...(creation !== undefined && { creation }),
    ...(location !== undefined && { location }),
  }
  return {
    metadata: resources === undefined ? own : mergeMetadata([own, readPhotoshop(resources)]),
    orientation: readFields(reader).orientation ?? 1,
  }
}

function openTiff(block: Uint8Array): TiffReader | undefined {
  // Readers differ on the sixth byte of the prefix, writers too; it is ignored.
  const tiff = hasAscii(block, 0, 'Exif\0') ? block.subarray(6) : block
  const littleEndian = hasAscii(tiff, 0, 'II*\0')
  return littleEndian || hasAscii(tiff, 0, 'MM\0*') ? new TiffReader(tiff, littleEndian) : undefined
}

/** Resolutions are per inch with this unit, and 72 of them are a CSS pixel's. */
const INCHES = 2
const CSS_RESOLUTION = 72

/**
 * Reads what browsers take from EXIF to show a picture. It does as Chromium: the first value that is allowed counts, in
 * the order of the entries, and the EXIF directory comes where its pointer stands.
 * @param stored pixels of the picture; its own size is not corrected without them
 */
export function readShownByExif(block: Uint8Array, stored?: Size): ShownByExif {
  const reader = openTiff(block)
  const { orientation = 1, unit, x, y, width, height } = reader === undefined ? {} : readFields(reader)
  if (stored === undefined || unit !== INCHES || !x || !y || !width || !height) return { orientation, size: undefined }
  const agrees =
    Math.round((stored.width * CSS_RESOLUTION) / x) === width &&
    Math.round((stored.height * CSS_RESOLUTION) / y) === height
  const isOther = width !== stored.width || height !== stored.height
  return { orientation, size: agrees && isOther ? { width, height } : undefined }
}

/** Fields by which browsers show a picture, as they are stored. */
interface ShownFields extends Partial<Size> {
  orientation?: number
  unit?: number
  x?: number
  y?: number
}

function readFields(reader: TiffReader): ShownFields {
  const found: ShownFields = {}
  let hasFollowed = false
  const read = (offset: number): void => {
    for (const { tag, type, count, at } of reader.entries(offset)) {
      if (count !== 1) continue
      if (type === TYPE.short || type === TYPE.long) {
        const value = type === TYPE.short ? reader.uint16(at) : reader.uint32(at)
        if (tag === TAG.pixelWidth) found.width ??= value
        else if (tag === TAG.pixelHeight) found.height ??= value
        else if (type === TYPE.short && tag === TAG.resolutionUnit) found.unit ??= value
        else if (type === TYPE.short && tag === TAG.orientation && value >= 1 && value <= 8) found.orientation ??= value
        else if (type === TYPE.long && tag === TAG.exifIfd && !hasFollowed) {
          hasFollowed = true
          read(value)
        }
      } else if (type === TYPE.rational) {
        const place = reader.uint32(at)
        const value = reader.uint32(place) / reader.uint32(place + 4)
        if (tag === TAG.xResolution) found.x ??= value
        else if (tag === TAG.yResolution) found.y ??= value
      }
    }
  }
  read(reader.uint32(4))
  return found
}

/** Reads an EXIF block behind the four-byte offset of its TIFF structure, as HEIF and JPEG XL have it. */
export function readOffsetExif(block: Uint8Array): ExifContent {
  return readExif(block.subarray(4 + uint32(block, 0)))
}

interface Entry {
  tag: number
  type: number
  count: number
  /** Where the four bytes of value or offset are. */
  at: number
}

class TiffReader {
  readonly tiff: Uint8Array
  readonly littleEndian: boolean

  constructor(tiff: Uint8Array, littleEndian: boolean) {
    this.tiff = tiff
    this.littleEndian = littleEndian
  }

  directory(offset: number): Directory {
    const entries = new Map<number, Entry>()
    for (const entry of this.entries(offset)) if (!entries.has(entry.tag)) entries.set(entry.tag, entry)
    return new Directory(this, entries)
  }

  *entries(offset: number): Generator<Entry, void, void> {
    const end = Math.min(offset + 2 + this.uint16(offset) * ENTRY_SIZE, this.tiff.length)
    for (let at = offset + 2; at + ENTRY_SIZE <= end; at += ENTRY_SIZE) {
      yield { tag: this.uint16(at), type: this.uint16(at + 2), count: this.uint32(at + 4), at: at + 8 }
    }
  }

  uint16(at: number): number {
    return uint16(this.tiff, at, this.littleEndian)
  }

  uint32(at: number): number {
    return uint32(this.tiff, at, this.littleEndian)
  }
}

class Directory {
  readonly #reader: TiffReader
  readonly #entries: ReadonlyMap<number, Entry>

  constructor(reader: TiffReader, entries: ReadonlyMap<number, Entry>) {
    this.#reader = reader
    this.#entries = entries
  }

  text(tag: number): string | undefined {
    const entry = this.#entries.get(tag)
    if (entry === undefined || (entry.type !== TYPE.ascii && entry.type !== TYPE.utf8)) return undefined
    const at = entry.count <= 4 ? entry.at : this.#reader.uint32(entry.at)
    const end = at + entry.count
    return end > this.#reader.tiff.length ? undefined : decodeText(this.#reader.tiff.subarray(at, end))
  }

  bytes(tag: number): Uint8Array | undefined {
    const entry = this.#entries.get(tag)
    if (entry === undefined || (entry.type !== TYPE.byte && entry.type !== TYPE.undefined)) return undefined
    const at = entry.count <= 4 ? entry.at : this.#reader.uint32(entry.at)
    const end = at + entry.count
    return end > this.#reader.tiff.length ? undefined : this.#reader.tiff.subarray(at, end)
  }

  creation(tag: number): string | undefined {
    const text = this.text(tag)
    return text === undefined ? undefined : parseCreation(text)
  }

  angle(tag: number): Sexagesimal | undefined {
    const entry = this.#entries.get(tag)
    if (entry?.type !== TYPE.rational || entry.count !== 3) return undefined
    const at = this.#reader.uint32(entry.at)
    if (at + 24 > this.#reader.tiff.length) return undefined
    const rational = (start: number): Rational => [this.#reader.uint32(start), this.#reader.uint32(start + 4)]
    const degrees = rational(at)
    // Cameras without a fix write 0/0.
    return degrees[1] === 0 ? undefined : [degrees, rational(at + 8), rational(at + 16)]
  }

  subdirectory(tag: number): Directory | undefined {
    const entry = this.#entries.get(tag)
    if (entry === undefined) return undefined
    return this.#reader.directory(this.#reader.uint32(entry.at))
  }
}

function readLocation(gps: Directory): GeoLocation | undefined {
  const latitudeRef = gps.text(TAG.latitudeRef)?.toUpperCase()
  const longitudeRef = gps.text(TAG.longitudeRef)?.toUpperCase()
  const latitude = gps.angle(TAG.latitude)
  const longitude = gps.angle(TAG.longitude)
  if (latitudeRef !== 'N' && latitudeRef !== 'S') return undefined
  if (longitudeRef !== 'E' && longitudeRef !== 'W') return undefined
  if (latitude === undefined || longitude === undefined) return undefined
  return { latitudeRef, latitude, longitudeRef, longitude }
}
