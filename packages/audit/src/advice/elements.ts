import type { FoundFault, Seen } from '../findings/findings.ts'
import type { ProjectSources } from '../sources/sources.ts'
import type { Visit } from '../visit/facts.ts'
import { isOf, saysAll } from './match.ts'
import type { Place } from './places.ts'
import type { AdvicePlugin } from './plugin.ts'

interface Facts {
  readonly visits: readonly Visit[]
  readonly sources: ProjectSources
}

/** Attributes by which an element of a component can be told from others. */
const TELLING = /^(?:class|classname|id|alt)$/i

const makes = (place: Place, tag: string): boolean => isOf(place, tag) && saysAll(place, tag)

/**
 * Finds the element of a component that made an `<img>` for an image which it is given. It is returned only if that is
 * certain, and if everything else that the element made needs the same attributes.
 */
export function elementPlaces(
  found: readonly FoundFault[],
  { findElements }: AdvicePlugin,
  { sources, visits }: Facts,
): (seen: Seen) => Place | undefined {
  const places = [...sources.texts].flatMap(([file, text]): Place[] =>
    text.includes('<img') ? findElements(file, text).map((target) => ({ file, target, image: '' })) : [],
  )
  const told = places.filter(({ target }) =>
    target.tag?.attributes.some(({ name, value = '', quote }) => TELLING.test(name) && quote !== '{' && value !== ''),
  )
  const needed = new Map<string, Set<string>>()
  const shown = new Set(visits.flatMap(({ facts }) => facts.images.map(({ tag }) => tag)))
  for (const { seen } of found) {
    for (const { sighting } of seen) {
      const { element, wish } = sighting
      if (element === undefined || wish?.attributes === undefined) continue
      needed.set(element, (needed.get(element) ?? new Set()).add(JSON.stringify(wish.attributes)))
    }
  }
  return ({ sighting: { element, wish } }) => {
    if (element === undefined || wish?.attributes === undefined) return undefined
    const [only, ...others] = told.filter((place) => makes(place, element))
    // An element that tells nothing of itself may have made it as well.
    const isAnybodys = places.some((place) => !told.includes(place) && makes(place, element))
    if (only === undefined || others.length > 0 || isAnybodys) return undefined
    const same = JSON.stringify(wish.attributes)
    const isForAll = [...shown].every((tag) => !makes(only, tag) || needed.get(tag)?.has(same) === true)
    return isForAll ? only : undefined
  }
}
