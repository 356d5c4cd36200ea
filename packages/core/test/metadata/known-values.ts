import type { ImageType, PreserveItem } from '../../src/base/types.ts'

/** The values that ExifTool wrote into a fixture of these tests, if they can be preserved. */
export interface KnownValues {
  readonly text?: string
  readonly flagged?: true
  readonly url?: string
  readonly creation?: string
  readonly located?: true
}

const NOTICE = '(c) 2026 Ada Example, all rights reserved'
const PAGE = 'https://example.com/licence'
const TAKEN = '2021:07:04 18:30:15'

/** Latitude north and longitude east of the one place that is written, in degrees. */
export const PLACE = { latitude: 48.8584, longitude: 2.2945 } as const

const ALL: KnownValues = { text: NOTICE, flagged: true, url: PAGE, creation: TAKEN, located: true }
const EXIF: KnownValues = { text: NOTICE, creation: TAKEN, located: true }
const XMP: KnownValues = { text: NOTICE, flagged: true, url: PAGE, creation: `${TAKEN}+02:00` }

export const KNOWN_VALUES: Readonly<Record<string, KnownValues>> = {
  'all.jpg': ALL,
  'everything.jpg': ALL,
  'exif-only.jpg': EXIF,
  'xmp-only.jpg': XMP,
  'irb-only.jpg': { flagged: true, url: PAGE },
  'iptc-irb.jpg': { text: '(c) 2026 Ada Example', flagged: true, url: PAGE },
  'gps-only.jpg': { located: true },
  'gps-in-xmp.jpg': { located: true },
  'none.jpg': {},
  // PNG has no location in the interface.
  'all.png': { text: NOTICE, flagged: true, url: PAGE, creation: TAKEN },
  'text-chunks.png': { text: '(c) 2026 Ada Example', creation: `${TAKEN}+02:00` },
  'all.webp': ALL,
  'exif-only.webp': EXIF,
  'xmp-only.webp': XMP,
  'none.webp': {},
  'all.avif': ALL,
  'exif-only.avif': EXIF,
  'none.avif': {},
  'all.jxl': ALL,
  'none.jxl': {},
}

/** The tags in which ExifTool is to find the asked items in a file of a type, and no others. */
export function expectedTags(
  known: KnownValues,
  items: readonly PreserveItem[],
  type: ImageType,
): Record<string, string | number | boolean> {
  const tags: Record<string, string | number | boolean> = {}
  const { text, flagged, url, creation, located } = known
  if (items.includes('copyright')) {
    if (text !== undefined) tags[type === 'image/png' ? 'PNG:Copyright' : 'IFD0:Copyright'] = text
    const png = type === 'image/png'
    if (flagged) tags[png ? 'PNG:Marked' : 'Photoshop:CopyrightFlag'] = png ? true : 1
    if (url !== undefined) tags[png ? 'PNG:WebStatement' : 'Photoshop:URL'] = url
  }
  if (items.includes('creation') && creation !== undefined) {
    // PNG text has the form of RFC 3339, which ExifTool leaves as it is; EXIF has no zone in its creation time.
    if (type === 'image/png') tags['PNG:CreationTime'] = creation.replace(/^(\d+):(\d+):(\d+) /, '$1-$2-$3T')
    else tags['ExifIFD:DateTimeOriginal'] = creation.slice(0, TAKEN.length)
  }
  if (items.includes('location') && located && type !== 'image/png') {
    tags['GPS:GPSLatitudeRef'] = 'N'
    tags['GPS:GPSLatitude'] = PLACE.latitude
    tags['GPS:GPSLongitudeRef'] = 'E'
    tags['GPS:GPSLongitude'] = PLACE.longitude
  }
  return tags
}
