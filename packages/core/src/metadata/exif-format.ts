/**
 * EXIF: a TIFF structure of directories (IFDs) with tagged entries of 12 bytes each. Sources: TIFF 6.0 section 2;
 * Exif 2.32 (CIPA DC-008) sections 4.6.2 and 4.6.6; Adobe Photoshop TIFF Technical Notes, `ImageResources`.
 */
export const TAG = {
  orientation: 0x0112,
  xResolution: 0x011a,
  yResolution: 0x011b,
  resolutionUnit: 0x0128,
  copyright: 0x8298,
  imageResources: 0x8649,
  exifIfd: 0x8769,
  gpsIfd: 0x8825,
  dateTimeOriginal: 0x9003,
  dateTimeDigitized: 0x9004,
  pixelWidth: 0xa002,
  pixelHeight: 0xa003,
  latitudeRef: 1,
  latitude: 2,
  longitudeRef: 3,
  longitude: 4,
} as const

/** Types of values: `utf8` since Exif 3.0. */
export const TYPE = { byte: 1, ascii: 2, short: 3, long: 4, rational: 5, undefined: 7, utf8: 129 } as const

/** Bytes of a directory's entry: tag, type, count, and the value or its offset. */
export const ENTRY_SIZE = 12

/** The prefix of the TIFF structure in JPEG, and in some files of other formats. */
export const EXIF_PREFIX = 'Exif\0\0'
