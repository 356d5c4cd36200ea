import { html as names, parse, parseFragment } from 'parse5'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { escapedText, rawText } from '../references/html-text.ts'
import { parseSrcset } from '@pixpress/core/internal'

/** An element of a page, as parse5 gives it. */
export type Element = DefaultTreeAdapterTypes.Element
/** A node of a page, as parse5 gives it. */
export type Node = DefaultTreeAdapterTypes.Node

/** A change of a page's text. `end` is `start` for what is only put in. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** One image of several that an element shows. */
export interface Candidate {
  readonly url: string
  readonly descriptor: string
}

/** The tree of a page or of a part of one, with the places of elements in the text. */
export function treeOf(html: string): Node {
  const options = { sourceCodeLocationInfo: true, scriptingEnabled: false }
  const text = html.replace(/^\uFEFF/, ' ')
  return /<(?:!doctype|html|head|body)[\s>]/i.test(html) ? parse(text, options) : parseFragment(text, options)
}

/** In the order of the document. */
export function* elementsOf(root: Node): Generator<Element, void, undefined> {
  const open: Node[] = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if ('tagName' in node) yield node
    if ('childNodes' in node) for (const child of node.childNodes.toReversed()) open.push(child)
    if ('content' in node) open.push(node.content)
  }
}

/** The text with all changes made. */
export function applied(html: string, edits: readonly Edit[]): string {
  let result = ''
  let copied = 0
  // Texts at one offset keep their order, an end of one picture before the begin of the next.
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    result += html.slice(copied, start) + text
    copied = end
  }
  return result + html.slice(copied)
}

/** Returns the value of an attribute; `undefined` if the element has none of this name. */
export const attribute = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((each) => each.name === name)?.value

/** Gives what a `srcset` has, or else `src`, which browsers take where there is none. */
export function candidatesOf(element: Element): Candidate[] {
  const inSrcset = candidatesIn(element, 'srcset')
  return inSrcset.length > 0 ? inSrcset : candidatesIn(element, 'src')
}

/** Those of one attribute. */
export function candidatesIn(element: Element, name: string): Candidate[] {
  const value = attribute(element, name) ?? ''
  if (name.endsWith('srcset')) return parseSrcset(value)
  const url = value.trim()
  return url === '' ? [] : [{ url, descriptor: '' }]
}

/** The CSS of a `<style>`, and where it stands. */
export function styleText(
  html: string,
  element: Element,
): { text: string; start: number; end: number; encode(text: string): string } {
  const location = element.sourceCodeLocation
  const start = location?.startTag?.endOffset ?? 0
  const end = location?.endTag?.startOffset ?? start
  const hasEntities = element.namespaceURI === names.NS.SVG && !html.slice(start, end).includes('<![CDATA[')
  const { text, encode } = hasEntities ? escapedText(html, start, end) : rawText(html, start, end)
  return { text, start, end, encode }
}
