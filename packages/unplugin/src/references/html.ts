import { html as htmlNames, parse, parseFragment, type DefaultTreeAdapterTypes } from 'parse5'
import { findInDeclaration, findInStylesheet } from './css.ts'
import { attributeText, escapedText, rawText, type EmbeddedText } from './html-text.ts'
import { encodeSrcsetUrl, parseSrcset } from '@pixpress/core/internal'
import type { Reference, ReferenceKind } from './types.ts'
import { mayNameFile, normalizeUrl } from './url.ts'
import type { TakesUrl } from './url.ts'

type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.Node

/** Options for reading a page. */
export interface PageOptions {
  /** Which URLs are wanted. Default: those that can name a file of the project */
  takes?: TakesUrl
  /** Tells whether an element is passed over. Default: none is */
  passesOver?(element: Element): boolean
}

/**
 * The URLs of images in an HTML document or fragment, in the order in which they stand there:
 *
 * - `src` and `srcset` of `img` and `source`, `src` of `embed` and `input type=image`, `poster` of `video`, `data` of
 *   `object`, `href` and `xlink:href` of `image` and `use` in SVG
 * - `href` of icons; `href` and `imagesrcset` of `link rel=preload as=image`
 * - `content` of `meta` for Open Graph, Twitter, schema.org's `image` and Windows' tiles
 * - CSS in `style` attributes and `style` elements
 *
 * Content of `template` and `noscript` counts; comments, scripts and what browsers take as plain text do not. Left out
 * are URLs that are not wanted and elements marked `vite-ignore`. Never throws.
 *
 * Elements that the HTML standard drops while it builds a tree are not seen, such as an `img` inside `select`.
 */
export function findInHtml(html: string, { takes = mayNameFile, passesOver }: PageOptions = {}): Reference[] {
  const options = { sourceCodeLocationInfo: true, scriptingEnabled: false }
  const isDocument = /<(?:!doctype|html|head|body)[\s>]/i.test(html)
  // A byte order mark would count as text, which begins the body. A space does not, and keeps the offsets.
  const text = html.replace(/^\uFEFF/, ' ')
  const root = isDocument ? parse(text, options) : parseFragment(text, options)
  const byStart = new Map<number, Reference>()
  // Misnested formatting elements appear more than once in the tree, but once in the source.
  const add: Add = (reference) => void byStart.set(reference.start, reference)
  const found: Found = { add, takes }
  forEachElement(root, (element) => {
    if (passesOver?.(element) !== true) addReferences(html, element, found)
  })
  return [...byStart.values()].sort((a, b) => a.start - b.start)
}

/**
 * Takes a reference. The functions hand on what they find, as generators took longer to be compiled than a page of a
 * thousand images to be read.
 */
type Add = (reference: Reference) => void

/** Where references go, and which of them are wanted. */
interface Found {
  readonly add: Add
  readonly takes: TakesUrl
}

/** Visits all elements below a node, `template` contents included. Iterative, for documents may nest very deep. */
function forEachElement(root: Node, visit: (element: Element) => void): void {
  const open: Node[] = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if ('tagName' in node) visit(node)
    if ('content' in node) open.push(node.content)
    if ('childNodes' in node) for (const child of node.childNodes) open.push(child)
  }
}

function addReferences(html: string, element: Element, found: Found): void {
  const { add, takes } = found
  const locations = element.sourceCodeLocation?.attrs ?? {}
  const typed = isTyped(element) || isBesideTyped(element)
  const isDocument = DOCUMENTS.has(element.tagName)
  const isUnsized = isUnsizedImage(element)
  const marked: Add = (reference) => {
    if (typed) reference.declaresType = true
    if (isDocument) reference.isDocument = true
    if (isUnsized) reference.isUnsized = true
    if (takes(reference.url)) add(reference)
  }
  for (const [name, kind] of imageAttributes(element)) {
    const location = locations[name]
    if (location === undefined) continue
    const value = attributeText(html, name, location.startOffset, location.endOffset)
    if (kind === 'html-style') addInCss(html, value, findInDeclaration(value.text, takes), add)
    else if (kind === 'html-srcset') addInSrcset(html, value, marked)
    else addUrl(html, value, kind, marked)
  }
  if (element.tagName !== 'style') return
  const css = styleText(html, element)
  addInCss(html, css, findInStylesheet(css.text, { takes }), add)
}

const isTyped = (element: Element): boolean => keyword(element, 'type').startsWith('image/')

/** Tells whether an author has chosen formats: of an `<img>` or `<source>` in a `<picture>` with a typed source. */
function isBesideTyped({ tagName, parentNode }: Element): boolean {
  if (tagName !== 'img' && tagName !== 'source') return false
  if (parentNode === null || !('tagName' in parentNode) || parentNode.tagName !== 'picture') return false
  return parentNode.childNodes.some((each) => 'tagName' in each && each.tagName === 'source' && isTyped(each))
}

function isUnsizedImage(element: Element): boolean {
  if (element.tagName !== 'img') return false
  const isSized = keyword(element, 'width') !== '' && keyword(element, 'height') !== ''
  return !isSized && !/(?:^|[\s;])(?:height|aspect-ratio)\s*:/.test(keyword(element, 'style'))
}

