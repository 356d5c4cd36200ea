/** A declaration of a stylesheet, or of a `style` attribute. Offsets are UTF-16, in the text that was read. */
export interface Declaration {
  /** Lower case; of a custom property as it is written. */
  readonly property: string
  /** The value as it is written, `!important` included. */
  readonly value: string
  readonly start: number
  /** Where `value` begins. */
  readonly valueStart: number
  /** The offset behind the value, before a `;`. */
  readonly end: number
  /** Preludes of the blocks that it stands in, the outermost first. */
  readonly blocks: readonly string[]
}

/** The declarations and the preludes of a stylesheet. */
export interface Stylesheet {
  readonly declarations: readonly Declaration[]
  /** Preludes of blocks, of at-rules as well, in order; those of rules within rules with what they nest in. */
  readonly preludes: readonly string[]
  /** Where they are written, with what white space and comments are around them. */
  readonly places: readonly Place[]
}

/** Offsets. */
interface Place {
  readonly start: number
  readonly end: number
}

/**
 * Reads all that a compiler or a browser would accept, and of broken text as much as can be read.
 */
export function readStylesheet(css: string): Stylesheet {
  const declarations: Declaration[] = []
  const preludes: string[] = []
  const places: Place[] = []
  const blocks: string[] = []
  let start = 0
  let colon = -1
  let depth = 0
  let position = 0

  function endStatement(end: number): void {
    if (colon > start) {
      const name = css.slice(start, colon)
      const property = withoutComments(name).trim()
      const leading = /^(?:\s|\/\*[^]*?\*\/)*/.exec(name)![0].length
      const valueStart = colon + 1 + /^\s*/.exec(css.slice(colon + 1, end))![0].length
      const value = css.slice(valueStart, end).trimEnd()
      if (/^-?[\w-]+$/.test(property)) {
        declarations.push({
          property: property.startsWith('--') ? property : property.toLowerCase(),
          value,
          start: start + leading,
          valueStart,
          end: valueStart + value.length,
          blocks: [...blocks],
        })
      }
    }
    colon = -1
    depth = 0
  }

  while (position < css.length) {
    const character = css[position]!
    if (character === '/' && css[position + 1] === '*') {
      const end = css.indexOf('*/', position + 2)
      position = end === -1 ? css.length : end + 2
      continue
    }
    if (character === '"' || character === "'") {
      position = endOfString(css, position)
      continue
    }
    if (character === '\\') {
      position += 2
      continue
    }
    if (character === '(') {
      const url = /url$/i.test(css.slice(Math.max(0, position - 3), position)) ? endOfUrl(css, position) : undefined
      if (url !== undefined) {
        position = url
        continue
      }
      depth++
    } else if (character === '[') depth++
    else if (character === ')' || character === ']') depth = Math.max(0, depth - 1)
    else if (character === ':' && depth === 0 && colon === -1) colon = position
    else if (character === '{' && depth === 0) {
      const prelude = withoutComments(css.slice(start, position)).trim()
      places.push({ start, end: position })
      preludes.push(
        withinRule(
          prelude,
          blocks.findLast((block) => !block.startsWith('@')),
        ),
      )
      blocks.push(prelude)
      start = position + 1
      colon = -1
    } else if (character === '}') {
      endStatement(position)
      blocks.pop()
      start = position + 1
    } else if (character === ';' && depth === 0) {
      endStatement(position)
      start = position + 1
    }
    position++
  }
  endStatement(css.length)
  return { declarations, preludes, places }
}

/** Gives what a nested rule's selectors mean (https://www.w3.org/TR/css-nesting-1/#nest-selector). */
export function withinRule(prelude: string, outer: string | undefined): string {
  if (outer === undefined || prelude.startsWith('@')) return prelude
  const parent = `:is(${outer})`
  return prelude
    .split(/,(?![^([]*[)\]])/)
    .map((part) => (part.includes('&') ? part.replaceAll('&', () => parent) : `${parent} ${part.trim()}`))
    .join(',')
}

const withoutComments = (text: string): string => text.replace(/\/\*[^]*?\*\//g, '')

function endOfString(css: string, start: number): number {
  for (let at = start + 1; at < css.length; at++) {
    if (css[at] === '\\') at++
    else if (css[at] === css[start] || css[at] === '\n') return at + 1
  }
  return css.length
}

/** Gives the offset behind the `)` of a `url(` without quotes; `undefined` for one with quotes. */
function endOfUrl(css: string, open: number): number | undefined {
  let at = open + 1
  while (/\s/.test(css[at] ?? '')) at++
  if (css[at] === '"' || css[at] === "'") return undefined
  for (; at < css.length; at++) {
    if (css[at] === '\\') at++
    else if (css[at] === ')') return at + 1
  }
  return css.length
}
