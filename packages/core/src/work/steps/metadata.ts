/**
 * Reads, writes and removes metadata of image files without decoding pixels. Metadata to preserve is read and written
 * back in the smallest form of each format; all other metadata is removed. The functions are pure and do not modify
 * their arguments.
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
 * Reads the copyright, creation time and location of an image file. Each comes from the first of its sources that has
 * it:
 * - copyright text: EXIF Copyright, XMP `dc:rights`, PNG text `Copyright`, IPTC copyright notice; flag and URL: XMP
 *   `xmpRights:Marked` and `xmpRights:WebStatement`, Photoshop resources 0x040A and 0x040B, in EXIF as well;
 * - creation: EXIF DateTimeOriginal, DateTimeDigitized, XMP `xmp:CreateDate`, PNG text `Creation Time`;
 * - location: EXIF GPS latitude and longitude, XMP `exif:GPSLatitude` and `exif:GPSLongitude`, in every format but PNG.
 *
 * It never throws: values that are malformed, or longer than metadata can reasonably be, are absent. The time is linear
 * in the size of the file, and decompression is limited.
 */
export function readMetadata(data: Uint8Array, type: InputType): Metadata {
  return codecOf(type).readMetadata?.(data) ?? {}
}

/**
 * Adds metadata in its smallest form to a file without metadata: a newly encoded one, or a result of `stripMetadata`,
 * whose EXIF orientation it keeps. Text stays readable as plain bytes.
 *
 * | | copyright text | flag and URL | creation | location |
 * |-|-|-|-|-|
 * | JPEG | EXIF, 37 bytes + text | Photoshop resources, 44 bytes + URL | EXIF, 74 bytes | EXIF, 138 bytes |
 * | PNG | `tEXt`, 22 bytes + text | `tEXt`, 23 bytes, and 25 + URL | `tEXt`, 36 to 51 bytes | not written |
 * | WebP, AVIF, JPEG XL | EXIF | Photoshop resources in EXIF, 42 bytes + URL | EXIF | EXIF |
 *
 * PNG needs `iTXt` and 26 bytes for text that is not ASCII. EXIF items share one block, so together they take less.
 * WebP without a `VP8X` chunk needs 18 bytes more for it, and JPEG XL without a container 40. EXIF has no time zone in
 * its creation time, so a zone is dropped there.
 * @returns a new array, or the same one if there is nothing to write or the structure of the file is not understood
 * @throws PixpressError `INVALID_OPTION` for metadata that `readMetadata` does not return, for example a text that is
 * too long
 */
export function writeMetadata(data: Uint8Array, type: ImageType, metadata: Metadata): Uint8Array {
  assertWritable(metadata)
  return writableCodecOf(type).writeMetadata(data, metadata)
}

/**
 * Removes data that does not change the visible picture, without touching a pixel: metadata, comments, previews,
 * unknown parts, and bytes after the end of the image. It keeps colour profiles and all other data that decides about
 * colours, transparency, animation and looping. It keeps an EXIF orientation other than 1 in a block of its own, except
 * in WebP, which no browser rotates by EXIF. JPEG XL loses the data from which its original JPEG could be restored. SVG
 * is returned unchanged.
 * @returns a new array that is never longer, or the same one if nothing is removed or the structure of the file is not
 * understood
 */
export function stripMetadata(data: Uint8Array, type: InputType): Uint8Array {
  return codecOf(type).stripMetadata?.(data) ?? data
}

/**
 * Returns the EXIF orientation, 1 to 8 (Exif 2.32, section 4.6.4), if browsers apply it. It is 1 if there is none, if
 * it is malformed, and for formats that browsers show as stored.
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
