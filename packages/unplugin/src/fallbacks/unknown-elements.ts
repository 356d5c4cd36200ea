import { html as names } from 'parse5'
import type { DefaultTreeAdapterTypes } from 'parse5'

type Element = DefaultTreeAdapterTypes.Element

/** Stands for any name: as the name of an element, or among its attributes for classes and attributes of its own. */
export const ANY = '*'

/** The attribute of an element of whose children the places are not known. */
const UNPLACED = '?'

/**
 * Makes an element of no document, as selectors are matched with it.
 * @param attributes `ANY` among them stands for others that are not known
 */
export function makeElement(tagName: string, attributes: readonly (readonly [string, string])[] = []): Element {
  return {
    nodeName: tagName,
    tagName,
    attrs: attributes.map(([name, value]) => ({ name, value })),
    namespaceURI: names.NS.HTML,
    childNodes: [],
    parentNode: null,
  } as Element
}

/** Puts elements into another, in the place of what was in it. */
export function fill(parent: Element, children: readonly Element[]): Element {
  parent.childNodes = [...children]
  for (const child of children) child.parentNode = parent
  return parent
}

/**
 * Has selectors such as `:first-child` match the children of an element wherever they stand, or nowhere: who has to
 * know what can happen tries both.
 */
export function unplace(parent: Element, isThere: boolean): Element {
  parent.attrs.push({ name: UNPLACED, value: isThere ? 'yes' : 'no' })
  return parent
}

/** Tells whether selectors of places match the children of an element; `undefined` where they are counted. */
export function placesOfChildren(parent: DefaultTreeAdapterTypes.ParentNode | null): boolean | undefined {
  if (parent === null || !('attrs' in parent)) return undefined
  const mark = parent.attrs.find(({ name }) => name === UNPLACED)
  return mark && mark.value === 'yes'
}
