import { html as names } from 'parse5'
import { attributeText } from '../references/html-text.ts'
import { encodeSrcsetUrl } from '@pixpress/core/internal'
import { withImageSets } from './image-sets.ts'
import { isOfTheBox } from './inheriting.ts'
import type { UrlAlternatives, TypedUrl, FileAlternatives } from './alternatives.ts'
import { applied, attribute, candidatesIn, candidatesOf, elementsOf, styleText, treeOf } from './page-tree.ts'
import type { Candidate, Edit, Element } from './page-tree.ts'
import { ADDED } from './picture-selectors.ts'
import type { SparePictures } from './picture-selectors.ts'
import { beginningOf, createProportions, hasPolicy, ratioOf } from './proportions.ts'
import { createWrapping } from './wrapping.ts'

/**
 * The page with other types offered wherever it shows images of ours: an `<img>` gets a `<picture>` with a `<source>`
 * for each type, a `<source>` without a type gets others before it, CSS gets `image-set()`, and a preload is of the
 * first type that the page then asks for. Everything else stays as it is, byte for byte.
 *
 * The picture has no box of its own, so that the image keeps its place in a flex or grid container, and hands on what
 * rules have the image inherit, and rules on `picture` do not apply to it. None is put where a selector would tell the
 * difference (`.card > img`).
 * @param stylesheets all that may apply to the page, besides its own `<style>`
 * @param spare has rules of a `<style>` leave added pictures alone. Default: they stay as they are
 */
export async function withPictures(
  html: string,
  alternatives: FileAlternatives,
  stylesheets: readonly string[],
  spare: SparePictures = (css) => css,
): Promise<string> {
  const elements = [...elementsOf(treeOf(html))].filter(({ sourceCodeLocation }) => sourceCodeLocation != null)
  const styles = elements.filter(({ tagName }) => tagName === 'style')
  const isSpared = elements.some(({ tagName }) => tagName === 'img') && !hasPolicy(elements)
  const spared: SparePictures = (css) => (isSpared ? spare(css) : css)
  const rules = [...stylesheets, ...styles.map((style) => spared(styleText(html, style).text))]
  const wrapping = createWrapping(rules)
  const head = beginningOf(elements)
  const proportions = createProportions(rules)
  // Misnested elements are in the tree more than once.
  const edits = new Map<string, Edit>()
  const add = (edit: Edit | undefined): void => {
    if (edit !== undefined) edits.set(`${edit.start} ${edit.end} ${edit.text}`, edit)
  }
  for (const element of elements) {
    add(await styleAttribute(html, element, alternatives))
    if (element.tagName === 'style') add(await styleElement(html, element, alternatives, spared))
    if (element.namespaceURI !== names.NS.HTML || attribute(element, OPT_OUT) === 'off') continue
    if (element.tagName === 'img') {
      if (head !== undefined) add(await ratioOf(element, alternatives, proportions))
      for (const edit of await pictureAround(html, element, alternatives, wrapping)) add(edit)
    } else if (element.tagName === 'source') add(await sourcesBefore(html, element, alternatives))
  }
  for (const element of elements) {
    if (element.tagName === 'link') for (const edit of await preloadOf(html, element, alternatives)) add(edit)
  }
  const style = proportions.style()
  if (style !== '') add({ start: head!, end: head!, text: style })
  return applied(html, [...edits.values()])
}

/**
 * `<img data-pixpress="off">` keeps its type, for scripts that set `src`: a source beside it would go on being shown.
 */
const OPT_OUT = 'data-pixpress'

async function pictureAround(
  html: string,
  image: Element,
  alternatives: FileAlternatives,
  wrapping: ReturnType<typeof createWrapping>,
): Promise<Edit[]> {
  const candidates = candidatesOf(image)
  for (const { url } of candidates) if (!(await alternatives.has(url))) return []
  if (candidates.length === 0) return []
  const isInPicture =
    image.parentNode !== null && 'tagName' in image.parentNode && image.parentNode.tagName === 'picture'
  const inherited = isInPicture ? [] : wrapping.inherited(image)
  const ofTheBox = inherited.find(isOfTheBox)
  if (ofTheBox !== undefined) {
    for (const { url } of candidates)
      await alternatives.refuse(url, `A rule has its <img> inherit what is around it: ${ofTheBox}`)
    return []
  }
  const selector = isInPicture ? undefined : wrapping.wrap(image)
  if (selector !== undefined) {
    for (const { url } of candidates)
      await alternatives.refuse(url, `A rule looks at where its <img> stands: ${selector}`)
    return []
  }
  const found = await findAll(candidates, alternatives)
  if (found === undefined) return []
  const types = typesOfAll(found).filter((type) => !isInPicture || !hasSource(image.parentNode as Element, type))
  const sources = (await takeTypes(found, candidates, types)).map((source) =>
    sourceElement(source, attributesOf(image, ['sizes'])),
  )
  if (sources.length === 0) return []
  const { startOffset: start, endOffset: end } = image.sourceCodeLocation!
  if (isInPicture) return [{ start, end: start, text: sources.join('') }]
  const style = ['display:contents', ...inherited.map((property) => `${property}:inherit`)].join(';')
  return [
    { start, end: start, text: `<picture ${ADDED} style="${style}">${sources.join('')}` },
    { start: end, end, text: '</picture>' },
  ]
}

/** Tells whether a picture offers the type whatever the window: no browser would get to another source of it. */
function hasSource(picture: Element, type: string): boolean {
  return picture.childNodes.some(
    (node) =>
      'tagName' in node &&
      node.tagName === 'source' &&
      attribute(node, 'type')?.trim().toLowerCase() === type &&
      attribute(node, 'media') === undefined,
  )
}

