import type { Sighting } from '../findings/findings.ts'
import type { Visit } from '../visit/facts.ts'
import type { ImageFacts, PreloadFacts } from '../visit/page-facts.ts'

/** Heights of the window from the top below which an image is far below the first view. */
const FAR_BELOW = 1.5

/** Images of high priority beyond which none has it. */
const MOST_HIGH = 3

/**
 * Finds images that are loaded at the wrong time, or that the browser learns of too late.
 * @param leastWaste bytes from which a waste is a finding
 */
export function loadingFaults(visit: Visit, leastWaste: number): Sighting[] {
  return [
    ...paintFaults(visit, leastWaste),
    ...placeFaults(visit, leastWaste),
    ...visit.facts.preloads.flatMap((each) => preloadFault(each, visit)),
  ]
}

const about = (image: ImageFacts): Pick<Sighting, 'subject' | 'url' | 'element'> => ({
  subject: image.tag,
  url: image.url,
  element: image.tag,
})

const isLarge = ({ facts }: Visit, image: ImageFacts): boolean =>
  facts.paint !== undefined && facts.paint.path === image.path

/** Attributes of the largest image of the first view, of one in the first view, and of one below it. */
const SOON = { attributes: { loading: null, fetchpriority: 'high' } } as const
const NOT_LAZY = { attributes: { loading: null } } as const
const LAZY = { attributes: { loading: 'lazy' } } as const
const NOT_FIRST = { attributes: { fetchpriority: null } } as const

const FIRST = 'write fetchpriority="high" and no loading="lazy" where the page itself has the <img>'

/** The largest image of the first view. */
function paintFaults({ facts, html, loaded }: Visit, leastWaste: number): Sighting[] {
  const { paint, preloads } = facts
  if (paint === undefined || paint.url.startsWith('data:')) return []
  const image = facts.images.find(({ path }) => path === paint.path)
  const background = facts.backgrounds.find(({ path, url }) => path.startsWith(paint.path) && url === paint.url)
  const element = image?.tag ?? background?.tag
  const base = { subject: element ?? paint.url, url: paint.url, ...(element !== undefined && { element }) }
  if (image?.isLazy === true) {
    const message = "It is the largest image of the first view, and 'loading' is 'lazy'"
    return [{ kind: 'lcp-lazy', ...base, message, fix: FIRST, wish: SOON }]
  }
  const preload = preloads.find(({ url, candidates }) =>
    [url, ...candidates.map((each) => each.url)].includes(paint.url),
  )
  if (image?.priority === 'low' || preload?.priority === 'low') {
    const message = "It is the largest image of the first view, and 'fetchpriority' is 'low'"
    return [{ kind: 'priority-contradiction', ...base, message, fix: FIRST, wish: SOON }]
  }
  const isWritten = image !== undefined && isInPage(image, html)
  // A few bytes are there at once, whenever they are asked for.
  const isSmall = (loaded.get(paint.url)?.bytes ?? 0) < leastWaste
  if (isSmall || preload !== undefined || (isWritten && image.priority === 'high')) return []
  const reason =
    image === undefined
      ? 'a stylesheet has to be there before the browser asks for it'
      : isWritten
        ? 'other images are loaded before it'
        : 'a script has to run before the browser asks for it'
  const fix = isWritten
    ? FIRST
    : 'write <link rel="preload" as="image" fetchpriority="high"> with its source as href into the page'
  const message = `It is the largest image of the first view, and ${reason}`
  return [{ kind: 'lcp-not-preloaded', ...base, message, fix, ...(isWritten && { wish: SOON }) }]
}

/** Returns whether the page has the image without running scripts. */
function isInPage({ src, srcset }: ImageFacts, html: string): boolean {
  const text = html.replaceAll('&amp;', '&')
  return [src, srcset].some((each) => each !== undefined && each !== '' && text.includes(each))
}

