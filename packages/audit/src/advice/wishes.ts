import type { Seen } from '../findings/findings.ts'
import { drawnBehind, drawnOf, sizesOf, widthsOf } from '../rules/advice.ts'
import type { Drawn } from '../rules/advice.ts'
import { TOO_WIDE, VISIBLE_RATIO } from '../rules/need.ts'
import type { Visit } from '../visit/facts.ts'
import { isOnPage } from './match.ts'
import type { Place } from './places.ts'
import type { Wish, WishPart } from './plugin.ts'

/** The faults of one place. */
export interface PlaceWishes {
  readonly place: Place
  readonly seen: readonly Seen[]
  /** Faults that another place of the same text may have made as well, so that attributes cannot be told apart. */
  readonly vague: ReadonlySet<Seen>
}

/** A wish, and whether all of it is in it that has to do with widths. */
export interface WholeWish {
  readonly wish: Wish
  readonly isSized: boolean
}

/**
 * Share by which elements of one place may differ in width for one `sizes` to be right for all: browsers are not misled
 * by that much.
 */
const ALIKE = 1.15

/**
 * Joins all wishes for a place: widths for every element that it makes, and the attributes of the first fault that
 * names them.
 * @param most pixels of the source across
 */
export function wishOf({ place, seen, vague }: PlaceWishes, all: readonly Visit[], most: number): WholeWish {
  const visits = all.filter(({ page }) => isOnPage(place, page))
  const tags = new Set(seen.flatMap(({ sighting: { element } }) => (element === undefined ? [] : [element])))
  const urls = new Set(seen.map(({ sighting }) => sighting.url))
  const wishes = seen.flatMap(({ sighting }) => (sighting.wish === undefined ? [] : [sighting.wish]))
  const shown = drawnOf(tags, visits)
  const behind = drawnBehind(tags, urls, visits)
  const sized = wishes.some(({ isSized }) => isSized === true) && (shown.length > 0 || behind.length > 0)
  const steps = (shown.length > 0 ? shown : behind).map((each) => ({ window: each.window, width: alone(each, most) }))
  const isClear = areAlike(shown)
  const isGap = seen.some(({ sighting }) => sighting.kind === 'srcset-gap')
  const isOne = shown.length === 0 || !isClear || (isOneWidth(steps) && !isGap)
  const widths = sized ? (isOne ? [Math.max(...steps.map(({ width }) => width))] : widthsOf(shown, most)) : undefined
  const certain = seen.filter((each) => !vague.has(each)).map(({ sighting }) => sighting.wish?.attributes ?? {})
  const attributes = Object.assign({}, ...certain.toReversed()) as Record<string, string | null>
  const needsSizes = wishes.some(({ isSized, hasSizes }) => isSized === true || hasSizes === true)
  const isWebp = wishes.some(({ format }) => format !== undefined)
  const wish: Wish = {
    ...(widths !== undefined && { widths, most }),
    ...(sized && { windows: steps }),
    ...(needsSizes && shown.length > 0 && isClear && { sizes: sizesOf(shown) }),
    ...(isWebp && { format: 'webp' }),
    ...(Object.keys(attributes).length > 0 && { attributes }),
  }
  return { wish, isSized: isClear }
}

/** Returns whether elements are about equally wide in each window. */
function areAlike(drawn: readonly Drawn[]): boolean {
  const byWindow = new Map<number, number[]>()
  for (const { window, width } of drawn) byWindow.set(window, [...(byWindow.get(window) ?? []), width])
  return [...byWindow.values()].every((widths) => Math.max(...widths) <= Math.min(...widths) * ALIKE)
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

/** Returns whether one file is enough for every window: none would call it too wide. */
function isOneWidth(steps: readonly { readonly width: number }[]): boolean {
  const widths = steps.map(({ width }) => width)
  return Math.max(...widths) <= Math.min(...widths) * TOO_WIDE
}
