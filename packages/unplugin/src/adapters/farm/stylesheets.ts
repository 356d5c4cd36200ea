import MagicString from 'magic-string'
import type { PluginTransformHookParam, PluginTransformHookResult } from '@farmfe/core'
import { findInStylesheet } from '../../core/reference/css.ts'
import { splitUrl } from '../../core/reference/url.ts'
import { useOf } from '../../core/reference/use.ts'

/** A parameter that no bundler or plugin looks at. */
const MARK = '__pixpress=typed'

/**
 * Marks the images of a stylesheet that are bound to their type, for Farm loads an image without saying what refers to it.
 * @returns `null` when there is none.
 */
export function markTypedImages({ content }: PluginTransformHookParam): PluginTransformHookResult | null {
  const text = new MagicString(content)
  for (const reference of findInStylesheet(content)) {
    if (useOf(reference) !== 'typed') continue
    const { path, query, hash } = splitUrl(reference.url)
    text.update(
      reference.start,
      reference.end,
      reference.encode(`${path}${query === '' ? '?' : `${query}&`}${MARK}${hash}`),
    )
  }
  if (!text.hasChanged()) return null
  return { content: text.toString(), sourceMap: text.generateMap({ hires: 'boundary' }).toString() }
}

/** Whether a query says that the image is bound to its type. */
export function isMarkedTyped(query: string): boolean {
  return query.slice(1).split('&').includes(MARK)
}
