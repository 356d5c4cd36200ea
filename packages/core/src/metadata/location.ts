/**
 * Places in the notation of XMP: `DDD,MM,SSk` or `DDD,MM.mmk`, with N, S, E or W as `k`. Source: XMP Specification
 * Part 2, section 1.2.7.4 (`GPSCoordinate`).
 */
import type { GeoLocation, Rational, Sexagesimal } from './types.ts'

const COORDINATE = /^(\d{1,3}),(\d{1,2})(?:,(\d{1,2}(?:\.\d+)?)|\.(\d+))?([NSEW])$/i

/** Decimal places that are kept: a ten-millionth of a minute is less than a millimetre. */
const MOST_PLACES = 7

/** The most degrees from the equator, and from the prime meridian. */
const MOST = { latitude: 90, longitude: 180 } as const

const NOTHING: Rational = [0, 1]

/** Returns a place in the form of EXIF; `undefined` where one of its coordinates is absent or none. */
export function parseLocation(latitude: string | undefined, longitude: string | undefined): GeoLocation | undefined {
  const north = parseCoordinate(latitude, MOST.latitude)
  const east = parseCoordinate(longitude, MOST.longitude)
  if (north === undefined || (north.side !== 'N' && north.side !== 'S')) return undefined
  if (east === undefined || (east.side !== 'E' && east.side !== 'W')) return undefined
  return { latitudeRef: north.side, latitude: north.angle, longitudeRef: east.side, longitude: east.angle }
}

function parseCoordinate(text: string | undefined, most: number): { angle: Sexagesimal; side: string } | undefined {
  const [, degrees, minutes = '', seconds, fraction, side = ''] = COORDINATE.exec(text?.trim() ?? '') ?? []
  if (degrees === undefined || Number(degrees) > most || Number(minutes) >= 60) return undefined
  if (seconds !== undefined && Number(seconds) >= 60) return undefined
  const angle: Sexagesimal =
    seconds === undefined
      ? [[Number(degrees), 1], decimal(`${minutes}.${fraction ?? ''}`), NOTHING]
      : [[Number(degrees), 1], [Number(minutes), 1], decimal(seconds)]
  return { angle, side: side.toUpperCase() }
}

/** Returns a decimal number as a fraction, without zeros at the end. */
function decimal(text: string): Rational {
  const [whole = '', places = ''] = text.split('.')
  const kept = places.slice(0, MOST_PLACES).replace(/0+$/, '')
  return [Number(whole + kept), 10 ** kept.length]
}