/** Elements that show an SVG as a document, or a part of one. */
const DOCUMENTS: ReadonlySet<string> = new Set(['object', 'embed', 'use'])

/** Attributes by their names in the source, which may be absent. */
type Attributes = readonly (readonly [name: string, kind: ReferenceKind])[]

const STYLE: Attributes = [['style', 'html-style']]
const LINKED: Attributes = [...STYLE, ['href', 'html-src'], ['xlink:href', 'html-src']]
const BY_TAG: Readonly<Record<string, Attributes>> = {
  img: [...STYLE, ['src', 'html-src'], ['srcset', 'html-srcset']],
  source: [...STYLE, ['src', 'html-src'], ['srcset', 'html-srcset']],
  video: [...STYLE, ['poster', 'html-poster']],
  embed: [...STYLE, ['src', 'html-src']],
  object: [...STYLE, ['data', 'html-src']],
}

/** The attributes of an element that hold images. */
function imageAttributes(element: Element): Attributes {
  const { tagName, namespaceURI } = element
  if (element.attrs.some(({ name }) => name === 'vite-ignore')) return []
  if (namespaceURI === htmlNames.NS.SVG) return tagName === 'image' || tagName === 'use' ? LINKED : STYLE
  if (namespaceURI !== htmlNames.NS.HTML) return STYLE
  if (Object.hasOwn(BY_TAG, tagName)) return BY_TAG[tagName]!
  if (tagName === 'input' && keyword(element, 'type') === 'image') return BY_TAG.embed!
  if (tagName === 'link') return [...STYLE, ...linkAttributes(element)]
  const isImage = tagName === 'meta' && META_NAMES.some((attribute) => META_IMAGES.has(keyword(element, attribute)))
  return isImage ? [...STYLE, ['content', 'html-meta']] : STYLE
}

const ICONS: ReadonlySet<string> = new Set([
  'icon',
  'apple-touch-icon',
  'apple-touch-icon-precomposed',
  'apple-touch-startup-image',
  'mask-icon',
])

function linkAttributes(element: Element): Attributes {
  const rel = keyword(element, 'rel').split(/[\t\n\f\r ]+/)
  if (rel.some((type) => ICONS.has(type))) return [['href', 'html-icon']]
  const isPreload = rel.includes('preload') && keyword(element, 'as') === 'image'
  return isPreload ? PRELOADED : []
}

const PRELOADED: Attributes = [
  ['href', 'html-src'],
  ['imagesrcset', 'html-srcset'],
]

const META_NAMES = ['property', 'name', 'itemprop'] as const

/** Sites mix up `property` and `name`, and readers take either. */
const META_IMAGES: ReadonlySet<string> = new Set([
  'og:image',
  'og:image:url',
  'og:image:secure_url',
  'twitter:image',
  'twitter:image:src',
  'image',
  'msapplication-tileimage',
  'msapplication-square70x70logo',
  'msapplication-square150x150logo',
  'msapplication-wide310x150logo',
  'msapplication-square310x310logo',
])

function keyword(element: Element, name: string): string {
  return (
    element.attrs
      .find((attribute) => attribute.name === name)
      ?.value.trim()
      .toLowerCase() ?? ''
  )
}

function styleText(html: string, element: Element): EmbeddedText {
  const location = element.sourceCodeLocation
  const type = keyword(element, 'type')
  if (!location?.startTag || (type !== '' && type !== 'text/css')) return rawText(html, 0, 0)
  const start = location.startTag.endOffset
  // One that is not closed has no end of its own.
  const end = location.endTag?.startOffset ?? element.childNodes.at(-1)?.sourceCodeLocation?.endOffset ?? start
  const hasEntities = element.namespaceURI === htmlNames.NS.SVG && !html.slice(start, end).includes('<![CDATA[')
  return hasEntities ? escapedText(html, start, end) : rawText(html, start, end)
}

function addUrl(html: string, value: EmbeddedText, kind: ReferenceKind, add: Add): void {
  const start = value.text.search(/[^\t\n\f\r ]/)
  if (start === -1) return
  let end = value.text.length
  while (/[\t\n\f\r ]/.test(value.text[end - 1]!)) end--
  const url = normalizeUrl(value.text)
  add(embedded(html, value, { kind, url, start, end, encode: (given) => given }))
}

function addInSrcset(html: string, value: EmbeddedText, add: Add): void {
  for (const { url, start, end } of parseSrcset(value.text))
    add(embedded(html, value, { kind: 'html-srcset', url, start, end, encode: encodeSrcsetUrl }))
}

function addInCss(html: string, value: EmbeddedText, found: readonly Reference[], add: Add): void {
  for (const reference of found) add(embedded(html, value, { ...reference, kind: 'html-style' }))
}

/** A reference in a text as a reference in the HTML that holds the text. */
function embedded(html: string, value: EmbeddedText, reference: Reference): Reference {
  const start = value.sourceOffset(reference.start)
  const end = value.sourceOffset(reference.end)
  const encode = (url: string): string =>
    url === reference.url ? html.slice(start, end) : value.encode(reference.encode(url))
  return { ...reference, start, end, encode }
}
