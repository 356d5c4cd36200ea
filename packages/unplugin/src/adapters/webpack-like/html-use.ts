import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { findInHtml } from '../../core/reference/html.ts'
import { decodePath, isExternal, splitUrl } from '../../core/reference/url.ts'
import type { ImageUse } from '../../core/session.ts'

const TEMPLATE = /\.(?:html?|xhtml|ejs|hbs|handlebars|mustache|njk|liquid)$/i

/**
 * Tells icons and social cards from other images. HTML loaders hand every image on as a URL without saying where it
 * stood, so the template is read again: an image that it uses as an icon anywhere is one.
 */
export function createHtmlUses(): (issuer: string, file: string) => Promise<ImageUse> {
  const pages = new Map<string, { mtimeMs: number; icons: Promise<readonly string[]> }>()
  return async (issuer, file) => {
    if (!TEMPLATE.test(issuer)) return 'content'
    const mtimeMs = await stat(issuer).then(
      (found) => found.mtimeMs,
      // A template that a plugin made up has no file, and its images cannot be told apart.
      () => undefined,
    )
    if (mtimeMs === undefined) return 'content'
    let page = pages.get(issuer)
    if (page?.mtimeMs !== mtimeMs) {
      page = { mtimeMs, icons: readFile(issuer, 'utf8').then(findIcons) }
      pages.set(issuer, page)
    }
    return (await page.icons).some((icon) => isSame(icon, issuer, file)) ? 'icon' : 'content'
  }
}

function findIcons(html: string): readonly string[] {
  return findInHtml(html)
    .filter(({ kind, url }) => (kind === 'html-icon' || kind === 'html-meta') && !isExternal(url))
    .map(({ url }) => decodePath(splitUrl(url).path))
}

/** A relative path is the page's. What a root or an alias stands for is not known: there the rest of the path decides. */
function isSame(icon: string, page: string, file: string): boolean {
  if (path.resolve(path.dirname(page), icon) === file) return true
  const rest = /^(?:\/|[~@][^/]*\/)(.+)$/.exec(icon)?.[1]
  return rest !== undefined && file.split(path.sep).join('/').endsWith(`/${rest}`)
}
