import path from 'node:path'
import { findInStylesheet } from '../../references/css.ts'
import { findInPage } from '../../references/find-in-page.ts'
import { SHOWING_FILE } from '../../references/shown-imports.ts'
import { commonUse, isDrawing, useOf } from '../../references/types.ts'
import type { ImageUse } from '../../references/types.ts'
import { createUseInFile } from '../../references/use-in-file.ts'
import { decodePath, isExternal, splitUrl } from '../../references/url.ts'
import type { Session } from '../../session/session.ts'

const TEMPLATE = /\.(?:html?|xhtml|ejs|hbs|handlebars|mustache|njk|liquid)$/i
const STYLESHEET = /\.(?:css|scss|less)$/i

/**
 * Tells icons, social cards and images of a declared type from other images. Loaders hand every image of a template or
 * stylesheet on as a URL without saying where it stood, so the file is read again: an image that is one of them
 * anywhere in it is one.
 */
export function createBoundUses({
  files,
  log,
}: Pick<Session, 'files' | 'log'>): (issuer: string, file: string, request: string) => Promise<ImageUse> {
  const pages = new Map<string, { mtimeMs: number; found: Promise<readonly FoundImage[]> }>()
  const useInScript = createUseInFile(files.readFile)
  return async (issuer, file, request) => {
    if (SHOWING_FILE.test(issuer)) return isDrawing(file) ? useInScript(issuer, request) : 'content'
    // No image that a preprocessor takes from other files is bound to its type.
    if (!TEMPLATE.test(issuer) && !STYLESHEET.test(issuer)) return 'content'
    const mtimeMs = (await files.stat(issuer))?.mtimeMs
    // A file that a plugin made up cannot be read, and its images cannot be told apart.
    if (mtimeMs === undefined) return 'content'
    let page = pages.get(issuer)
    if (page?.mtimeMs !== mtimeMs) {
      const found = files.readFile(issuer).then((bytes) => findImages(bytes.toString('utf8'), TEMPLATE.test(issuer)))
      page = { mtimeMs, found }
      pages.set(issuer, page)
    }
    const found = (await page.found).filter(({ url }) => isSame(url, issuer, file))
    if (found.some(({ isUnsized }) => isUnsized)) log.unsized(file)
    return commonUse(found.map(({ use }) => use))
  }
}

interface FoundImage {
  readonly url: string
  readonly use: ImageUse
  readonly isUnsized: boolean
}

async function findImages(text: string, isTemplate: boolean): Promise<readonly FoundImage[]> {
  const references = isTemplate ? await findInPage(text) : findInStylesheet(text)
  return references
    .filter(({ url }) => !isExternal(url))
    .map((reference) => ({
      url: decodePath(splitUrl(reference.url).path),
      use: useOf(reference),
      isUnsized: reference.isUnsized === true,
    }))
}

/**
 * A relative path is the file's own. The meaning of a root or an alias is not known: there the rest of the path
 * decides.
 */
function isSame(url: string, issuer: string, file: string): boolean {
  if (!url.endsWith(path.basename(file))) return false
  if (path.resolve(path.dirname(issuer), url) === file) return true
  const rest = /^(?:\/|[~@][^/]*\/)(.+)$/.exec(url)?.[1]
  return rest !== undefined && file.split(path.sep).join('/').endsWith(`/${rest}`)
}
