/** An attribute of an opening tag. Offsets are UTF-16. */
export interface TagAttribute {
  /** The text as it is written. */
  readonly name: string
  readonly start: number
  readonly end: number
  /** Without quotes; with the braces of an expression. `undefined` where there is none. */
  readonly value: string | undefined
  /** Holds what stands around the value. */
  readonly quote: '"' | "'" | '{' | ''
  readonly valueStart: number
}

/** The opening tag of an element, as pages and components write it. */
export interface OpeningTag {
  readonly name: string
  readonly start: number
  /** After its `>`. */
  readonly end: number
  readonly attributes: readonly TagAttribute[]
}

const BEGIN = /<(img|source|link|input|video|image)(?=[\s/>])/gi
const SPACE = /[\s/]*/y
const NAME = /[^\s=>/"'{}]+|\{/y
const UNQUOTED = /[^\s>"'`=<{]+/y

/**
 * The opening tags that show images in a page, a Vue, Svelte or Astro component, or JSX. Comments of HTML do not count.
 * A tag that cannot be read is left out; never throws, in time linear to the text.
 */
export function findTags(text: string): OpeningTag[] {
  const tags: OpeningTag[] = []
  const comments = [...text.matchAll(/<!--[^]*?(?:-->|$)/g)].map(({ index, 0: whole }) => [index, index + whole.length])
  let done = 0
  for (const match of text.matchAll(BEGIN)) {
    if (match.index < done || comments.some(([from, to]) => match.index >= from! && match.index < to!)) continue
    const tag = readTag(text, match.index, match[1]!)
    if (tag === undefined) continue
    tags.push(tag)
    done = tag.end
  }
  return tags
}

function readTag(text: string, start: number, name: string): OpeningTag | undefined {
  const attributes: TagAttribute[] = []
  let at = start + 1 + name.length
  while (at < text.length) {
    at = endOf(SPACE, text, at)
    if (text[at] === '>') return { name: name.toLowerCase(), start, end: at + 1, attributes }
    const attribute = readAttribute(text, at)
    if (attribute === undefined) return undefined
    attributes.push(attribute)
    at = attribute.end
  }
  return undefined
}

function readAttribute(text: string, start: number): TagAttribute | undefined {
  const nameEnd = endOf(NAME, text, start)
  if (nameEnd === start) return undefined
  // `{...props}` and Svelte's `{src}` have no name.
  if (text[start] === '{') {
    const end = closingBrace(text, start)
    return end === undefined
      ? undefined
      : { name: '', start, end, value: text.slice(start, end), quote: '{', valueStart: start }
  }
  const name = text.slice(start, nameEnd)
  const equals = /[\s]*=[\s]*/y
  const valueAt = endOf(equals, text, nameEnd)
  if (valueAt === nameEnd) return { name, start, end: nameEnd, value: undefined, quote: '', valueStart: nameEnd }
  const first = text[valueAt]
  if (first === '"' || first === "'") {
    const close = text.indexOf(first, valueAt + 1)
    if (close === -1) return undefined
    const value = text.slice(valueAt + 1, close)
    return { name, start, end: close + 1, value, quote: first, valueStart: valueAt + 1 }
  }
  if (first === '{') {
    const end = closingBrace(text, valueAt)
    if (end === undefined) return undefined
    return { name, start, end, value: text.slice(valueAt, end), quote: '{', valueStart: valueAt }
  }
  const end = endOf(UNQUOTED, text, valueAt)
  return end === valueAt
    ? undefined
    : { name, start, end, value: text.slice(valueAt, end), quote: '', valueStart: valueAt }
}

/** The offset after the brace that closes the one at `open`: strings of the expression hold none. */
function closingBrace(text: string, open: number): number | undefined {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    const character = text[at]!
    if (character === '{') depth++
    else if (character === '}') {
      if (--depth === 0) return at + 1
    } else if (character === '"' || character === "'" || character === '`') {
      for (at++; at < text.length && text[at] !== character; at++) if (text[at] === '\\') at++
    }
  }
  return undefined
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : start
}

/** @param name in any case: JSX writes `srcSet` for `srcset` */
export const attributeOf = ({ attributes }: OpeningTag, name: string): TagAttribute | undefined =>
  attributes.find((each) => each.name.toLowerCase() === name)
