import { readStylesheet } from './declarations.ts'
import type { FileAlternatives, Size } from './alternatives.ts'
import { attribute, candidatesOf } from './page-tree.ts'
import type { Edit, Element } from './page-tree.ts'
import { parseSelectors } from './parse-selectors.ts'
import { mayMatch } from './selectors.ts'

/** Names the proportions of a page's images, which a stylesheet of its own then gives to browsers. */
export interface Proportions {
  /**
   * @returns the attribute to write into the `<img>`, with a space before it; empty where it has a size, or none may be
   *   told
   */
  note(image: Element, size: Size): string
  /** The `<style>` of all that was noted; empty where that is nothing. */
  style(): string
}

const ATTRIBUTE = 'data-pixpress-ratio'

/**
 * `width` and `height` would be what says this, but they are a size as well: of an `<img>` for which CSS sets one of
 * both, or a largest one, the other would stay. A ratio alone changes no box of an image that has arrived, whose own
 * ratio counts then, and keeps the room for one that is to come. It stands in the lowest of layers and weighs nothing,
 * so that any rule of the project wins.
 * @param stylesheets all that may apply to the page
 */
export function createProportions(stylesheets: readonly string[]): Proportions {
  const without = stylesheets.flatMap((css) => containedBy(css))
  const ratios = new Set<string>()
  return {
    note(image, { width, height }) {
      const has = (name: string): boolean => image.attrs.some((each) => each.name === name)
      if (width === 0 || height === 0 || (has('width') && has('height')) || has(ATTRIBUTE)) return ''
      if (without.some((isFor) => isFor(image))) return ''
      const divisor = greatestDivisor(width, height)
      const ratio = `${width / divisor}/${height / divisor}`
      ratios.add(ratio)
      return ` ${ATTRIBUTE}="${ratio}"`
    },
    style() {
      const rules = [...ratios].map((ratio) => `:where(img[${ATTRIBUTE}="${ratio}"]){aspect-ratio:auto ${ratio}}`)
      return rules.length === 0 ? '' : `<style>@layer pixpress{${rules.join('')}}</style>`
    },
  }
}

/** An image whose size is contained has no ratio of its own, so the one that is told would count for good. */
function containedBy(css: string): ((image: Element) => boolean)[] {
  const rules = readStylesheet(css).declarations.filter(
    ({ property, value }) =>
      (property === 'contain' && /\b(?:size|inline-size|strict)\b|\(/i.test(value)) ||
      property === 'content-visibility',
  )
  return rules.map(({ blocks }) => {
    const prelude = blocks.findLast((block) => !block.startsWith('@')) ?? ''
    const selectors = parseSelectors(prelude)
    return (image) => prelude.includes('&') || selectors.some((selector) => mayMatch(selector, image))
  })
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}

/** Tells the proportions of an image that the page shows in one way alone. */
export async function ratioOf(
  image: Element,
  alternatives: FileAlternatives,
  proportions: Proportions,
): Promise<Edit | undefined> {
  const { parentNode, sourceCodeLocation } = image
  const others = parentNode !== null && 'tagName' in parentNode && parentNode.tagName === 'picture'
  if (others && parentNode.childNodes.some((node) => 'tagName' in node && attribute(node, 'media') !== undefined))
    return undefined
  const sizes: Size[] = []
  for (const { url } of candidatesOf(image)) {
    const size = await alternatives.size(url)
    if (size === undefined) return undefined
    sizes.push(size)
  }
  const largest = sizes.toSorted((a, b) => b.width - a.width)[0]
  // Other sizes of one picture are rounded; other proportions are other pictures.
  if (
    largest === undefined ||
    !sizes.every((size) => Math.abs(heightAt(size, largest) - largest.height) <= ROUNDED * largest.height)
  )
    return undefined
  const text = proportions.note(image, largest)
  const start = sourceCodeLocation!.startOffset + '<img'.length
  return text === '' ? undefined : { start, end: start, text }
}

const ROUNDED = 0.02
const heightAt = ({ width, height }: Size, like: Size): number => (height / width) * like.width

/** Tells whether a page has a policy, which may know its styles by their digests. */
export function hasPolicy(elements: readonly Element[]): boolean {
  return elements.some((element) => /^content-security-policy$/i.test(attribute(element, 'http-equiv') ?? ''))
}

/**
 * Where a stylesheet of the page's own comes before all others: behind what says how the page is encoded. `undefined`
 * in a part of a page, and where its policy may forbid one.
 */
export function beginningOf(elements: readonly Element[]): number | undefined {
  if (hasPolicy(elements)) return undefined
  const head = elements.find(({ tagName }) => tagName === 'head')?.sourceCodeLocation?.startTag?.endOffset
  const inHead = elements.filter(
    ({ parentNode }) => parentNode !== null && 'tagName' in parentNode && parentNode.tagName === 'head',
  )
  const charset = inHead.find((element) => attribute(element, 'charset') !== undefined)
  const first = inHead.find(({ tagName }) => tagName === 'link' || tagName === 'style' || tagName === 'script')
  const behindCharset = charset?.sourceCodeLocation?.endOffset
  const beforeFirst = first?.sourceCodeLocation?.startOffset
  if (behindCharset !== undefined && (beforeFirst === undefined || behindCharset <= beforeFirst)) return behindCharset
  return beforeFirst ?? head
}
