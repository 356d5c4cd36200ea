import type { Placeholder, PlaceholderKind } from '@pixpress/core'
import type { DirectiveRequest, Variant } from './resolve.ts'

/**
 * Which images of a request have placeholders, in the order of its variants: every one whose metadata is given, and of
 * `img` and `picture` the largest one of the format asked for last, which is the one that `img.src` shows.
 */
export function placeholdersOf({ variants, output }: DirectiveRequest): readonly { readonly lqip?: PlaceholderKind }[] {
  const lqip = 'lqip' in output ? output.lqip : undefined
  if (lqip === undefined) return variants.map(() => ({}))
  if (output.as === 'metadata') return variants.map(() => ({ lqip }))
  const usual = variants.filter(({ media }) => media === undefined)
  const lastFormat = usual.at(-1)?.format
  const shown = usual
    .filter(({ format }) => format === lastFormat)
    .reduce<Variant | undefined>(
      (best, each) => (best === undefined || sideOf(each) > sideOf(best) ? each : best),
      undefined,
    )
  return variants.map((variant) => (variant === shown ? { lqip } : {}))
}

/** Pixels; without a size it is the source's, which nothing exceeds. */
const sideOf = ({ width, height }: Variant): number => width ?? height ?? Infinity

/** Holds what an image that cannot be decoded has: nothing to see. */
const NOTHING: Pick<Placeholder, 'url' | 'color' | 'hash'> = {
  url: 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  color: '#00000000',
}

/** The members of a module that say what to show until the image is there, as JavaScript. */
export function placeholderMembers(
  placeholder: Pick<Placeholder, 'url' | 'color' | 'hash'> = NOTHING,
): Readonly<Record<string, string>> {
  const { url, color, hash } = placeholder
  return {
    placeholder: JSON.stringify(url),
    color: JSON.stringify(color),
    ...(hash !== undefined && { hash: JSON.stringify(hash) }),
  }
}
