/**
 * Metadata surgery on image files, without decoding a pixel: what is to be preserved is read, written back in the
 * smallest form of each format, and everything else is removed. Pure functions on bytes; nothing is ever mutated.
 */
import { invalidOption } from '../../base/errors.ts'
import { codecOf, writableCodecOf } from '../../formats/index.ts'
import type { ImageType, InputType } from '../../base/types.ts'
import { isCreation } from '../../metadata/creation.ts'
import { cleanText, MAX_TEXT_BYTES } from '../../metadata/text.ts'
import type { GeoLocation, Metadata } from '../../metadata/types.ts'

export { selectMetadata } from '../../metadata/select.ts'
export type { Copyright, GeoLocation, Metadata, Rational, Sexagesimal } from '../../metadata/types.ts'

/**
 * The copyright, creation time and location of an image file, each from the first of its sources that has it:
 * - copyright text: EXIF Copyright, XMP `dc:rights`, PNG text `Copyright`, IPTC copyright notice; flag and URL:
 *   XMP `xmpRights:Marked` and `xmpRights:WebStatement`, Photoshop resources 0x040A and 0x040B;
 * - creation: EXIF DateTimeOriginal, DateTimeDigitized, XMP `xmp:CreateDate`, PNG text `Creation Time`;
 * - location: EXIF GPS latitude and longitude, of every format that has EXIF but PNG.
 *
 * Never throws: what is malformed, or longer than metadata can reasonably be, is absent. Work is linear in the size of
 * the file, and decompression is bounded.
 */
export function readMetadata(data: Uint8Array, type: InputType): Metadata {
  return codecOf(type).readMetadata?.(data) ?? {}
}

/**
 * Adds metadata in its smallest form to a file that has none, that is one freshly encoded or from `stripMetadata`, whose
 * EXIF orientation it keeps. Text stays readable as plain bytes.
 *
 * | | copyright text | flag and URL | creation | location |
 * |-|-|-|-|-|
 * | JPEG | EXIF, 37 bytes + text | Photoshop resources, 44 bytes + URL | EXIF, 74 bytes | EXIF, 138 bytes |
 * | PNG | `tEXt`, 22 bytes + text (`iTXt`, 26, if not ASCII) | `tEXt`, 23 bytes, and 25 + URL | `tEXt`, 36 to 51 bytes | not written |
 * | WebP, AVIF, JPEG XL | EXIF | XMP | EXIF | EXIF |
 *
 * EXIF items share one block, so together they take less. WebP without a `VP8X` chunk needs 18 bytes more for it, JPEG XL
 * without a container 40. EXIF has no zone in its creation time; a zone is dropped there.
 * @returns A new array, or the same one when there is nothing to write or the file's structure is not understood.
 * @throws PixpressError `INVALID_OPTION`: metadata that `readMetadata` does not return, such as a text that is too long.
 */
export function writeMetadata(data: Uint8Array, type: ImageType, metadata: Metadata): Uint8Array {
  assertWritable(metadata)
  return writableCodecOf(type).writeMetadata(data, metadata)
}

/**
 * Removes what does not change the picture as seen, without touching a pixel: metadata, comments, previews, unknown
 * parts, and bytes behind the end of the image. Kept are colour profiles and whatever else decides about colours,
 * transparency, animation and looping, and an EXIF orientation other than 1, in a block with nothing else in it, but
 * not in WebP: no browser rotates WebP by EXIF. JPEG XL loses what
 * the JPEG it was made from could be restored with. SVG is returned as it is.
 * @returns A new array, never longer, or the same one when nothing is removed or the file's structure is not understood.
 */
export function stripMetadata(data: Uint8Array, type: InputType): Uint8Array {
  return codecOf(type).stripMetadata?.(data) ?? data
}

/**
 * EXIF orientation 1 to 8 (Exif 2.32 section 4.6.4), where browsers apply it: 1 when there is none, when it is malformed,
 * and for the formats that are shown as they are stored.
 */
export function readOrientation(data: Uint8Array, type: InputType): number {
  return codecOf(type).readOrientation?.(data) ?? 1
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
