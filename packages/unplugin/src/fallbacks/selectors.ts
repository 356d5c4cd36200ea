import type { DefaultTreeAdapterTypes } from 'parse5'
import { ANY_OF } from './parse-selectors.ts'
import type { Compound, Pseudo, Selector } from './parse-selectors.ts'
import { ANY, placesOfChildren } from './unknown-elements.ts'

type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.ChildNode

const STRUCTURAL = /^(?:first|last|only|nth|nth-last)-(?:child|of-type)$/
/**
 * Tells whether it depends on what an element's parent or siblings are, so that an element put around it can change its
 * match.
 */
export function isStructural({ compounds }: Selector): boolean {
  return compounds.some(
    ({ combinator, type, pseudos }, index) =>
      (index > 0 && combinator !== ' ') ||
      type === 'picture' ||
      type === 'source' ||
      pseudos.some(({ name, inner }) => STRUCTURAL.test(name) || name === 'has' || inner.some(isStructural)),
  )
}

/** Tells whether what it says of siblings can change for those of an element that gets another around it. */
export function looksAtSiblings({ compounds }: Selector): boolean {
  return (
    compounds.some(({ combinator }, index) => index > 0 && (combinator === '+' || combinator === '~')) ||
    looksInside({ compounds })
  )
}

/**
 * Tells whether an element can have a part in what the selector says of elements around it: most say nothing of an
 * image.
 */
export function mayInvolve(selector: Selector, element: Element): boolean {
  const { compounds } = selector
  return looksInside(selector) || compounds.slice(0, -1).some((compound) => isNamedLike(compound, element))
}

function looksInside({ compounds }: Pick<Selector, 'compounds'>): boolean {
  return compounds.some(({ pseudos }) =>
    pseudos.some(({ name, inner }) => name.endsWith('of-type') || name === 'has' || inner.some(looksAtSiblings)),
  )
}

/**
 * Tells whether an element may come to match: names that scripts may add count where it has one of the compound's
 * names, and states (`:hover`) always.
 */
export function mayMatch({ compounds }: Selector, element: Element): boolean {
  return matchesFrom(compounds, compounds.length - 1, element, false)
}

/** Tells whether it matches whatever scripts and readers do: what `:not()` has to ask of what is in it. */
function surelyMatches({ compounds }: Selector, element: Element): boolean {
  return matchesFrom(compounds, compounds.length - 1, element, true)
}

function matchesFrom(compounds: readonly Compound[], index: number, element: Element, isSure: boolean): boolean {
  const compound = compounds[index]!
  if (!matchesCompound(compound, element, isSure)) return false
  if (index === 0) return true
  const before = (candidate: Element | undefined): boolean =>
    candidate !== undefined && matchesFrom(compounds, index - 1, candidate, isSure)
  switch (compound.combinator) {
    case '>':
      return before(parentOf(element))
    case '+':
      return before(siblingsOf(element)[indexOf(element) - 1])
    case '~':
      return siblingsOf(element).slice(0, indexOf(element)).some(before)
    default:
      for (let at = parentOf(element); at !== undefined; at = parentOf(at)) if (before(at)) return true
      return false
  }
}

function matchesCompound(compound: Compound, element: Element, isSure: boolean): boolean {
  const isNamed = isSure ? isNamedExactly(compound, element) : isNamedLike(compound, element)
  return isNamed && compound.pseudos.every((pseudo) => matchesPseudo(pseudo, element, isSure))
}

function isNamedExactly({ type, names }: Compound, element: Element): boolean {
  return (type === undefined || element.tagName === type) && names.every((name) => hasName(element, name, true))
}

function isNamedLike({ type, names }: Compound, element: Element): boolean {
  if (type !== undefined && element.tagName !== type && element.tagName !== ANY) return false
  return names.length === 0 || names.some((name) => hasName(element, name))
}

/**
 * Values of attributes are states as a rule, which scripts change: that there is one may be enough, and is never sure.
 */
