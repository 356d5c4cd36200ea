import type { Wish, WishPart } from 'unplugin-pixpress/internal'
import type { Seen } from '../findings.ts'
import { drawnBehind, drawnOf, sizesOf, widthsOf } from '../rules/advice.ts'
import type { Drawn } from '../rules/advice.ts'
import { TOO_WIDE, VISIBLE_RATIO } from '../rules/need.ts'
import type { Visit } from '../visit/facts.ts'
import type { Place } from './places.ts'

/** What is wished for one place. */
export interface PlaceWishes {
  readonly place: Place
  readonly seen: readonly Seen[]
}

/**
 * All that is wished for a place in one: widths for every element that it makes, attributes of the first fault that names them.
 * @param most pixels of the source across
 */
export function wishOf({ seen }: PlaceWishes, visits: readonly Visit[], most: number): Wish {
  const tags = new Set(seen.flatMap(({ sighting: { element } }) => (element === undefined ? [] : [element])))
  const urls = new Set(seen.map(({ sighting }) => sighting.url))
  const wishes = seen.flatMap(({ sighting }) => (sighting.wish === undefined ? [] : [sighting.wish]))
  const shown = drawnOf(tags, visits)
  const behind = drawnBehind(tags, urls, visits)
  const sized = wishes.some(({ isSized }) => isSized === true) && (shown.length > 0 || behind.length > 0)
  const steps = (shown.length > 0 ? shown : behind).map((each) => ({ window: each.window, width: alone(each, most) }))
  const isOne = shown.length === 0 || (isOneWidth(steps) && seen.every(({ sighting }) => sighting.kind !== 'srcset-gap'))
  const widths = sized ? (isOne ? [Math.max(...steps.map(({ width }) => width))] : widthsOf(shown, most)) : undefined
  const attributes = Object.assign({}, ...wishes.map((each) => each.attributes ?? {}).toReversed()) as Record<
    string,
    string | null
  >
  const needsSizes = shown.length > 0 && wishes.some(({ isSized, hasSizes }) => isSized === true || hasSizes === true)
  const isWebp = wishes.some(({ format }) => format !== undefined)
  return {
    ...(widths !== undefined && { widths }),
    ...(sized && { windows: steps }),
    ...(needsSizes && { sizes: sizesOf(shown) }),
    ...(isWebp && { format: 'webp' }),
    ...(Object.keys(attributes).length > 0 && { attributes }),
  }
}

/** The parts of a wish that faults need. */
export function partsWished(seen: readonly Seen[]): ReadonlySet<WishPart> {
  const parts = seen.flatMap(({ sighting: { wish = {} } }): WishPart[] => [
    ...(wish.isSized === true ? (['widths'] as const) : []),
    // Several widths are chosen between by `sizes`.
    ...(wish.isSized === true || wish.hasSizes === true ? (['sizes'] as const) : []),
    ...(wish.format === undefined ? [] : (['format'] as const)),
    ...(wish.attributes === undefined ? [] : (['attributes'] as const)),
  ])
  return new Set(parts)
}

/** The width of one file for all densities of a window: sharp at two pixels each. */
const alone = ({ needed, ratio }: Drawn, most: number): number =>
  Math.min(most, Math.round((needed / ratio) * Math.max(VISIBLE_RATIO, ratio)))

/** Whether one file does for every window: none would call it too wide. */
function isOneWidth(steps: readonly { readonly width: number }[]): boolean {
  const widths = steps.map(({ width }) => width)
  return Math.max(...widths) <= Math.min(...widths) * TOO_WIDE
}
