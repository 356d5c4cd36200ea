/**
 * Where a reference was found.
 *
 * - `css-url`: `url()` of a stylesheet or declaration, outside `image-set()`
 * - `css-image-set`: a candidate of `image-set()`, be it a `url()` or a bare string
 * - `html-src`: `src` of `img`, `source`, `input` and `embed`, `data` of `object`, `href` of an SVG `image` or `use`,
 *   or of an image preload
 * - `html-srcset`: one candidate of `srcset` or `imagesrcset`
 * - `html-icon`: `href` of a `link` whose `rel` names an icon
 * - `html-meta`: `content` of a `meta` that names a picture of the page or a tile
 * - `html-poster`: `poster` of `video`
 * - `html-style`: CSS inside HTML, in a `style` attribute or a `style` element
 * - `new-url`: `new URL('…', import.meta.url)`
 * - `json-string`: a string of a JSON file
 */
export type ReferenceKind =
  | 'css-url'
  | 'css-image-set'
  | 'html-src'
  | 'html-srcset'
  | 'html-icon'
  | 'html-meta'
  | 'html-poster'
  | 'html-style'
  | 'new-url'
  | 'json-string'

/**
 * Describes what the place of a reference allows to be done to the image. `picture` is an SVG of which nothing but the
 * look is seen: pages can reach the elements of any other.
 */
export type ImageUse = 'content' | 'icon' | 'typed' | 'public' | 'picture'

/**
 * A URL in a source text that may stand for an image. Nothing is resolved, and nothing is filtered by file extension.
 */
export interface Reference {
  kind: ReferenceKind
  /**
   * Tells whether the document says what type the image has (`<source type>`, `image-set(… type())`), or shows it
   * beside one of which it does: then it keeps its type.
   */
  declaresType?: boolean
  /** Tells whether the file is a document of its own there, as in `<object>`, or a part of the page, as in `<use>`. */
  isDocument?: boolean
  /** True for an `<img>` whose attributes do not say how high it will be. Styles may. */
  isUnsized?: boolean
  /** The URL as the document means it: entities and escapes resolved, white space at its ends removed. */
  url: string
  /** UTF-16 offset of the first character of the raw URL in the source text, after an opening quote. */
  start: number
  /** UTF-16 offset after the last character of the raw URL, before a closing quote. */
  end: number
  /**
   * The text to put between `start` and `end` so that the document means `url` there. Given the reference's own URL it
   * is the text that stands there already.
   */
  encode(url: string): string
}

/** Readers of icons and social cards other than browsers know only old types, and a type that is declared stays. */
export function useOf({ kind, declaresType, isDocument, url }: Omit<Reference, 'start' | 'end' | 'encode'>): ImageUse {
  if (isDrawing(url)) return isDocument === true || url.includes('#') ? 'content' : 'picture'
  if (declaresType === true || isDocument === true) return 'typed'
  if (kind === 'html-icon' || kind === 'html-meta') return 'icon'
  return 'content'
}

/**
 * Returns the use of an image that a file refers to in several places: one that is bound to its format in one place is
 * bound in all of them, and an SVG is a picture only if it is one everywhere.
 */
export function commonUse(uses: readonly ImageUse[]): ImageUse {
  const bound = (['typed', 'icon'] as const).find((use) => uses.includes(use))
  return bound ?? (uses.length > 0 && uses.every((use) => use === 'picture') ? 'picture' : 'content')
}

/** Tells by a URL whether an image is an SVG. */
export const isDrawing = (url: string): boolean => /\.svg(?:[?#]|$)/i.test(url)
