import { EXTENSION_PATTERN } from '@pixpress/core/internal'
import type { Reference } from './types.ts'

/** Holds what a page must hold somewhere for an image to be in it. */
const IMAGE_EXTENSION = new RegExp(String.raw`${EXTENSION_PATTERN}(?![\w-])`, 'i')

/**
 * The images of a page, as `findInHtml` finds them. Most pages of a build only load scripts; the HTML parser is not
 * even loaded for those.
 */
export async function findInPage(html: string): Promise<Reference[]> {
  if (!IMAGE_EXTENSION.test(html)) return []
  const { findInHtml } = await import('./html.ts')
  return findInHtml(html)
}
