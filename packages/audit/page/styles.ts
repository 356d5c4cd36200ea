import type { BackgroundFacts } from '../src/visit/page-facts.ts'
import { absolute, isVisible, lengthOf, pathOf, tagOf } from './element.ts'

/** The images of all styles of the page. */
export interface StyledImages {
  readonly backgrounds: readonly BackgroundFacts[]
  /** URLs of the other properties. */
  readonly others: readonly string[]
}

/** Properties that show an image in another way than as a background. */
const PROPERTIES = ['content', 'listStyleImage', 'borderImageSource', 'maskImage', 'cursor'] as const

const urlsIn = (text: string): string[] =>
  [...text.matchAll(/url\("((?:[^"\\]|\\.)*)"\)/g)].map(([, url]) => url!.replaceAll(/\\(.)/g, '$1'))

/** Finds the images in the styles of all elements and of what stands before and after them. */
export function styledImages(): StyledImages {
  const backgrounds: BackgroundFacts[] = []
  const others: string[] = []
  for (const element of document.querySelectorAll('body, body *'))
    for (const pseudo of [undefined, '::before', '::after']) {
      const style = getComputedStyle(element, pseudo)
      if (pseudo !== undefined && (style.content === 'none' || style.content === 'normal')) continue
      others.push(...PROPERTIES.flatMap((name) => urlsIn(style[name] ?? '')))
      if (style.backgroundImage !== 'none') backgrounds.push(...backgroundsOf(element, pseudo, style))
    }
  return { backgrounds, others }
}

function backgroundsOf(element: Element, pseudo: string | undefined, style: CSSStyleDeclaration): BackgroundFacts[] {
  const box = element.getBoundingClientRect()
  return urlsIn(style.backgroundImage).map((url) => ({
    path: pathOf(element) + (pseudo ?? ''),
    tag: tagOf(element),
    url,
    size: style.backgroundSize,
    repeat: style.backgroundRepeat,
    width: pseudo === undefined ? box.width : lengthOf(style.width),
    height: pseudo === undefined ? box.height : lengthOf(style.height),
    top: box.top + scrollY,
    hasBox: element.getClientRects().length > 0,
    isShown: isVisible(element),
  }))
}

/** Elements other than `<img>` that show an image, with the attribute that holds its URL. */
const ELEMENTS = {
  'video[poster]': ['poster'],
  'svg image, svg feImage': ['href', 'xlink:href'],
  'input[type=image]': ['src'],
  'link[rel~=icon], link[rel=apple-touch-icon]': ['href'],
} as const

/** Returns the URLs of the images of other elements: posters, icons, buttons and drawings. */
export const otherImages = (): string[] =>
  Object.entries(ELEMENTS).flatMap(([selector, attributes]) =>
    [...document.querySelectorAll(selector)].map((element) =>
      absolute(attributes.map((name) => element.getAttribute(name)).find((value) => value !== null) ?? ''),
    ),
  )
