import { parseSrcset } from './srcset.ts'
import { lengthOf } from './lengths.ts'
import { matchesMedia } from './media.ts'
import type { Viewport } from './viewport.ts'

/** Where a picture of a page comes from: `source` elements in their order, and the `img` last. */
export interface Picture {
  readonly sources: readonly Source[]
}

/** An element that offers files for a picture: `source`, or `img` itself. */
export interface Source {
  /** Attributes as they are written; absent where the element has none. */
  readonly src?: string | undefined
  readonly srcset?: string | undefined
  readonly sizes?: string | undefined
  readonly media?: string | undefined
  readonly type?: string | undefined
}

interface Candidate {
  readonly url: string
  /** Pixels of the file for each of CSS. */
  readonly density: number
}

/** Types that no browser shows, or few. */
const UNSHOWN = /^image\/(?:jxl|jp2|jpx|heic|heif|tiff)/i

/**
 * Returns the URL that a current browser loads for a picture (HTML Living Standard, section 4.8.4.3, "select an image
 * source"); `undefined` where it has none. Among candidates, it is the smallest that has a pixel for each of the
 * screen, else the largest.
 */
export function chosenUrl({ sources }: Picture, viewport: Viewport): string | undefined {
  for (const source of sources) {
    if (source.media !== undefined && !matchesMedia(source.media, viewport)) continue
    if (source.type !== undefined && UNSHOWN.test(source.type)) continue
    const candidates = candidatesOf(source, viewport)
    if (candidates.length === 0) continue
    const enough = candidates.filter(({ density }) => density >= viewport.ratio)
    if (enough.length > 0) return enough.reduce((least, each) => (each.density < least.density ? each : least)).url
    return candidates.reduce((most, each) => (each.density > most.density ? each : most)).url
  }
  return undefined
}

function candidatesOf({ src, srcset, sizes }: Source, viewport: Viewport): Candidate[] {
  const size = sizeOf(sizes ?? '', viewport)
  const parsed = parseSrcset(srcset ?? '').map(({ url, descriptor }) => ({ url, ...describe(descriptor) }))
  const candidates = parsed.map(({ url, width, density }) => ({
    url,
    density: width === undefined ? density : width / size,
  }))
  // With widths, or with a candidate for plain screens, `src` is for browsers without `srcset`.
  const isBeside = parsed.some(({ width }) => width !== undefined) || candidates.some(({ density }) => density === 1)
  if (src !== undefined && src !== '' && !isBeside) candidates.push({ url: src, density: 1 })
  return candidates.filter(({ density }) => density > 0)
}

/** `640w` and `2x`; a height, which nobody reads, may follow a width. */
function describe(descriptor: string): { width: number | undefined; density: number } {
  const [, number, unit] = /^([\d.]+)([wx])(?:\s|$)/.exec(descriptor) ?? []
  if (number === undefined) return { width: undefined, density: descriptor === '' ? 1 : 0 }
  return unit === 'w' ? { width: Number(number), density: 0 } : { width: undefined, density: Number(number) }
}

/** CSS pixels of `sizes`: the first length whose condition holds, else the window's width. */
function sizeOf(sizes: string, viewport: Viewport): number {
  for (const part of splitOutside(sizes)) {
    const [media, value] = splitCondition(part.trim())
    if (media !== undefined && !matchesMedia(media, viewport)) continue
    const size = lengthOf(value, viewport)
    if (size !== undefined) return size
  }
  return viewport.width
}

/**
 * Splits a condition from its length, or gives a length alone. Both may have brackets: the length begins behind those
 * that end the condition.
 */
function splitCondition(text: string): [media: string | undefined, length: string] {
  if (!/^(?:\(|not\b)/i.test(text)) return [undefined, text]
  let depth = 0
  let end = text.length
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && --depth === 0) {
      const rest = text.slice(at + 1).trim()
      if (/^(?:and|or)\b/.test(rest)) continue
      end = at + 1
      break
    }
  }
  const rest = text.slice(end).trim()
  return rest === '' ? [undefined, text] : [text.slice(0, end), rest]
}

/** Parts between commas that are in no brackets. */
function splitOutside(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const character of text) {
    if (character === '(') depth++
    if (character === ')') depth--
    if (character === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts
}