/** Adds sources to a picture that is there already. */
async function sourcesBefore(
  _html: string,
  source: Element,
  alternatives: FileAlternatives,
): Promise<Edit | undefined> {
  if (attribute(source, 'type') !== undefined || attribute(source, 'srcset') === undefined) return undefined
  const candidates = candidatesOf(source)
  const found = await findAll(candidates, alternatives)
  if (found === undefined) return undefined
  const rest = attributesOf(
    source,
    source.attrs.map(({ name }) => name).filter((name) => name !== 'srcset' && name !== 'src' && name !== 'id'),
  )
  const text = (await takeAll(found, candidates)).map((each) => sourceElement(each, rest)).join('')
  const start = source.sourceCodeLocation!.startOffset
  return text === '' ? undefined : { start, end: start, text }
}

/**
 * A page has to fetch in advance the image that it shows then: the type that is preferred, for browsers that read it.
 */
async function preloadOf(html: string, link: Element, alternatives: FileAlternatives): Promise<Edit[]> {
  const rel = (attribute(link, 'rel') ?? '').toLowerCase().split(/\s+/)
  if (!rel.includes('preload') || attribute(link, 'as')?.toLowerCase() !== 'image') return []
  if (attribute(link, 'type') !== undefined) return []
  const places = ['href', 'imagesrcset'].filter((name) => (attribute(link, name) ?? '').trim() !== '')
  const all = places.flatMap((name) => candidatesIn(link, name))
  const found = await findAll(all, alternatives)
  if (found === undefined || found.some(({ isTaken }) => !isTaken)) return []
  const [type] = typesOfAll(found)
  if (type === undefined) return []
  const edits: Edit[] = []
  for (const name of places) {
    const candidates = candidatesIn(link, name)
    const offersHere = found.splice(0, candidates.length)
    const [source] = await takeTypes(offersHere, candidates, [type])
    if (source === undefined) return []
    const location = link.sourceCodeLocation!.attrs![name]!
    const value = attributeText(html, name, location.startOffset, location.endOffset)
    const written = name === 'href' ? source.urls[0]! : source.srcset
    edits.push({
      start: value.sourceOffset(0),
      end: value.sourceOffset(value.text.length),
      text: value.encode(written),
    })
  }
  const { startOffset } = link.sourceCodeLocation!
  const behindName = startOffset + '<link'.length
  return [...edits, { start: behindName, end: behindName, text: ` type="${type}"` }]
}

interface Source {
  readonly type: string
  readonly srcset: string
  readonly urls: readonly string[]
}

/** The alternatives of all; `undefined` where one of them has none, as a set of two types would be none. */
async function findAll(
  candidates: readonly Candidate[],
  alternatives: FileAlternatives,
): Promise<UrlAlternatives[] | undefined> {
  const found: UrlAlternatives[] = []
  for (const { url } of candidates) {
    const offer = await alternatives.find(url)
    if (offer === undefined) return undefined
    found.push(offer)
  }
  return found.length === 0 ? undefined : found
}

/** The types that there are of all, the preferred first. */
function typesOfAll(alternatives: readonly UrlAlternatives[]): string[] {
  return (alternatives[0]?.types ?? []).filter((type) => alternatives.every(({ types }) => types.includes(type)))
}

const takeAll = (alternatives: readonly UrlAlternatives[], candidates: readonly Candidate[]): Promise<Source[]> =>
  takeTypes(alternatives, candidates, typesOfAll(alternatives))

async function takeTypes(
  alternatives: readonly UrlAlternatives[],
  candidates: readonly Candidate[],
  types: readonly string[],
): Promise<Source[]> {
  const taken: (readonly TypedUrl[])[] = []
  for (const offer of alternatives) taken.push(types.length === 0 ? [] : await offer.take(types))
  return types.map((type) => {
    const urls = taken.map((each) => each.find((one) => one.type === type)!.url)
    const srcset = urls
      .map((url, index) => `${encodeSrcsetUrl(url)} ${candidates[index]!.descriptor}`.trim())
      .join(', ')
    return { type, srcset, urls }
  })
}

/** Without a box: in a flex or grid container each source would be an item, with a gap. */
function sourceElement({ type, srcset }: Source, attributes: string): string {
  const style = / style="/.test(attributes) ? '' : ' style="display:none"'
  return `<source type="${type}" srcset="${quoted(srcset)}"${attributes}${style}>`
}

function attributesOf(element: Element, wanted: readonly string[]): string {
  return element.attrs
    .filter(({ name }) => wanted.includes(name))
    .map(({ name, value }) => ` ${name}="${quoted(value)}"`)
    .join('')
}

const quoted = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

async function styleAttribute(
  html: string,
  element: Element,
  alternatives: FileAlternatives,
): Promise<Edit | undefined> {
  const location = element.sourceCodeLocation?.attrs?.style
  if (location === undefined || !/url\(/i.test(attribute(element, 'style') ?? '')) return undefined
  const { text, encode, sourceOffset } = attributeText(html, 'style', location.startOffset, location.endOffset)
  const changed = await withImageSets(text, alternatives)
  if (changed === text) return undefined
  return { start: sourceOffset(0), end: sourceOffset(text.length), text: encode(changed) }
}

async function styleElement(
  html: string,
  element: Element,
  alternatives: FileAlternatives,
  spare: SparePictures,
): Promise<Edit | undefined> {
  const { text, start, end, encode } = styleText(html, element)
  const changed = await withImageSets(spare(text), alternatives)
  return changed === text ? undefined : { start, end, text: encode(changed) }
}
