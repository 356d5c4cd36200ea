import { ascii, concatBytes, littleEndian32 } from './bytes.ts'
import { exifDateTime } from './creation.ts'
import { ENTRY_SIZE, TAG, TYPE } from './exif-format.ts'
import { buildPhotoshop } from './photoshop.ts'
import { encodeText } from './text.ts'
import type { GeoLocation, Metadata, Rational } from './types.ts'
import type { Size } from '../resample/size.ts'

const HEADER_SIZE = 8

/** The content of a new EXIF block. Orientation 1 is the default and not written. */
export interface ExifItems {
  orientation?: number
  /** The size in CSS pixels that browsers are to give the picture, and its own pixels, both as stored. */
  shownAt?: { readonly size: Size; readonly stored: Size } | undefined
  copyrightText?: string | undefined
  /** Image resources of Photoshop, which have the copyright flag and URL. */
  imageResources?: Uint8Array | undefined
  creation?: string | undefined
  location?: GeoLocation | undefined
}

interface Value {
  tag: number
  type: number
  count: number
  /** The value itself, or the offset of a directory to come. */
  bytes: Uint8Array | 'exif' | 'gps'
}

/**
 * Writes the smallest EXIF block that holds these items, little-endian, without the `Exif\0\0` in front. The copyright
 * text comes last but for image resources, whose place may be odd then: no reader minds.
 * @returns `undefined` when there is nothing to write.
 */
export function buildExif(items: ExifItems): Uint8Array | undefined {
  const { orientation = 1, shownAt, copyrightText, imageResources, creation, location } = items
  const root: Value[] = []
  if (orientation !== 1) {
    root.push({ tag: TAG.orientation, type: TYPE.short, count: 1, bytes: Uint8Array.of(orientation, 0) })
  }
  if (shownAt !== undefined) root.push(...resolutionValues(shownAt))
  if (copyrightText !== undefined) root.push(asciiValue(TAG.copyright, encodeText(copyrightText)))
  if (imageResources !== undefined) {
    const count = imageResources.length
    root.push({ tag: TAG.imageResources, type: TYPE.byte, count, bytes: imageResources })
  }
  const exif = [
    ...(creation === undefined ? [] : [asciiValue(TAG.dateTimeOriginal, ascii(exifDateTime(creation)))]),
    ...(shownAt === undefined
      ? []
      : [longValue(TAG.pixelWidth, shownAt.size.width), longValue(TAG.pixelHeight, shownAt.size.height)]),
  ]
  if (exif.length > 0) root.push({ tag: TAG.exifIfd, type: TYPE.long, count: 1, bytes: 'exif' })
  if (location !== undefined) root.push({ tag: TAG.gpsIfd, type: TYPE.long, count: 1, bytes: 'gps' })
  if (root.length === 0) return undefined

  const gps = location === undefined ? [] : locationValues(location)
  const exifAt = HEADER_SIZE + directorySize(root)
  const gpsAt = exifAt + directorySize(exif) + valuesSize(exif)
  const textAt = gpsAt + directorySize(gps) + valuesSize(gps)
  const tiff = new Uint8Array(textAt + valuesSize(root))
  tiff.set(ascii('II*\0'))
  const view = new DataView(tiff.buffer)
  view.setUint32(4, HEADER_SIZE, true)
  const offsets = { exif: exifAt, gps: gpsAt }
  writeDirectory(view, { start: HEADER_SIZE, values: root, valuesAt: textAt }, offsets)
  writeDirectory(view, { start: exifAt, values: exif, valuesAt: exifAt + directorySize(exif) }, offsets)
  writeDirectory(view, { start: gpsAt, values: gps, valuesAt: gpsAt + directorySize(gps) }, offsets)
  return tiff
}

/**
 * Writes the smallest EXIF block with every item. Formats whose only other place is XMP have it: a packet with a flag
 * takes 200 bytes and more.
 * @returns `undefined` when there is nothing to write.
 */
export function buildWholeExif({ copyright, creation, location }: Metadata): Uint8Array | undefined {
  return buildExif({ copyrightText: copyright?.text, imageResources: buildPhotoshop(copyright), creation, location })
}

function asciiValue(tag: number, text: Uint8Array): Value {
  const bytes = new Uint8Array(text.length + 1)
  bytes.set(text)
  return { tag, type: TYPE.ascii, count: bytes.length, bytes }
}

/** Resolutions of which 72 to the inch make the stored pixels the shown size exactly. */
function resolutionValues({ size, stored }: NonNullable<ExifItems['shownAt']>): Value[] {
  return [
    rationalsValue(TAG.xResolution, [[72 * stored.width, size.width]]),
    rationalsValue(TAG.yResolution, [[72 * stored.height, size.height]]),
    { tag: TAG.resolutionUnit, type: TYPE.short, count: 1, bytes: Uint8Array.of(2, 0) },
  ]
}

function longValue(tag: number, value: number): Value {
  return { tag, type: TYPE.long, count: 1, bytes: littleEndian32(value) }
}

function locationValues(location: GeoLocation): Value[] {
  return [
    asciiValue(TAG.latitudeRef, ascii(location.latitudeRef)),
    rationalsValue(TAG.latitude, location.latitude),
    asciiValue(TAG.longitudeRef, ascii(location.longitudeRef)),
    rationalsValue(TAG.longitude, location.longitude),
  ]
}

function rationalsValue(tag: number, values: readonly Rational[]): Value {
  return { tag, type: TYPE.rational, count: values.length, bytes: concatBytes(values.flat().map(littleEndian32)) }
}

/** Returns the bytes of a directory: its count, its entries and the offset of the next, which is always 0 here. */
function directorySize(values: readonly Value[]): number {
  return values.length === 0 ? 0 : 2 + values.length * ENTRY_SIZE + 4
}

/** Returns the bytes of the values that do not fit into their entries. */
function valuesSize(values: readonly Value[]): number {
  let size = 0
  for (const { bytes } of values) if (typeof bytes !== 'string' && bytes.length > 4) size += bytes.length
  return size
}

/** A directory with its place, and the place of the values that do not fit into its entries. */
interface Directory {
  readonly start: number
  readonly values: readonly Value[]
  readonly valuesAt: number
}

/** @param offsets places of the directories that entries point to */
function writeDirectory(
  view: DataView,
  { start, values, valuesAt }: Directory,
  offsets: Readonly<Record<'exif' | 'gps', number>>,
): void {
  if (values.length === 0) return
  const whole = new Uint8Array(view.buffer)
  view.setUint16(start, values.length, true)
  let at = start + 2
  let valueAt = valuesAt
  for (const { tag, type, count, bytes } of values) {
    view.setUint16(at, tag, true)
    view.setUint16(at + 2, type, true)
    view.setUint32(at + 4, count, true)
    if (typeof bytes === 'string') {
      view.setUint32(at + 8, offsets[bytes], true)
    } else if (bytes.length <= 4) {
      whole.set(bytes, at + 8)
    } else {
      view.setUint32(at + 8, valueAt, true)
      whole.set(bytes, valueAt)
      valueAt += bytes.length
    }
    at += ENTRY_SIZE
  }
}
