/** One selector without commas: compounds, each with the combinator before it. */
export interface Selector {
  readonly text: string
  readonly compounds: readonly Compound[]
}

/** A part of a selector between combinators. */
export interface Compound {
  /** ` `, `>`, `+`, `~`; of the first one meaningless, but in `:has()`. */
  readonly combinator: string
  /** Lower case; `undefined` for any. */
  readonly type: string | undefined
  /** `.class`, `#id`, `[attribute`, and `[attribute=` where a value is asked for. */
  readonly names: readonly string[]
  readonly pseudos: readonly Pseudo[]
}

/** A pseudo-class or pseudo-element. */
export interface Pseudo {
  readonly name: string
  readonly text: string
  readonly inner: readonly Selector[]
}

/** Pseudo-classes with selectors in them. */
export const ANY_OF: RegExp = /^(?:is|where|matches|-webkit-any|-moz-any|not|has)$/

/** Parses the selectors of a rule's prelude. Text that is no selector is left out. */
export function parseSelectors(prelude: string): Selector[] {
  return splitAtCommas(prelude).flatMap((text) => {
    const compounds = parseCompounds(text.trim())
    return compounds.length === 0 ? [] : [{ text: text.trim(), compounds }]
  })
}

// A name may hold escapes: `.w-1\/2`.
const NAME = String.raw`(?:[-\w]|[^\0-\x7f]|\\[^])+`
const PART = new RegExp(String.raw`(::?)(${NAME})|([.#]?)(${NAME}|\*)|\[\s*(?:[-\w*]*\|)?(${NAME})`, 'y')

function parseCompounds(text: string): Compound[] {
  const compounds: Compound[] = []
  let combinator = ' '
  let current: { type: string | undefined; names: string[]; pseudos: Pseudo[] } | undefined
  const flush = (): void => {
    if (current !== undefined) compounds.push({ combinator, ...current })
    current = undefined
  }
  let at = 0
  while (at < text.length) {
    const space = /\s*([>+~]|\|\|)?\s*/y
    space.lastIndex = at
    const gap = space.exec(text)!
    if (gap[0] !== '') {
      flush()
      combinator = gap[1] ?? ' '
      at = space.lastIndex
      continue
    }
    current ??= { type: undefined, names: [], pseudos: [] }
    if (text[at] === '&') {
      at++
      continue
    }
    PART.lastIndex = at
    const part = PART.exec(text)
    if (part === null) return []
    const [, , pseudo, prefix, name, attribute] = part
    at = PART.lastIndex
    if (pseudo !== undefined) {
      const end = text[at] === '(' ? endOfGroup(text, at) : at
      const inside = text.slice(at + 1, Math.max(at + 1, end - 1))
      const lower = pseudo.toLowerCase()
      current.pseudos.push({ name: lower, text: inside, inner: ANY_OF.test(lower) ? parseSelectors(inside) : [] })
      at = end
    } else if (attribute !== undefined) {
      at = endOfGroup(text, part.index)
      current.names.push(nameOfAttribute(attribute.toLowerCase(), text.slice(PART.lastIndex, at - 1)))
    } else if (prefix !== '') current.names.push(prefix + unescaped(name!))
    else if (name !== '*') current.type = name!.toLowerCase()
  }
  flush()
  return compounds
}

/**
 * Classes and identities in the form that they have without brackets; of other attributes with a value the name and
 * `=`.
 */
function nameOfAttribute(attribute: string, rest: string): string {
  const value = /^\s*(~?)=\s*(["']?)([^\s"'\]]+)\2\s*$/.exec(rest)
  if (value !== null && attribute === 'class' && value[1] === '~') return `.${value[3]!}`
  if (value !== null && attribute === 'id' && value[1] === '') return `#${value[3]!}`
  return `[${attribute}${rest.includes('=') ? '=' : ''}`
}

const unescaped = (name: string): string =>
  name.replace(/\\(?:([\da-f]{1,6})\s?|([^]))/gi, (_, hex?: string, character?: string) =>
    hex === undefined ? (character ?? '') : String.fromCodePoint(Number.parseInt(hex, 16) % 0x11_0000),
  )

/** Gives the offset behind the bracket that closes the one at `start`. */
function endOfGroup(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]!
    if (character === '\\') at++
    else if (character === '"' || character === "'") {
      at = text.indexOf(character, at + 1)
      if (at === -1) return text.length
    } else if (character === '(' || character === '[') depth++
    else if ((character === ')' || character === ']') && --depth === 0) return at + 1
  }
  return text.length
}

function splitAtCommas(text: string): string[] {
  const parts: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '(' || text[at] === '[') at = endOfGroup(text, at) - 1
    else if (text[at] === ',') {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}
