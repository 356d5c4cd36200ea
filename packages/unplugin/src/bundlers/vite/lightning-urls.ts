import { decodeCss } from '../../references/css-escape.ts'
import type { ImageUse } from '../../references/types.ts'

/** Describes what is used of Lightning CSS's syntax tree. */
export interface UrlNode {
  readonly url: string
  /** Where it begins in its file, from 1 on. */
  readonly loc: { readonly line: number; readonly column: number }
}

interface ImageNode {
  readonly type: string
  readonly value?: unknown
}

interface ImageSet {
  readonly options: readonly { readonly image: ImageNode; readonly fileType?: string | null }[]
}

/** The visitors of Lightning CSS that see URLs. */
export interface UrlVisitor {
  Url?(url: UrlNode): UrlNode | void
  Image?(image: ImageNode): ImageNode | void
}

/** A URL as Lightning CSS has seen it. */
export interface SeenUrl extends UrlNode {
  readonly use: ImageUse
}

/** Gives what to write instead; `undefined` leaves the URL alone. */
export type ReplaceUrl = (url: SeenUrl) => string | undefined

/**
 * Visitors that have each URL replaced: those of `url()`, and those of `image-set()`, strings as well.
 * @param theirs visitors of the project, which come first
 */
export function createUrlVisitor(theirs: UrlVisitor, replace: ReplaceUrl): UrlVisitor {
  const replaced = (node: UrlNode, use: ImageUse): UrlNode => ({ ...node, url: replace({ ...node, use }) ?? node.url })
  return {
    ...theirs,
    Url: (url) => replaced(theirs.Url?.(url) ?? url, 'content'),
    Image(image) {
      const own = theirs.Image?.(image)
      const node = own ?? image
      if (node.type !== 'image-set') return own
      const set = node.value as ImageSet
      const options = set.options.map((option) => {
        const { image: inner, fileType } = option
        if (inner.type !== 'url') return option
        const url = theirs.Url?.(inner.value as UrlNode) ?? (inner.value as UrlNode)
        return { ...option, image: { ...inner, value: replaced(url, fileType == null ? 'content' : 'typed') } }
      })
      return { ...node, value: { ...set, options } }
    },
  }
}

/** A URL in a stylesheet, from `url(` or the quotation mark of a string on. */
const WRITTEN = /^(?:url\(\s*)?(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|((?:[^\s"'()\\]|\\.)+))/i

/**
 * The files that a URL can stand in, by its place in them: none where no file holds it as it is written, but what a
 * preprocessor has made.
 * @param texts by absolute path
 */
export function filesOfUrl({ url, loc }: UrlNode, texts: ReadonlyMap<string, string>): string[] {
  const isThere = (text: string): boolean => {
    const line = text.split(/\r\n|[\n\f\r]/, loc.line)[loc.line - 1] ?? ''
    const [, double, single, bare] = WRITTEN.exec(line.slice(loc.column - 1)) ?? []
    return decodeCss(double ?? single ?? bare ?? '') === url
  }
  return [...texts].filter(([, text]) => isThere(text)).map(([file]) => file)
}
