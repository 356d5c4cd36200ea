import type { ImageFacts } from '../src/visit/page-facts.ts'
import { absolute, candidatesOf, isVisible, lengthOf, pathOf, tagOf } from './element.ts'
import { decoded } from './view.ts'

/** Milliseconds that a complete image has to be decoded. */
const DECODING = 2000

/** Describes an `<img>` as the page shows it. */
export async function imageFacts(image: HTMLImageElement): Promise<ImageFacts> {
  if (image.complete) await Promise.race([decoded(image), new Promise((resolve) => setTimeout(resolve, DECODING))])
  const attribute = (name: string): string | undefined => image.getAttribute(name) ?? undefined
  const [src, srcset, alt] = [attribute('src'), attribute('srcset'), attribute('alt')]
  return {
    path: pathOf(image),
    tag: tagOf(image),
    url: image.currentSrc || absolute(src ?? ''),
    ...(src !== undefined && { src }),
    ...(srcset !== undefined && { srcset }),
    ...(alt !== undefined && { alt }),
    hasSource: image.currentSrc !== '' || (src ?? '') !== '',
    ...chosenSource(image),
    isLazy: image.loading === 'lazy',
    priority: image.fetchPriority,
    isDecoration: isDecoration(image),
    isComplete: image.complete,
    naturalWidth: image.naturalWidth,
    naturalHeight: image.naturalHeight,
    hasDimensions: image.hasAttribute('width') && image.hasAttribute('height'),
    ...layout(image),
  }
}

/** Describes what the browser chose from: the `<source>` elements beside the image, and its own `srcset`. */
function chosenSource(image: HTMLImageElement): Pick<ImageFacts, 'candidates' | 'types' | 'isTyped' | 'others'> {
  const parent = image.parentElement
  const sources = parent?.localName === 'picture' ? [...parent.querySelectorAll(':scope > source')] : []
  const offered = [...sources, image].map((each) => ({ each, candidates: candidatesOf(each.getAttribute('srcset')) }))
  const used = offered.find(({ candidates }) => candidates.some(({ url }) => url === image.currentSrc))
  const sizes = (used?.each ?? image).getAttribute('sizes')
  return {
    ...(sizes !== null && { sizes }),
    candidates: used?.candidates ?? [],
    types: sources.map((each) => each.getAttribute('type') ?? ''),
    isTyped: used?.each.hasAttribute('type') === true,
    others: offered.flatMap(({ candidates }) => candidates.map(({ url }) => url)),
  }
}

function isDecoration(image: HTMLImageElement): boolean {
  const isHidden = image.closest('[aria-hidden="true"], [hidden], noscript') !== null
  const isNamed = image.hasAttribute('aria-label') || image.hasAttribute('aria-labelledby')
  return isHidden || isNamed || ['presentation', 'none'].includes(image.getAttribute('role') ?? '')
}

type Layout =
  | 'hasBox'
  | 'isShown'
  | 'width'
  | 'height'
  | 'top'
  | 'left'
  | 'fit'
  | 'isSizedByStyle'
  | 'hasAutoWidth'
  | 'hasAutoHeight'
  | 'hasStyleRatio'
  | 'isInFlow'

function layout(image: HTMLImageElement): Pick<ImageFacts, Layout> {
  const style = getComputedStyle(image)
  const { top, left, width, height } = image.getBoundingClientRect()
  const hasBox = image.getClientRects().length > 0
  const map = image.computedStyleMap()
  const isAuto = (name: string): boolean => map.get(name)?.toString() === 'auto'
  const [hasAutoWidth, hasAutoHeight] = [isAuto('width'), isAuto('height')]
  return {
    hasBox,
    isShown: hasBox && isVisible(image) && width > 1 && height > 1,
    width: hasBox ? lengthOf(style.width) : 0,
    height: hasBox ? lengthOf(style.height) : 0,
    top: top + scrollY,
    left: left + scrollX,
    fit: style.objectFit,
    isSizedByStyle: (!hasAutoHeight && !hasAutoWidth) || (!isAuto('aspect-ratio') && style.aspectRatio !== 'auto'),
    hasAutoWidth,
    hasAutoHeight,
    // `auto 3 / 2`, which attributes make, gives way to the image's own once it is there.
    hasStyleRatio: !style.aspectRatio.startsWith('auto'),
    isInFlow: !['absolute', 'fixed'].includes(style.position),
  }
}