function hasName({ attrs }: Element, name: string, isSure = false): boolean {
  const value = (attribute: string): string => attrs.find((each) => each.name === attribute)?.value ?? ''
  if (!isSure && attrs.some((each) => each.name === ANY)) return true
  if (name.startsWith('#')) return value('id') === name.slice(1)
  if (name.startsWith('[')) {
    const hasValue = name.endsWith('=')
    return !(hasValue && isSure) && attrs.some((each) => each.name === name.slice(1, hasValue ? -1 : undefined))
  }
  return value('class').split(/\s+/).includes(name.slice(1))
}

function matchesPseudo({ name, text, inner }: Pseudo, element: Element, isSure: boolean): boolean {
  const matches = isSure ? surelyMatches : mayMatch
  if (name === 'not') return !inner.some((each) => (isSure ? mayMatch : surelyMatches)(each, element))
  if (name === 'has') return inner.some((each) => hasRelative(each, element, isSure))
  if (ANY_OF.test(name)) return inner.some((each) => matches(each, element))
  if (!STRUCTURAL.test(name)) return !isSure
  const isThere = placesOfChildren(element.parentNode)
  if (isThere !== undefined) return isThere && !isSure
  const ofType = name.endsWith('of-type')
  const all = siblingsOf(element).filter(({ tagName }) => !ofType || tagName === element.tagName)
  const place = all.indexOf(element) + 1
  const fromEnd = all.length - place + 1
  if (name.startsWith('first')) return place === 1
  if (name.startsWith('last')) return fromEnd === 1
  if (name.startsWith('only')) return all.length === 1
  return isNth(text, name.startsWith('nth-last') ? fromEnd : place)
}

/** The first combinator of `:has()` leads away from the element. */
function hasRelative({ compounds }: Selector, element: Element, isSure: boolean): boolean {
  const siblings = siblingsOf(element)
  const at = indexOf(element)
  const first = compounds[0]!.combinator
  const around = first === '+' || first === '~' ? siblings.slice(at + 1) : childrenOf(element)
  const candidates = around.flatMap((each) => [each, ...descendantsOf(each)])
  return candidates.some((each) => {
    if (!matchesFrom(compounds, compounds.length - 1, each, isSure)) return false
    if (compounds.length > 1) return true
    if (first === '>') return parentOf(each) === element
    return first === '+' ? siblings[at + 1] === each : true
  })
}

function isNth(formula: string, place: number): boolean {
  const text = formula
    .toLowerCase()
    .replace(/\s+of\s.*$/s, '')
    .replace(/\s/g, '')
  const words: Readonly<Record<string, string>> = { odd: '2n+1', even: '2n' }
  const [, step, offset] = /^(?:([+-]?\d*)n)?([+-]?\d+)?$/.exec(words[text] ?? text) ?? []
  if (step === undefined && offset === undefined) return true
  const a = step === undefined ? 0 : step === '' || step === '+' ? 1 : step === '-' ? -1 : Number(step)
  const rest = place - Number(offset ?? 0)
  return a === 0 ? rest === 0 : rest % a === 0 && rest / a >= 0
}

function parentOf(element: Element): Element | undefined {
  const parent = element.parentNode
  return parent !== null && 'tagName' in parent ? parent : undefined
}

const isElement = (node: Node): node is Element => 'tagName' in node
const childrenOf = (element: Element): readonly Element[] => placesIn(element.childNodes).elements
const descendantsOf = (element: Element): Element[] =>
  childrenOf(element).flatMap((child) => [child, ...descendantsOf(child)])
const siblingsOf = (element: Element): readonly Element[] =>
  element.parentNode === null ? [element] : placesIn(element.parentNode.childNodes).elements
const indexOf = (element: Element): number =>
  element.parentNode === null ? 0 : (placesIn(element.parentNode.childNodes).places.get(element) ?? -1)

interface Places {
  readonly elements: readonly Element[]
  readonly places: ReadonlyMap<Element, number>
}

/** The keys are lists of children: whoever changes one puts another in its place. */
const PLACES = new WeakMap<readonly Node[], Places>()

function placesIn(nodes: readonly Node[]): Places {
  let known = PLACES.get(nodes)
  if (known === undefined) {
    const elements = nodes.filter(isElement)
    known = { elements, places: new Map(elements.map((element, index) => [element, index])) }
    PLACES.set(nodes, known)
  }
  return known
}
