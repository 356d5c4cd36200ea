/** A fraction as stored: two whole numbers of 32 bits, so that nothing is rounded. */
export type Rational = readonly [numerator: number, denominator: number]

/** An angle as stored. Writers also put fractions into the degrees or minutes and zeros behind. */
export type Sexagesimal = readonly [degrees: Rational, minutes: Rational, seconds: Rational]

/** A place on the earth, in the form of EXIF. */
export interface GeoLocation {
  latitudeRef: 'N' | 'S'
  latitude: Sexagesimal
  longitudeRef: 'E' | 'W'
  longitude: Sexagesimal
}

/** A copyright notice. */
export interface Copyright {
  /** The notice, at most 32,768 bytes of UTF-8, without control characters other than tab and line ends. */
  text?: string
  /** Marked as protected by copyright. The opposite is no information: Photoshop writes a 0 into every file. */
  flagged?: true
  /** URL of a page about the rights, at most as long as `text`. */
  url?: string
}

/** The items of an image's metadata that can be preserved. An absent item is a missing property. */
export interface Metadata {
  copyright?: Copyright
  /**
   * When the picture was taken or made: `YYYY:MM:DD HH:MM:SS`, local time as EXIF has it; followed by `Z` or `±HH:MM`
   * where XMP or PNG text gives the zone; `YYYY:MM:DD` alone where the time of day is not known.
   */
  creation?: string
  location?: GeoLocation
}
