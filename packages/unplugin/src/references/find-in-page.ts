import { EXTENSION_PATTERN } from '@pixpress/core/internal'
import type { PageOptions } from './html.ts'
import type { Reference } from './types.ts'
import { mayNameFile } from './url.ts'
import type { TakesUrl } from './url.ts'

/** Holds what a page must hold somewhere for an image to be in it. */
const IMAGE_EXTENSION = new RegExp(String.raw`${EXTENSION_PATTERN}(?![\w-])`, 'i')

/**
 * The images of a page, as `findInHtml` finds them. Most pages of a build only load scripts; the HTML parser is not
 * even loaded for those.
 * @param options `isRemote`: which URLs of other servers are wanted too. Default: none
 */
export async function findInPage(
  html: string,
  { isRemote, ...options }: { readonly isRemote?: TakesUrl } & Pick<PageOptions, 'passesOver'> = {},
): Promise<Reference[]> {
  // The URL of an image of another server need not end with an extension.
  if (!IMAGE_EXTENSION.test(html) && (isRemote === undefined || !/https?:/i.test(html))) return []
  const { findInHtml } = await import('./html.ts')
  return findInHtml(html, { ...options, ...(isRemote && { takes: (url) => mayNameFile(url) || isRemote(url) }) })
}
