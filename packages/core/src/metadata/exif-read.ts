import { hasAscii, uint16, uint32 } from './bytes.ts'
import { parseCreation } from './creation.ts'
import { ENTRY_SIZE, TAG, TYPE } from './exif-format.ts'
import { readPhotoshop } from './photoshop.ts'
import { mergeMetadata } from './select.ts'
import { decodeText } from './text.ts'
import type { GeoLocation, Metadata, Rational, Sexagesimal } from './types.ts'

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
  // Readers differ on the sixth byte of the prefix, writers too; it is ignored.
  const tiff = hasAscii(block, 0, 'Exif\0') ? block.subarray(6) : block
  const littleEndian = hasAscii(tiff, 0, 'II*\0')
  if (!littleEndian && !hasAscii(tiff, 0, 'MM\0*')) return { metadata: {}, orientation: 1 }
  const reader = new TiffReader(tiff, littleEndian)
  const root = reader.directory(uint32(tiff, 4, littleEndian))
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
    orientation: root.orientation(),
  }
}

/** Reads an EXIF block behind the four-byte offset of its TIFF structure, as HEIF and JPEG XL have it. */
export function readOffsetExif(block: Uint8Array): ExifContent {
  return readExif(block.subarray(4 + uint32(block, 0)))
}

interface Entry {
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
    const count = uint16(this.tiff, offset, this.littleEndian)
    const claimedEnd = offset + 2 + count * ENTRY_SIZE
    const end = Math.min(claimedEnd, this.tiff.length)
    for (let at = offset + 2; at + ENTRY_SIZE <= end; at += ENTRY_SIZE) {
      const tag = this.uint16(at)
      if (!entries.has(tag)) entries.set(tag, { type: this.uint16(at + 2), count: this.uint32(at + 4), at: at + 8 })
    }
    return new Directory(this, entries)
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

  /** Browsers take the orientation only from exactly one SHORT, and so does this. */
  orientation(): number {
    const entry = this.#entries.get(TAG.orientation)
    if (entry?.type !== TYPE.short || entry.count !== 1) return 1
    const value = this.#reader.uint16(entry.at)
    return value >= 1 && value <= 8 ? value : 1
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
