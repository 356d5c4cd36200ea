import path from 'node:path'
import MagicString from 'magic-string'
import { findNewUrls } from '../references/new-url.ts'
import { decodePath, splitUrl } from '../references/url.ts'
import { isFile } from '../base/files.ts'
import type { FinishedImage, Warn } from '../session/plan/images.ts'
import type { Session } from '../session/session.ts'
import { finishReference, readQuery } from './reference.ts'
import type { ReferenceQuery } from './reference.ts'

/** A script that names images where it had their URLs; the imports of those names are still to be added. */
export interface NewUrlImports {
  readonly text: MagicString
  readonly imports: readonly ImageImport[]
}

/** An image that a script imports under a name. */
export interface ImageImport {
  /** The name in the script. */
  readonly name: string
  readonly image: FinishedImage
  readonly query: ReferenceQuery
}

/**
 * Changes every `new URL('./a.png', import.meta.url)` of an image to `new URL(name, import.meta.url)`, for bundlers
 * that take no notice of the expression, but make a URL of an import. Replaced text keeps its line.
 * @param file Absolute path of the script.
 * @returns `undefined` when there is none.
 */
export async function nameNewUrls(
  session: Session,
  file: string,
  code: string,
  warn: Warn,
): Promise<NewUrlImports | undefined> {
  const text = new MagicString(code)
  const prefix = unusedPrefix(code)
  const imports: ImageImport[] = []
  for (const { url, start, end } of findNewUrls(code)) {
    const { path: pathname, query, hash } = splitUrl(url)
    const target = path.resolve(path.dirname(file), decodePath(pathname))
    if (pathname.startsWith('/') || !session.matches(target) || !(await isFile(session.files, target))) continue
    const parsed = readQuery(query)
    const image = await finishReference(session, { file: target, query: parsed }, 'content', warn)
    if (image === undefined) continue
    const name = `${prefix}${imports.length}`
    // The offsets are those of the URL inside of its quotes.
    text.update(start - 1, end + 1, hash === '' ? name : `${name} + ${JSON.stringify(hash)}`)
    imports.push({ name, image, query: parsed })
  }
  return imports.length === 0 ? undefined : { text, imports }
}

function unusedPrefix(code: string): string {
  let prefix = '__pixpress_'
  while (code.includes(prefix)) prefix += '_'
  return prefix
}
