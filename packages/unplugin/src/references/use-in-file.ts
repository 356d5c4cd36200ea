import { findInStylesheet } from './css.ts'
import { findInHtml } from './html.ts'
import { SHOWING_FILE, isOnlyShown } from './shown-imports.ts'
import { commonUse, isDrawing, useOf } from './types.ts'
import type { ImageUse, Reference } from './types.ts'

const PAGE = /\.html?$/i
const STYLESHEET = /\.(?:css|scss|less)$/i

/**
 * Tells what the places of an image in a page, stylesheet or script allow.
 * @param file Absolute path of what refers to the image. Scripts show SVG alone. Any other kind of file binds nothing,
 *   nor does a missing one.
 * @param url The text as it is written there, escapes resolved.
 * @param ifUnsized Is called if an `<img>` shows it without width and height.
 */
export type UseInFile = (file: string, url: string, ifUnsized?: () => void) => Promise<ImageUse>

/**
 * For bundlers that hand on a URL without saying where it stood: an image that is bound to its type at any place keeps
 * it at all of them in that file.
 * @param readFile Reads a page or stylesheet whole.
 */
export function createUseInFile(readFile: (file: string) => Promise<Buffer>): UseInFile {
  const files = new Map<string, { text: string; references: readonly Reference[] }>()
  return async (file, url, ifUnsized) => {
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
      known = { text, references: PAGE.test(file) ? findInHtml(text) : findInStylesheet(text) }
      files.set(file, known)
    }
    const found = known.references.filter((reference) => reference.url === url)
    if (found.some(({ isUnsized }) => isUnsized)) ifUnsized?.()
    return commonUse(found.map((reference) => useOf(reference)))
  }
}