function placeFaults(visit: Visit, leastWaste: number): Sighting[] {
  const { facts, viewport, loaded, early } = visit
  const high = facts.images.filter(({ priority }) => priority === 'high')
  return facts.images.flatMap((image): Sighting[] => {
    const { isLazy, isShown, top, priority, url } = image
    const bytes = loaded.get(url)?.bytes ?? 0
    const isBelow = top >= viewport.height
    if (priority === 'high' && isLazy) {
      const message = "'fetchpriority' is 'high', and 'loading' is 'lazy'"
      const wish = isBelow ? NOT_FIRST : NOT_LAZY
      return [{ kind: 'priority-contradiction', ...about(image), message, fix: 'leave one of the two out', wish }]
    }
    if (priority === 'high' && (high.length > MOST_HIGH || (isShown && isBelow))) {
      const message = isBelow
        ? "'fetchpriority' is 'high', and the image is below the first view"
        : `'fetchpriority' is 'high' of ${high.length} images, so that none comes first`
      const fix = 'keep fetchpriority="high" for the largest image of the first view'
      const base = { ...about(image), message, fix, isFaultEverywhere: true }
      return [{ kind: 'priority-contradiction', ...base, ...(isBelow && { wish: NOT_FIRST }) }]
    }
    if (!image.hasBox && !isLazy && bytes >= leastWaste && early.has(url) && !isUsedBesides(image, visit)) {
      const message = `${bytes} bytes are loaded for an image that this window does not show`
      const fix = 'write loading="lazy", or leave it out by <source media> in a <picture>'
      return [{ kind: 'hidden-loaded', ...about(image), message, fix, wasted: bytes, wish: LAZY }]
    }
    if (!isShown || url.startsWith('data:')) return []
    if (isLazy && !isLarge(visit, image) && top + Math.min(image.height, 100) / 2 < viewport.height) {
      const message = "It is in the first view, and 'loading' is 'lazy': it waits until the page is laid out"
      const base = { ...about(image), message, fix: 'leave loading="lazy" out', isFaultEverywhere: true }
      return [{ kind: 'lazy-above-fold', ...base, wish: NOT_LAZY }]
    }
    if (
      !isLazy &&
      top >= viewport.height * FAR_BELOW &&
      bytes >= leastWaste &&
      early.has(url) &&
      !isUsedBesides(image, visit)
    ) {
      const message = `It is ${Math.round(top)} pixels below the top, and is loaded with the page`
      const base = { ...about(image), message, fix: 'write loading="lazy"', isFaultEverywhere: true }
      return [{ kind: 'eager-below-fold', ...base, wish: LAZY }]
    }
    return []
  })
}

/** Returns whether something in the first view, or another shown element, needs the same file. */
const isUsedBesides = (image: ImageFacts, { facts, viewport }: Visit): boolean =>
  facts.images.some(
    (each) =>
      each.url === image.url && each.path !== image.path && each.isShown && each.top < viewport.height * FAR_BELOW,
  ) || [...facts.backgrounds.map(({ url }) => url), ...facts.besides].includes(image.url)

function preloadFault(preload: PreloadFacts, { facts, loaded }: Visit): Sighting[] {
  if (!preload.isMeant) return []
  const meant = [preload.url, ...preload.candidates.map(({ url }) => url)].filter((url) => loaded.has(url))
  const [first] = meant
  if (first === undefined) return []
  const shown = new Set([
    ...facts.images.filter(({ hasBox }) => hasBox).map(({ url }) => url),
    ...facts.backgrounds.map(({ url }) => url),
    ...facts.besides,
  ])
  const unused = meant.find((url) => !shown.has(url))
  if (unused === undefined) return []
  const base = { subject: preload.tag, url: unused, element: preload.tag, wasted: loaded.get(unused)?.bytes ?? 0 }
  const sibling = facts.images.find(({ hasBox, others, url }) => hasBox && others.includes(unused) && url !== unused)
  if (sibling !== undefined || meant.length > 1) {
    const message = `It is preloaded, and ${sibling === undefined ? 'another candidate' : new URL(sibling.url, 'http://localhost').pathname} is shown`
    return [
      {
        kind: 'preload-mismatch',
        ...base,
        message,
        fix: "write the <img>'s srcset and sizes as imagesrcset and imagesizes",
      },
    ]
  }
  return [
    {
      kind: 'preload-unused',
      ...base,
      message: 'It is preloaded, and nothing of the page shows it',
      fix: 'leave the preload out, or give it a media',
    },
  ]
}
