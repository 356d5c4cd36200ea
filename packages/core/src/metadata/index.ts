/**
 * Metadata surgery on image files, without decoding a pixel: what is to be preserved is read, written back in the
 * smallest form of each format, and everything else is removed. Pure functions on bytes; nothing is ever mutated.
 */
import { invalidOption } from '../errors.ts'
import type { ImageType, InputType } from '../types.ts'
import { readAvif, stripAvif, writeAvif } from './avif.ts'
import { isCreation } from './creation.ts'
import { readGif, stripGif } from './gif.ts'
import { readJpeg, readJpegOrientation, stripJpeg, writeJpeg } from './jpeg.ts'
import { readJxl, stripJxl, writeJxl } from './jxl.ts'
import { readPng, readPngOrientation, stripPng, writePng } from './png.ts'
import { cleanText, MAX_TEXT_BYTES } from './text.ts'
import type { GeoLocation, Metadata } from './types.ts'
import { readWebp, readWebpOrientation, stripWebp, writeWebp } from './webp.ts'

export { selectMetadata } from './select.ts'
export type { Copyright, GeoLocation, Metadata, Rational, Sexagesimal } from './types.ts'

type Bytes = Uint8Array

const upright = (): number => 1
const unchanged = (data: Bytes): Bytes => data
const nothing = (): Metadata => ({})

const READ = {
  'image/avif': readAvif,
  'image/webp': readWebp,
  'image/jpeg': readJpeg,
  'image/png': readPng,
  'image/gif': readGif,
  'image/svg+xml': nothing,
  'image/jxl': readJxl,
} as const satisfies Record<InputType, (data: Bytes) => Metadata>

const WRITE = {
  'image/avif': writeAvif,
  'image/webp': writeWebp,
  'image/jpeg': writeJpeg,
  'image/jxl': writeJxl,
  'image/png': writePng,
} as const satisfies Record<ImageType, (data: Bytes, metadata: Metadata) => Bytes>

const STRIP = {
  'image/avif': stripAvif,
  'image/webp': stripWebp,
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/gif': stripGif,
  'image/svg+xml': unchanged,
  'image/jxl': stripJxl,
} as const satisfies Record<InputType, (data: Bytes) => Bytes>

const ORIENTATION = {
  // AVIF and JPEG XL turn the picture by their own means (`irot`, `imir`; a field of the codestream), which decoders
  // always apply; EXIF's orientation is to be ignored (ISO/IEC 23008-12 section 6.5.10 and annex A).
  'image/avif': upright,
  'image/jxl': upright,
  'image/webp': readWebpOrientation,
  'image/jpeg': readJpegOrientation,
  'image/png': readPngOrientation,
  'image/gif': upright,
  'image/svg+xml': upright,
} as const satisfies Record<InputType, (data: Bytes) => number>

/**
 * The copyright, creation time and location of an image file, each from the first of its sources that has it:
 * - copyright text: EXIF Copyright, XMP `dc:rights`, PNG text `Copyright`, IPTC copyright notice; flag and address:
 *   XMP `xmpRights:Marked` and `xmpRights:WebStatement`, Photoshop resources 0x040A and 0x040B;
 * - creation: EXIF DateTimeOriginal, DateTimeDigitized, XMP `xmp:CreateDate`, PNG text `Creation Time`;
 * - location: EXIF GPS latitude and longitude, of every format that has EXIF but PNG.
 *
 * Never throws: what is malformed, or longer than metadata can reasonably be, is absent. Work is linear in the size of
 * the file, and decompression is bounded.
 */
export function readMetadata(data: Uint8Array, type: InputType): Metadata {
  return READ[type](data)
}

/**
 * Adds metadata in its smallest form to a file that has none, that is one freshly encoded or from `stripMetadata`, whose
 * EXIF orientation it keeps. Text stays readable as plain bytes.
 *
 * | | copyright text | flag and address | creation | location |
 * |-|-|-|-|-|
 * | JPEG | EXIF, 37 bytes + text | Photoshop resources, 44 bytes + address | EXIF, 74 bytes | EXIF, 138 bytes |
 * | PNG | `tEXt`, 22 bytes + text (`iTXt`, 26, if not ASCII) | XMP | `tEXt`, 36 to 51 bytes | not written |
 * | WebP, AVIF, JPEG XL | EXIF | XMP | EXIF | EXIF |
 *
 * EXIF items share one block, so together they take less. WebP without a `VP8X` chunk needs 18 bytes more for it, JPEG XL
 * without a container 40. EXIF has no zone in its creation time; a zone is dropped there.
 * @returns A new array, or the same one when there is nothing to write or the file's structure is not understood.
 * @throws PixpressError `INVALID_OPTION`: metadata that `readMetadata` does not return, such as a text that is too long.
 */
export function writeMetadata(data: Uint8Array, type: ImageType, metadata: Metadata): Uint8Array {
  assertWritable(metadata)
  return WRITE[type](data, metadata)
}

/**
 * Removes what does not change the picture as seen, without touching a pixel: metadata, comments, previews, unknown
 * parts, and bytes behind the end of the image. Kept are colour profiles and whatever else decides about colours,
 * transparency, animation and looping, and an EXIF orientation other than 1, in a block with nothing else in it. (No
 * browser turns WebP by EXIF, but other viewers do.) In AVIF, metadata is overwritten with zeros. JPEG XL loses what
 * the JPEG it was made from could be restored with. SVG is returned as it is.
 * @returns A new array, never longer, or the same one when nothing is removed or the file's structure is not understood.
 */
export function stripMetadata(data: Uint8Array, type: InputType): Uint8Array {
  return STRIP[type](data)
}

/**
 * EXIF orientation 1 to 8 (Exif 2.32 section 4.6.4), as the decoder leaves it to be applied: 1 when there is none, when
 * it is malformed, and for the formats that do not use EXIF for it.
 */
export function readOrientation(data: Uint8Array, type: InputType): number {
  return ORIENTATION[type](data)
}

function assertWritable({ copyright, creation, location }: Metadata): void {
  for (const key of ['text', 'url'] as const) {
    const value = copyright?.[key]
    if (value !== undefined && cleanText(value) !== value) {
      throw invalidOption(`metadata.copyright.${key}`, `trimmed text of 1 to ${MAX_TEXT_BYTES} bytes`, value)
    }
  }
  if (creation !== undefined && !isCreation(creation)) {
    throw invalidOption('metadata.creation', "a time of the form 'YYYY:MM:DD HH:MM:SS'", creation)
  }
  if (location !== undefined && !isLocation(location)) {
    throw invalidOption('metadata.location', 'fractions of whole numbers of 32 bits', location)
  }
}

function isLocation({ latitude, longitude }: GeoLocation): boolean {
  return [latitude, longitude].flat(2).every((part) => Number.isInteger(part) && part >= 0 && part <= 0xffffffff)
}
