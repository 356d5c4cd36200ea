/**
 * Creation times in the three notations of image files: EXIF `2021:07:04 18:30:15`, XMP and RFC 3339
 * `2021-07-04T18:30:15+02:00`, and RFC 1123 `Sun, 04 Jul 2021 18:30:15 +0200` (PNG's `Creation Time`).
 */

const NUMERIC =
  /^(\d{4})[:\-/.](\d{2})[:\-/.](\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s?(Z|[+-]\d{2}:?\d{2})?)?$/
const RFC_1123 =
  /^(?:[A-Z][a-z]{2},? )?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2})(?::(\d{2}))?(?: ([A-Z]{1,5}|[+-]\d{4}))?$/
const MONTHS: readonly string[] = [
  'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec',
] // prettier-ignore
const CANONICAL = /^\d{4}:\d{2}:\d{2}(?: \d{2}:\d{2}:\d{2}(?:Z|[+-]\d{2}:\d{2})?)?$/

/** Longer than any of the notations. */
const LONGEST = 64

/**
 * Returns a creation time of any of the notations as `YYYY:MM:DD`, `YYYY:MM:DD HH:MM:SS` or the latter with `Z` or
 * `±HH:MM`. Missing seconds become `00`, fractions of a second are dropped.
 * @returns `undefined` when it is not a whole date; EXIF writes zeros or blanks for an unknown one.
 */
export function parseCreation(text: string): string | undefined {
  if (text.length > LONGEST) return undefined
  // EXIF writes an unknown time as blanks: '2021:07:04   :  :  '.
  const known = text.trim().replace(/[\s:]+$/, '')
  const numeric = NUMERIC.exec(known)
  if (numeric !== null) {
    const [, year, month, day, hour, minute, second, zone] = numeric
    return canonical({ year, month, day, hour, minute, second, zone })
  }
  const [, day, name = '', year, hour, minute, second, zone] = RFC_1123.exec(known) ?? []
  const month = String(MONTHS.indexOf(name) + 1).padStart(2, '0')
  return canonical({ year, month, day: day?.padStart(2, '0'), hour, minute, second, zone })
}

/** Tells whether a text is in the form that `parseCreation` returns. */
export function isCreation(text: string): boolean {
  return CANONICAL.test(text)
}

/**
 * Returns the 19 characters of EXIF's DateTimeOriginal: without the zone, for which EXIF has a tag of its own, and with
 * blanks for an unknown time (Exif 2.32, 4.6.5 D).
 */
export function exifDateTime(creation: string): string {
  return creation.length === 10 ? `${creation}   :  :  ` : creation.slice(0, 19)
}

/** Formats a time by RFC 3339, the notation that PNG's third edition asks for in `Creation Time`. */
export function isoDateTime(creation: string): string {
  const date = creation.slice(0, 10).replaceAll(':', '-')
  return creation.length === 10 ? date : `${date}T${creation.slice(11)}`
}

type Field = string | undefined

const inRange = (field: Field, least: number, most: number): boolean => Number(field) >= least && Number(field) <= most

/** The fields of a date as they are written; the hour, the minute and all after them may be absent. */
type Fields = Readonly<Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'zone', Field>>

function canonical({ year, month, day, hour, minute, second, zone }: Fields): string | undefined {
  if (!inRange(year, 1, 9999) || !inRange(month, 1, 12) || !inRange(day, 1, 31)) return undefined
  const date = `${year}:${month}:${day}`
  if (hour === undefined) return date
  if (!inRange(hour, 0, 23) || !inRange(minute, 0, 59) || !inRange(second ?? '0', 0, 60)) return undefined
  return `${date} ${hour}:${minute}:${second ?? '00'}${canonicalZone(zone)}`
}

function canonicalZone(zone: Field): string {
  if (zone === undefined) return ''
  if (/^(?:Z|UTC?|GMT)$/.test(zone)) return 'Z'
  // Names of zones ('EST') are ambiguous the world over: the time is kept, the zone is not.
  return /^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(-2)}` : ''
}
