import type { DefaultTreeAdapterTypes } from 'parse5'
import { createWrapping } from '../fallbacks/wrapping.ts'
import type { Wrapping } from '../fallbacks/wrapping.ts'
import { ANY, fill, makeElement, unplace } from '../fallbacks/unknown-elements.ts'

type Element = DefaultTreeAdapterTypes.Element

/** An element as a template has it. */
export interface TemplateElement {
  /** Lower case; `undefined` for a component, or whatever else may stand there. */
  readonly tagName: string | undefined
  /** Attributes and their values, as far as they are known. */
  readonly attributes: readonly (readonly [string, string])[]
  /** Tells whether it may have other classes and attributes. */
  readonly isOpen: boolean
}

/** Stands for any number of elements, whatever they are. */
export const UNKNOWN = 'unknown'

/** Where a template shows an image. */
export interface Surroundings {
  readonly image: TemplateElement
  /** The elements around it that are known, the nearest first. Nothing is known of what is around the last. */
  readonly ancestors: readonly TemplateElement[]
  /** Its siblings in the nearest element, in order. */
  readonly before: readonly (TemplateElement | typeof UNKNOWN)[]
  readonly after: readonly (TemplateElement | typeof UNKNOWN)[]
}

/** How many elements of which nothing is known are put around a template: more than a selector has parts as a rule. */
const UNKNOWN_DEPTH = 8

/** Says by a sentence what stands against a `<picture>` around an image of a template. */
export type FindObjection = (place: Surroundings) => string | undefined

/**
 * Makes the judge of places: it refuses a picture wherever a rule could tell the difference, whatever a component gets
 * around it and whatever stands in for what is not known.
 * @param stylesheets all that may apply
 */
export function createObjections(stylesheets: readonly string[]): FindObjection {
  const wrapping = createWrapping(stylesheets)
  return (place) => {
    for (const image of possibleTrees(place)) {
      const objection = objectionTo(image, wrapping)
      if (objection !== undefined) return objection
    }
    return undefined
  }
}

function objectionTo(image: Element, wrapping: Wrapping): string | undefined {
  const [inherited] = wrapping.inherited(image)
  if (inherited !== undefined) return `A rule has its <img> inherit what is around it: ${inherited}`
  const selector = wrapping.wrap(image)
  return selector === undefined ? undefined : `A rule looks at where its <img> stands: ${selector}`
}

/** The trees that the place can be part of, as far as selectors can tell them apart. */
function possibleTrees(place: Surroundings): Element[] {
  const isKnown = ![...place.before, ...place.after].includes(UNKNOWN) && place.ancestors.length > 0
  if (isKnown) return [treeOf(place, 'counted')]
  return [treeOf(place, 'anywhere'), treeOf(place, 'nowhere'), treeOf(place, 'counted')]
}

/** @param at what selectors of places say of the image; counted, nothing stands where nothing is known */
function treeOf({ image, ancestors, before, after }: Surroundings, at: 'anywhere' | 'nowhere' | 'counted'): Element {
  const own = elementOf(image)
  const beside = (all: Surroundings['before']): Element[] =>
    all.flatMap((each) => (each !== UNKNOWN ? [elementOf(each)] : at === 'counted' ? [] : [anything()]))
  let [inside, isFirst]: [Element[], boolean] = [[...beside(before), own, ...beside(after)], true]
  const around = [
    ...ancestors.map((each) => elementOf(each)),
    ...Array.from({ length: UNKNOWN_DEPTH }, () => anything()),
  ]
  for (const parent of around) {
    fill(parent, inside)
    if (!isFirst) unplace(parent, true)
    else if (at !== 'counted') unplace(parent, at === 'anywhere')
    inside = [anything(), parent, anything()]
    isFirst = false
  }
  return own
}

const anything = (): Element => makeElement(ANY, [[ANY, '']])

function elementOf({ tagName, attributes, isOpen }: TemplateElement): Element {
  return makeElement(tagName ?? ANY, isOpen || tagName === undefined ? [...attributes, [ANY, '']] : attributes)
}

/** Siblings of an image. */
export type Beside = Pick<Surroundings, 'before' | 'after'>

/**
 * Describes the children of an element before and after the one that is or holds an image.
 * @param index of that one
 * @param isLoose whether others may stand there beside it, as in a loop
 * @param siblingOf describes a child; nothing for one that is no element
 */
export function besideOf<N>(
  children: readonly N[],
  index: number,
  isLoose: boolean,
  siblingOf: (child: N) => Surroundings['before'],
): Beside {
  const loose = isLoose ? ([UNKNOWN] as const) : []
  return {
    before: [...loose, ...children.slice(0, index).flatMap((each) => siblingOf(each))],
    after: [...children.slice(index + 1).flatMap((each) => siblingOf(each)), ...loose],
  }
}

/** Stands for the siblings of an element whose parent is not known. */
export const UNKNOWN_BESIDE: Beside = { before: [UNKNOWN], after: [UNKNOWN] }
