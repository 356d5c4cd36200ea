import { invalidOption } from '../base/errors.ts'
import { isOneOf, suggestion } from '../options/parsers.ts'
import type { Parser } from '../options/parsers.ts'
import { STRATEGIES } from '../base/resize.ts'
import type { Point, Strategy } from '../base/resize.ts'

/** Words of sides and corners: imagetools', the first eight of which stand there without `position=`, and sharp's. */
type Side =
  | 'top'
  | 'right top'
  | 'right'
  | 'right bottom'
  | 'bottom'
  | 'left bottom'
  | 'left'
  | 'left top'
  | 'north'
  | 'northeast'
  | 'east'
  | 'southeast'
  | 'south'
  | 'southwest'
  | 'west'
  | 'northwest'
  | 'center'
  | 'centre'

/** Where they lie, as shares of the width and the height. */
const SIDES: Readonly<Record<Side, Point>> = {
  top: [0.5, 0],
  'right top': [1, 0],
  right: [1, 0.5],
  'right bottom': [1, 1],
  bottom: [0.5, 1],
  'left bottom': [0, 1],
  left: [0, 0.5],
  'left top': [0, 0],
  north: [0.5, 0],
  northeast: [1, 0],
  east: [1, 0.5],
  southeast: [1, 1],
  south: [0.5, 1],
  southwest: [0, 1],
  west: [0, 0.5],
  northwest: [0, 0],
  center: [0.5, 0.5],
  centre: [0.5, 0.5],
}

/**
 * The part that stays in the picture when it is cropped: the point that the window is centred on as far as the picture
 * reaches, a side or a corner, or a strategy of sharp's.
 */
export type Position = Side | Strategy | Point

/** All words of positions. */
export const POSITION_WORDS: readonly string[] = [...Object.keys(SIDES), ...STRATEGIES]

/** Words of positions that imagetools takes without `position=`. */
export const POSITION_SHORTHANDS: readonly string[] = Object.keys(SIDES).slice(0, 8)

const EXPECTED = "a point '0.3,0.6', a side such as 'top' or 'left bottom', 'entropy' or 'attention'"

/** Gives a point, or the word of a strategy. */
export const POSITION: Parser<Point | Strategy> = {
  schema: {
    anyOf: [
      { enum: POSITION_WORDS },
      { type: 'array', items: { type: 'number', minimum: 0, maximum: 1 }, minItems: 2, maxItems: 2 },
    ],
  },
  parse(value, option) {
    if (isOneOf(STRATEGIES, value)) return value
    if (typeof value === 'string' && Object.hasOwn(SIDES, value)) return SIDES[value as Side]
    if (isPoint(value)) return [value[0], value[1]]
    throw invalidOption(option, EXPECTED, value, hint(value))
  },
}

/** Parses a position as it stands in a query or behind a flag. @throws PixpressError `INVALID_OPTION` */
export function positionFromText(text: string, option: string): Position {
  const shares = /^(\d*\.?\d+),(\d*\.?\d+)$/.exec(text.trim())
  const given = shares === null ? text.trim().replaceAll(/[\s+-]+/g, ' ') : [Number(shares[1]), Number(shares[2])]
  POSITION.parse(given, option)
  return given as Position
}

function hint(value: unknown): string {
  if (value === 'face' || value === 'faces')
    return "There is no detector of faces here: give the point, in the directive or in a sidecar, or a region in the image's XMP."
  return suggestion(value, POSITION_WORDS)
}

function isPoint(value: unknown): value is Point {
  if (!Array.isArray(value) || value.length !== 2) return false
  return value.every((share) => typeof share === 'number' && share >= 0 && share <= 1)
}
