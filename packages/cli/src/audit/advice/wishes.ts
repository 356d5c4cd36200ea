import type { Wish } from 'unplugin-pixpress/internal'
import type { Seen } from '../findings.ts'
import { drawnBehind, drawnOf, sizesOf, widthsOf } from '../rules/advice.ts'
import { VISIBLE_RATIO } from '../rules/need.ts'
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
  const windows = densityOf(visits)
  const sized = wishes.some(({ isSized }) => isSized === true) && (shown.length > 0 || behind.length > 0)
  const backgroundSteps = behind.map(({ window, needed }) => {
    const ratio = windows.get(window) ?? 1
    // One file for all densities has to be sharp at two pixels each.
    return { window, needed: Math.min(most, Math.round((needed / ratio) * Math.max(VISIBLE_RATIO, ratio))) }
  })
  const widths = sized
    ? shown.length > 0
      ? widthsOf(shown, most)
      : [Math.max(...backgroundSteps.map(({ needed }) => needed))]
    : undefined
  const attributes = Object.assign({}, ...wishes.map((each) => each.attributes ?? {}).toReversed()) as Record<
    string,
    string | null
  >
  const needsSizes = shown.length > 0 && wishes.some(({ isSized, hasSizes }) => isSized === true || hasSizes === true)
  const isWebp = wishes.some(({ format }) => format !== undefined)
  return {
    ...(widths !== undefined && { widths }),
    ...(sized && { windows: backgroundSteps.map(({ window, needed }) => ({ window, width: needed })) }),
    ...(needsSizes && { sizes: sizesOf(shown) }),
    ...(isWebp && { format: 'webp' }),
    ...(Object.keys(attributes).length > 0 && { attributes }),
  }
}

/** Pixels of the device for one of CSS, by the width of the window: the most that were looked through. */
function densityOf(visits: readonly Visit[]): ReadonlyMap<number, number> {
  const ratios = new Map<number, number>()
  for (const { viewport } of visits) {
    ratios.set(viewport.width, Math.max(viewport.ratio, ratios.get(viewport.width) ?? 0))
  }
  return ratios
}
