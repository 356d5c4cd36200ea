import { findInStylesheet } from './css.ts'
import { findInHtml } from './html.ts'
import { SHOWING_FILE, isOnlyShown } from './shown-imports.ts'
import { isDrawing, useOf } from './types.ts'
import type { ImageUse } from './types.ts'

const PAGE = /\.html?$/i
const STYLESHEET = /\.(?:css|scss|less)$/i

/**
 * Tells what the places of an image in a page, stylesheet or script allow.
 * @param file Absolute path of what refers to the image. Scripts show SVG alone. Any other kind of file binds nothing,
 *   nor does a missing one.
 * @param url The text as it is written there, escapes resolved.
 */
export type UseInFile = (file: string, url: string) => Promise<ImageUse>

/**
 * For bundlers that hand on a URL without saying where it stood: an image that is bound to its type at any place keeps
 * it at all of them in that file.
 * @param readFile Reads a page or stylesheet whole.
 */
export function createUseInFile(readFile: (file: string) => Promise<Buffer>): UseInFile {
  const files = new Map<string, { text: string; bound: ReadonlyMap<string, ImageUse> }>()
  return async (file, url) => {
    const isScript = SHOWING_FILE.test(file) && isDrawing(url)
    if (!PAGE.test(file) && !STYLESHEET.test(file) && !isScript) return 'content'
    const text = await readFile(file).then(
      (bytes) => bytes.toString('utf8'),
      // There is no such file: a plugin has made it up.
      () => '',
    )
    if (isScript) return isOnlyShown(text, url) ? 'picture' : 'content'
    let known = files.get(file)
    if (known?.text !== text) {
      known = { text, bound: findBound(text, PAGE.test(file)) }
      files.set(file, known)
    }
    return known.bound.get(url) ?? 'content'
  }
}

function findBound(text: string, isPage: boolean): ReadonlyMap<string, ImageUse> {
  const references = isPage ? findInHtml(text) : findInStylesheet(text)
  const uses = references.map((reference) => [reference.url, useOf(reference)] as const)
  const documents = new Set(uses.filter(([, use]) => use === 'content').map(([url]) => url))
  const bound = uses.filter(([url, use]) => use !== 'content' && (use !== 'picture' || !documents.has(url)))
  return new Map(bound)
}
