import type { Seen } from '../findings/findings.ts'
import type { Place } from './places.ts'

/** Attributes that tell elements apart, and that scripts and compilers leave alone. */
const TELLING = ['id', 'alt', 'title', 'width', 'height']

/** Attributes that no compiler adds. */
const SAID = ['id', 'alt', 'class', 'title']

/** The attributes of an opening tag as a browser writes it. */
function seenAttributes(tag: string): ReadonlyMap<string, string> {
  const found = [...tag.matchAll(/([\w:-]+)="([^"]*)"/g)]
  return new Map(
    found.map(([, name = '', value = '']) => [name, value.replaceAll('&quot;', '"').replaceAll('&amp;', '&')]),
  )
}

/** Returns whether an element of a page can come from a place: the page shows what is written there. */
export function isOf({ target: { tag } }: Pick<Place, 'target'>, element: string): boolean {
  if (tag === undefined) return true
  const seen = seenAttributes(element)
  return tag.attributes.every(({ name, value = '', quote }) => {
    if (quote === '{' || /^[:@]|^v-/.test(name)) return true
    const lower = name.toLowerCase()
    if (lower === 'class' || lower === 'classname') {
      const classes = new Set((seen.get('class') ?? '').split(/\s+/))
      return value.split(/\s+/).every((each) => each === '' || classes.has(each))
    }
    return !TELLING.includes(lower) || seen.get(lower) === value
  })
}

/** Returns whether the element has no attribute that the tag lacks. Computed or spread attributes may say anything. */
export function saysAll({ target: { tag } }: Pick<Place, 'target'>, element: string): boolean {
  const names = (tag?.attributes ?? []).map(({ name }) => name.toLowerCase().replace(/^(?:v-bind)?:/, ''))
  if (names.some((name) => name === '' || name === 'v-bind')) return true
  return [...seenAttributes(element).keys()].every(
    (name) => !SAID.includes(name) || names.includes(name) || (name === 'class' && names.includes('classname')),
  )
}

/**
 * Returns whether a page is made of a text: `/about.html` and `/about/` of `about.html`. Scripts and components may be
 * part of any page.
 */
export function isOnPage({ file }: Pick<Place, 'file'>, page: string): boolean {
  if (!/\.html?$/i.test(file)) return true
  return `/${pageName(file)}`.endsWith(`/${pageName(page)}`)
}

const pageName = (text: string): string =>
  text.replace(/(?:(?<=^|\/)index)?(?:\.html?)?$/, '').replaceAll(/^\/+|\/+$/g, '')

/** Where a fault is to be mended. */
interface FaultPlaces {
  readonly places: readonly Place[]
  /** False if a place may show another element: attributes must not be written there. */
  readonly isTold: boolean
}

/**
 * The places that can have made what was seen.
 * @param places of the image
 * @param pages that were looked at: a text that is none of them may be a part of any
 */
export function faultPlacesOf(
  { sighting, visit }: Seen,
  places: readonly Place[],
  pages: readonly string[],
): FaultPlaces {
  const { element, url } = sighting
  const isBehind = visit.facts.backgrounds.some((each) => each.tag === element && each.url === url)
  const ofKind = places.filter(({ target }) => (target.kind === 'css') === isBehind || target.kind === 'import')
  const onPage = (ofKind.length > 0 ? ofKind : places).filter(
    (place) => isOnPage(place, visit.page) || !pages.some((page) => isOnPage(place, page)),
  )
  if (element === undefined || isBehind) return { places: onPage, isTold: true }
  const told = onPage.filter((place) => isOf(place, element))
  return told.length > 0 ? { places: told, isTold: true } : { places: onPage, isTold: false }
}
