import type { Seen } from '../findings/findings.ts'
import type { Visit } from '../visit/facts.ts'
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

/** Returns the same of a text that may be none of the pages that were looked at, and then a part of any. */
const canBeOn = (place: Pick<Place, 'file'>, page: string, pages: readonly string[]): boolean =>
  isOnPage(place, page) || !pages.some((each) => isOnPage(place, each))

const pageName = (text: string): string =>
  text.replace(/(?:(?<=^|\/)index)?(?:\.html?)?$/, '').replaceAll(/^\/+|\/+$/g, '')

/**
 * Returns whether a build has left the URLs of a page as they are written. A directive behind them would be read by
 * nothing: HTML that a plugin of webpack copies, say, beside a folder of images that another one copies.
 */
export function isUnread(place: Place, visits: readonly Visit[]): boolean {
  const { kind, urls } = place.target
  if (kind !== 'html' || urls.length === 0) return false
  const pages = visits.map(({ page }) => page)
  const shown = visits.filter(({ page }) => canBeOn(place, page, pages))
  return urls.every(({ url }) => shown.some(({ facts }) => facts.images.some(({ src }) => src === url)))
}

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
  const onPage = (ofKind.length > 0 ? ofKind : places).filter((place) => canBeOn(place, visit.page, pages))
  if (element === undefined || isBehind) return { places: onPage, isTold: true }
  const told = onPage.filter((place) => isOf(place, element))
  return told.length > 0 ? { places: told, isTold: true } : { places: onPage, isTold: false }
}
