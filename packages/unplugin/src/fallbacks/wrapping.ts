import { html as names } from 'parse5'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { readStylesheet } from './declarations.ts'
import { createInheriting } from './inheriting.ts'
import type { Inheriting } from './inheriting.ts'
import { ADDED } from './picture-selectors.ts'
import { parseSelectors } from './parse-selectors.ts'
import type { Selector } from './parse-selectors.ts'
import { isStructural, looksAtSiblings, mayInvolve, mayMatch } from './selectors.ts'

type Element = DefaultTreeAdapterTypes.Element

/** Puts a `<picture>` around an `<img>` of a tree where no rule of the page tells the difference. */
export interface Wrapping {
  /** @returns the selector that would, as it is written; `undefined` where the picture is in place */
  wrap(image: Element): string | undefined
  /** Holds what the picture has to inherit, so that the image can. */
  readonly inherited: Inheriting
}

/** @param stylesheets all that may apply to the page */
export function createWrapping(stylesheets: readonly string[]): Wrapping {
  const sheets = stylesheets.map((css) => readStylesheet(css))
  const texts = new Set(sheets.flatMap(({ preludes }) => preludes))
  const selectors = [...texts]
    .filter((prelude) => !prelude.startsWith('@'))
    .flatMap((prelude) => parseSelectors(prelude))
    .filter(isStructural)
  // How many sources there will be tells `:nth-child()` alone.
  const counts = selectors.some(({ text }) => text.includes(':nth-')) ? [1, 2, 3] : [1]
  const ofSiblings = selectors.filter(looksAtSiblings)

  return {
    inherited: createInheriting(sheets.flatMap(({ declarations }) => declarations)),
    wrap(image) {
      const parent = image.parentNode
      if (parent === null) return 'none, as it has no place'
      const around = parent.childNodes.filter((node): node is Element => 'tagName' in node && node !== image)
      const ancestors: Element[] = []
      for (let at = parent; 'tagName' in at; at = at.parentNode!) {
        ancestors.push(at)
        if (at.parentNode === null) break
      }
      // Most rules say nothing of others by way of an image.
      const involved = ofSiblings.filter((each) => mayInvolve(each, image))
      const others = involved.length === 0 ? [] : [...around, ...ancestors]
      const matches = (): [Selector, boolean][] => [
        ...selectors.map((each): [Selector, boolean] => [each, mayMatch(each, image)]),
        ...others.flatMap((other) => involved.map((each): [Selector, boolean] => [each, mayMatch(each, other)])),
      ]
      const before = matches()
      for (const sources of counts) {
        const unwrap = putAround(image, sources)
        const after = matches()
        const changed = before.findIndex(([, matched], index) => matched !== after[index]![1])
        if (changed !== -1 || sources !== counts.at(-1)) unwrap()
        if (changed !== -1) return before[changed]![0].text
      }
      return undefined
    },
  }
}

/** @returns takes the picture away again */
function putAround(image: Element, sources: number): () => void {
  const parent = image.parentNode!
  const make = (tagName: string): Element =>
    ({
      nodeName: tagName,
      tagName,
      attrs: [],
      namespaceURI: names.NS.HTML,
      childNodes: [],
      parentNode: null,
    }) as Element
  const picture = make('picture')
  picture.attrs.push({ name: ADDED, value: '' }, { name: 'style', value: '' })
  const at = parent.childNodes.indexOf(image)
  // A new list, as places are remembered by it.
  parent.childNodes = parent.childNodes.with(at, picture)
  picture.parentNode = parent
  picture.childNodes = [...Array.from({ length: sources }, () => make('source')), image]
  for (const child of picture.childNodes) child.parentNode = picture
  return () => {
    parent.childNodes = parent.childNodes.with(at, image)
    image.parentNode = parent
  }
}
