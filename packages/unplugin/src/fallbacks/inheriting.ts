import type { DefaultTreeAdapterTypes } from 'parse5'
import { readStylesheet, withinRule } from './declarations.ts'
import type { Declaration } from './declarations.ts'
import { parseSelectors } from './parse-selectors.ts'
import type { Selector } from './parse-selectors.ts'
import { mayMatch } from './selectors.ts'

type Element = DefaultTreeAdapterTypes.Element

/** Every element hands these on, whether told to or not. */
const HANDED_ON =
  /^(?:--|color$|cursor$|direction$|font|letter-spacing$|line-height$|list-style|text-align$|visibility$|white-space$|word-)/

/** A picture that has these from around it would give its image a box like none, or none. */
const OF_THE_BOX: readonly string[] = ['all', 'display']

/**
 * Holds what applies to the picture as well, or to what stands before and behind the content of elements, which an
 * image has not.
 */
const EVERYTHING = /^\*?(?:::?(?:before|after))?$/i

/**
 * Tells the properties that rules have an `<img>` inherit, sorted. A picture around it has their initial values unless
 * it inherits them too.
 */
export type Inheriting = (image: Element) => readonly string[]

/** @param declarations of all stylesheets that may apply to the page */
export function createInheriting(declarations: readonly Declaration[]): Inheriting {
  const found = declarations.filter(inherits).flatMap(({ property, blocks }) => {
    const rules = blocks.filter((block) => !block.startsWith('@'))
    return parseSelectors(withinRule(rules.at(-1) ?? '', rules.at(-2)))
      .filter(({ text }) => !EVERYTHING.test(text))
      .map((selector): [Selector, string] => [selector, property])
  })
  return (image) => {
    const own = image.attrs.find(({ name }) => name === 'style')?.value ?? ''
    const properties = [
      ...found.filter(([selector]) => mayMatch(selector, image)).map(([, property]) => property),
      ...readStylesheet(own)
        .declarations.filter(inherits)
        .map(({ property }) => property),
    ]
    return [...new Set(properties)].sort()
  }
}

/** Tells whether an image cannot have the property from around a picture. */
export const isOfTheBox = (property: string): boolean => OF_THE_BOX.includes(property)

const inherits = ({ property, value }: Declaration): boolean =>
  /^inherit\s*(?:!|$)/i.test(value) && !HANDED_ON.test(property)
